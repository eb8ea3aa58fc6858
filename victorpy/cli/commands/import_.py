"""victor import"""

import argparse
import logging
from collections.abc import Iterator
from statistics import fmean
from textwrap import shorten

from victorpy.annotation.gold_texts import GOLD_FORMATS
from victorpy.annotation.importing import Import, Imported, import_all, pairs
from victorpy.cli.option_numbers import number
from victorpy.cli.shared_options import add_jobs
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.progress import shown
from victorpy.foundation.terminal import escaped_line
from victorpy.models import config as configs
from victorpy.models.defaults import DEFAULT_MODEL

log = logging.getLogger("victorpy")

_MISSING_SHOWN = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pages", metavar="HTML", help="a page, or a folder of pages")
    parser.add_argument("gold", metavar="GOLD", help="its clean text, or a folder with texts of the same names")
    parser.add_argument(
        "-o", "--output", required=True, metavar="PATH", help="an .anno file, or a folder of .anno files"
    )
    parser.add_argument(
        "-c",
        "--config",
        default=DEFAULT_MODEL,
        help=f"name or file of the config that cuts pages into blocks ({DEFAULT_MODEL})",
    )
    parser.add_argument(
        "--gold-format",
        choices=sorted(GOLD_FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(sorted(GOLD_FORMATS))} (guessed)",
    )
    parser.add_argument(
        "--annotator", default="import", metavar="NAME", help="annotator's name in the .anno files (import)"
    )
    parser.add_argument(
        "--least-score",
        type=number(float),
        default=0.0,
        metavar="F1",
        help="skip pages with a lower score, in percent (0)",
    )
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    found = pairs(options.pages, options.gold)
    if options.output.endswith(".anno") and len(found) > 1:
        raise UsageError(f"one .anno file for {len(found)} pages: name a folder", options.output)
    markup = configs.load(options.config).markup
    job = Import(options.output, markup, options.gold_format or "", options.annotator, options.least_score)
    done = list(_reported(shown(import_all(found, job, options.jobs), len(found), "pages")))
    _print_total(done)
    is_whole = not any(imported.is_unwritable for imported in done)
    return FINE if is_whole and any(imported.is_written for imported in done) else FAILED


def _reported(done: Iterator[Imported]) -> Iterator[Imported]:
    for imported in done:
        if imported.problem:
            log.error("%s: %s", imported.id, imported.problem)
        _print_row(imported.id, imported)
        for text in imported.missing[:_MISSING_SHOWN]:
            print(f"    in no block: {shorten(text, 90, placeholder=' …')}")
        if len(imported.missing) > _MISSING_SHOWN:
            print(f"    in no block: {len(imported.missing) - _MISSING_SHOWN} more stretches of text")
        yield imported


def _print_row(name: str, imported: Imported) -> None:
    precision, recall, f1 = (100 * value for value in imported.score)
    note = "" if imported.is_written else "  left out"
    print(f"{escaped_line(name)}  F1 {f1:.2f}  precision {precision:.2f}  recall {recall:.2f}{note}")


def _print_total(done: list[Imported]) -> None:
    precision, recall, f1 = (100 * fmean(values) for values in zip(*(imported.score for imported in done), strict=True))
    written = sum(imported.is_written for imported in done)
    print(f"{len(done)} pages, {written} written: F1 {f1:.2f}  precision {precision:.2f}  recall {recall:.2f}")
