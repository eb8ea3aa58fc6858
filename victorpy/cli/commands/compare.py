"""victor compare, the old name of victor evaluate for several systems"""

import argparse

from victorpy.cli.comparison_report import print_comparison
from victorpy.cli.validation_options import add_plot, add_printing, add_validation
from victorpy.evaluation.scoring import FIGURES


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help="a model, a labeler or a folder of cleaned texts")
    parser.add_argument(
        "--xval", nargs="+", default=(), metavar="CONFIG", help="compare these configs, cross-validated"
    )
    parser.add_argument(
        "--on", nargs="+", default=(), metavar="INPUT", help="annotated pages (.anno), or with --gold HTML pages"
    )
    parser.add_argument("--by", choices=("kind",), help="print the figures of each kind as well")
    parser.add_argument("--figure", nargs="+", choices=FIGURES, default=["word_f1"], metavar="NAME", help="(word_f1)")
    add_validation(parser)
    add_printing(parser)
    add_plot(parser)


def run(options: argparse.Namespace) -> int:
    return print_comparison(options.systems, options)
