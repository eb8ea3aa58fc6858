"""Options and tables of the commands that score several configs or systems."""

import argparse
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import isnan
from pathlib import Path
from typing import Any

import pandas as pd

from victorpy.annotation.page_groups import read_memberships
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.printed_tables import add_table_format
from victorpy.cli.shared_options import Options, add_jobs
from victorpy.evaluation import report
from victorpy.evaluation.cross_validation import CrossValidation
from victorpy.evaluation.predictions import gold_texts, page_ids
from victorpy.evaluation.scoring import FIGURES
from victorpy.evaluation.statistics import Bootstrap
from victorpy.foundation.files import check_writable
from victorpy.models.config import Config
from victorpy.output.destination import write_text_to
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

FOLDER = "experiments"
_SHARES = ("mean", "difference", "low", "high")
_CHANCES = ("bootstrap_p", "holm_p", "wilcoxon_p")
_LEAST_CHANCE = 0.0001


def add_validation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folds", type=at_least_1, default=6, metavar="N", help="folds of the cross-validation (6)")
    add_jobs(parser)
    parser.add_argument("--kinds", metavar="TSV", help="id, kind and group of every page")
    parser.add_argument("--gold", metavar="FOLDER", help="folder of gold texts, ID.txt (the gold labels)")
    parser.add_argument(
        "--folder",
        default=FOLDER,
        metavar="DIR",
        help=f"keep scores in this folder, to reuse them later ({FOLDER})",
    )


def add_printing(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--samples", type=at_least_1, default=10_000, metavar="N", help="bootstrap samples (10000)")
    parser.add_argument(
        "--seed", type=number(int), default=0, metavar="N", help="seed of folds, trials and bootstrap (0)"
    )
    add_table_format(parser)


def add_plot(parser: Options) -> None:
    parser.add_argument("--plot", metavar="FILE", help="draw a plot, too: .png, .svg or .pdf")


def add_figure(parser: argparse.ArgumentParser, usual: str) -> None:
    parser.add_argument(
        "--figure",
        choices=FIGURES,
        default=usual,
        metavar="FIGURE",
        help=f"figure to measure, as in evaluate ({usual})",
    )


def annotated_files(names: Sequence[str]) -> tuple[Path, ...]:
    return tuple(Path(file.path) for file in find_pages(names, ANNOTATION_SUFFIXES))


def validation_of(options: argparse.Namespace, files: Sequence[Path], texts: Mapping[str, str]) -> CrossValidation:
    folder = Path(options.folder) if options.folder else None
    if folder:
        check_writable(folder)
    return CrossValidation(
        files=tuple(files),
        count=options.folds,
        seed=options.seed,
        jobs=options.jobs,
        folder=folder,
        members=read_memberships(Path(options.kinds)) if options.kinds else {},
        gold_texts=texts,
    )


def gold_texts_of(options: argparse.Namespace, files: Sequence[Path]) -> dict[str, str]:
    """The texts in the folder after --gold; none if the gold labels stand for them."""
    return gold_texts(Path(options.gold), page_ids(files)) if options.gold else {}


def bootstrap_of(options: argparse.Namespace) -> Bootstrap:
    return Bootstrap(options.samples, options.seed)


def check_plot(options: argparse.Namespace) -> None:
    """Refuse a wrong name before long work."""
    if options.plot:
        from victorpy.evaluation.plots import check_name  # noqa: PLC0415

        check_name(Path(options.plot))


def print_table(table: pd.DataFrame, options: argparse.Namespace, facts: Mapping[str, Any]) -> None:
    text = report.render(shown_table(table, options.format), options.format, facts)
    write_text_to(options.output, text)


def facts_of_validation(options: argparse.Namespace, validation: CrossValidation, config: Config) -> dict[str, Any]:
    return facts_of(options, validation.data, config=config, figure=options.figure, folds=options.folds)


def facts_of(options: argparse.Namespace, data: str, **others: Any) -> dict[str, Any]:
    facts = report.facts(data=data, seed=options.seed, samples=options.samples, **others)
    return facts | {"versions": facts["versions"] | {"scipy": version("scipy")}}


def shown_table(table: pd.DataFrame, format: str) -> pd.DataFrame:
    """Shares in percent; for people, p-values with four decimals."""
    shown = table.assign(**{name: 100 * table[name] for name in _SHARES if name in table})
    if format in {"csv", "json"}:
        return shown
    return shown.assign(**{name: [_chance(value) for value in shown[name]] for name in _CHANCES if name in shown})


def _chance(value: float) -> str:
    if isnan(value):
        return ""
    return f"<{_LEAST_CHANCE:.4f}" if value < _LEAST_CHANCE else f"{value:.4f}"
