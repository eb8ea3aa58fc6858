"""victor learn rules"""

import argparse
import logging
from pathlib import Path

from victorpy.cli.option_numbers import share
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable
from victorpy.labelers.stopwords import learned_words
from victorpy.output.destination import write_text_to

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts", nargs="+", metavar="TEXT", help="a text, a folder of .txt files (or .txt.gz), or - for standard input"
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="write the words to this file (-: standard output)"
    )
    parser.add_argument(
        "--share", type=share, default=0.4, help="share of the text that the words make up together (0.4)"
    )


def run(options: argparse.Namespace) -> int:
    if options.output != "-":
        check_writable(Path(options.output).parent)
    words = learned_words(options.texts, options.share)
    log.info("%d words", len(words))
    write_text_to(options.output, "".join(f"{word}\n" for word in words))
    return FINE
