"""victor lm train"""

import argparse
from typing import get_args

from victorpy.cli.commands.train import folder_of
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.features.language.folders import save
from victorpy.features.language.lm_training import learn, texts_of
from victorpy.features.language.ngrams import NgramShape
from victorpy.features.language.smoothing import Smoothing
from victorpy.features.language.symbols import Unit
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable
from victorpy.sources import TEXT_SUFFIXES, find_pages

_ORDERS: dict[Unit, int] = {"words": 2, "characters": 5}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "texts", nargs="+", metavar="TEXT", help="a text, a folder of .txt files (or .txt.gz), or - for standard input"
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="MODEL", help="name or folder of the new language model"
    )
    parser.add_argument(
        "--unit", default="words", choices=get_args(Unit), metavar="UNIT", help="words or characters (words)"
    )
    parser.add_argument("--order", type=at_least_1, metavar="N", help="length of the n-grams (2 words, 5 characters)")
    parser.add_argument(
        "--smoothing",
        default="kneser-ney",
        choices=get_args(Smoothing),
        metavar="NAME",
        help=f"{', '.join(get_args(Smoothing))} (kneser-ney)",
    )
    parser.add_argument(
        "--min-count", type=at_least_1, default=1, metavar="N", help="ignore n-grams that are rarer (1)"
    )
    parser.add_argument(
        "--limit",
        type=number(float),
        metavar="NUMBER",
        help="perplexity above which text is noise (8000; of characters 40)",
    )
    parser.add_argument("--source", default="", metavar="TEXT", help="source of the texts, for the card")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the texts, for the card")


def run(options: argparse.Namespace) -> int:
    folder = folder_of("language-models", options.output)
    shape = NgramShape(options.unit, options.order or _ORDERS[options.unit], options.smoothing, options.min_count)
    files = find_pages(options.texts, TEXT_SUFFIXES)
    check_writable(folder)
    pieces = (piece for file in files for piece in texts_of(file))
    save(learn(pieces, shape, options.limit, options.source, options.licence), folder)
    print(folder)
    return FINE
