"""victor rules"""

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from victorpy.errors import UsageError, VictorError
from victorpy.exits import FINE
from victorpy.files import check_writable, read_text, write_text
from victorpy.labelers.stopwords import function_words

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", choices=("learn",), help="find the function words of a language in text")
    parser.add_argument("texts", nargs="+", metavar="TEXT", help="a text file in UTF-8, without markup")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to write them (standard output)")
    parser.add_argument(
        "--share", type=_share, default=0.4, help="how much of the text the words make up together (0.4)"
    )


def _share(word: str) -> float:
    try:
        share = float(word)
    except ValueError:
        share = 0.0
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"'{word}' is not a number between 0 and 1")
    return share


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
    """The function words of text files."""
    missing = next((text for text in texts if not Path(text).is_file()), None)
    if missing is not None:
        raise UsageError("no such file", missing)
    words = function_words((read_text(Path(text)) for text in texts), share)
    if not words:
        raise VictorError("no word stands all over these texts: longer ones, with blanks between words, are wanted")
    log.info("%d words", len(words))
    return words
