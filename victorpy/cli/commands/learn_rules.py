"""victor learn rules"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from victorpy.cli.option_numbers import share
from victorpy.errors import VictorError
from victorpy.features.language.lm_training import texts_of
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable, write_text
from victorpy.labelers.stopwords import function_words
from victorpy.sources import TEXT_SUFFIXES, find_pages

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
    written = "".join(f"{word}\n" for word in learned(options.texts, options.share))
    if options.output == "-":
        sys.stdout.write(written)
    else:
        write_text(Path(options.output), written)
    return FINE


def learned(texts: Sequence[str], share: float = 0.4) -> list[str]:
    """The function words of texts and of folders of texts."""
    files = find_pages(texts, TEXT_SUFFIXES)
    words = function_words((piece for file in files for piece in texts_of(file)), share)
    if not words:
        raise VictorError(
            "no word is frequent all over these texts: longer texts, with blanks between words, are necessary"
        )
    log.info("%d words", len(words))
    return words
