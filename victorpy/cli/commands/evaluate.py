"""victor evaluate"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

import pandas as pd

from victorpy.annotation.page_groups import read_kinds
from victorpy.cli.comparison_report import add_comparison, print_comparison
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.printed_tables import add_table_format
from victorpy.cli.shared_options import add_decoding, add_jobs, add_labeler, chosen_labeler, decoding_changes
from victorpy.errors import UsageError
from victorpy.evaluation import report
from victorpy.evaluation.evaluating import Evaluation, evaluate, evaluate_texts
from victorpy.evaluation.evaluating_posts import posts_table
from victorpy.evaluation.scoring import FIGURES, Mistakes
from victorpy.evaluation.statistics import Bootstrap
from victorpy.evaluation.systems import system_kind
from victorpy.foundation.exit_codes import FINE
from victorpy.labelers.registry import described
from victorpy.models.model_folder import load
from victorpy.output.destination import write_text_to
from victorpy.pipeline.cleaner import Cleaner, cleaner, untrained
from victorpy.pipeline.cleaner import load as load_system

_TABLES = ("summary", "pages", "labels", "confusion", "worst")
_OF_LABELS = ("labels", "confusion")
_USUAL_WORST = 10
_LONGEST_PIECE = 100
_SAMPLES, _SAMPLES_OF_COMPARISON = 1000, 10_000


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="*",
        metavar="SYSTEM",
        help="a model, a labeler or a folder of cleaned texts; several are compared with the first. Without --on and"
        " --gold: annotated pages for --model or --labeler, or the two folders PRINTED_DIR GOLD_DIR",
    )
    _add_pages(parser)
    _add_one_system(parser)
    add_comparison(parser.add_argument_group("several systems"))
    _add_report(parser)


def _add_pages(parser: argparse.ArgumentParser) -> None:
    pages = parser.add_argument_group("pages")
    pages.add_argument(
        "--on", nargs="+", default=(), metavar="INPUT", help="annotated pages (.anno), or with --gold HTML pages"
    )
    pages.add_argument("--gold", metavar="DIR", help="folder of the gold texts of the pages, ID.txt")
    pages.add_argument(
        "--posts",
        metavar="DIR",
        help="folder of the posts of the HTML pages, ID.json as clean -f json prints: score posts",
    )
    pages.add_argument("--kinds", metavar="TSV", help="id, kind and group of every page")
    pages.add_argument("--by", choices=("kind",), help="print the figures of each kind as well")


def _add_one_system(parser: argparse.ArgumentParser) -> None:
    system = parser.add_argument_group("one system")
    system.add_argument("-m", "--model", help="name or folder of a model")
    add_labeler(system)
    add_decoding(system)
    system.add_argument(
        "-t",
        "--tables",
        nargs="+",
        choices=_TABLES,
        default=(),
        metavar="TABLE",
        help=f"tables to print: {', '.join(_TABLES)} (all but pages)",
    )
    system.add_argument("-w", "--worst", type=at_least_1, metavar="N", help="print the mistakes in the N worst pages")
    system.add_argument(
        "--weight",
        choices=("blocks", "words"),
        default="blocks",
        metavar="UNIT",
        help="count blocks or words in tables of labels (blocks)",
    )


def _add_report(parser: argparse.ArgumentParser) -> None:
    output = parser.add_argument_group("figures and output")
    output.add_argument(
        "--figure",
        action="append",
        choices=FIGURES,
        metavar="NAME",
        help="figure for --worst and comparisons (word_f1); several systems can have several figures",
    )
    output.add_argument(
        "--samples",
        type=at_least_1,
        metavar="N",
        help=f"bootstrap samples ({_SAMPLES}; of a comparison {_SAMPLES_OF_COMPARISON})",
    )
    output.add_argument("--seed", type=number(int), default=0, metavar="N", help="seed of folds and bootstrap (0)")
    add_table_format(output)
    add_jobs(output)


def run(options: argparse.Namespace) -> int:
    options.figure = options.figure or ["word_f1"]
    if options.posts:
        return _print_posts(options)
    if _names_systems(options):
        if options.xval or len(options.inputs) > 1:
            return _compare(options)
        _take_system(options)
    _evaluate(options)
    return FINE


def _print_posts(options: argparse.Namespace) -> int:
    """Scores posts, titles and dates of one system or several."""
    system = _system(options)
    if (system and options.inputs) or not (system or options.inputs):
        raise UsageError("--posts takes the systems as arguments, or one --model or --labeler")
    if not options.on or options.gold:
        raise UsageError("--posts needs the HTML pages after --on, and no --gold")
    cleaners = {name: load_system(name) for name in options.inputs}
    cleaners |= {options.model or options.labeler: system.cleaner} if system else {}
    table = report.percent(posts_table(cleaners, options.on, Path(options.posts)))
    write_text_to(options.output, report.render_all({"posts": table}, options.format, report.facts()))
    return FINE


def _names_systems(options: argparse.Namespace) -> bool:
    """Whether the inputs are systems, rather than pages or two folders."""
    has_labeler = options.model or options.labeler
    if has_labeler and (options.on or options.xval):
        raise UsageError("--on and --xval take the systems as arguments: leave out --model and --labeler")
    return bool(options.on or options.xval or (options.gold and not has_labeler))


def _compare(options: argparse.Namespace) -> int:
    if options.tables or options.worst or options.option or decoding_changes(options):
        raise UsageError("--tables, --worst, --option, --decode, --threshold, --bias and --scope are for one system")
    options.samples = options.samples or _SAMPLES_OF_COMPARISON
    return print_comparison(options.inputs, options)


def _take_system(options: argparse.Namespace) -> None:
    """Turn the only system into the options that evaluate it."""
    if not options.inputs:
        raise UsageError("name a system: a model, a labeler or a folder of cleaned texts")
    name, kind = options.inputs[0], system_kind(options.inputs[0])
    if kind == "folder":
        if options.on or not options.gold:
            raise UsageError("a folder of texts needs --gold without --on, or a second system", name)
        options.inputs, options.gold = [name, options.gold], None
    else:
        setattr(options, kind, name)
        options.inputs = options.on
    if not options.inputs:
        raise UsageError(f"--on: '{name}' needs the HTML pages of the gold texts")


def _evaluate(options: argparse.Namespace) -> None:
    if options.plot or len(options.figure) > 1:
        raise UsageError("--plot and several figures are for several systems")
    system = _system(options)
    evaluation = _evaluation(options, system)
    facts = report.facts(data=evaluation.digest, seed=options.seed, **(system.facts if system else {}))
    tables = _made(evaluation, options)
    write_text_to(options.output, report.render_all(tables, options.format, facts))


def _tables(options: argparse.Namespace) -> list[str]:
    if options.tables:
        return list(options.tables)
    is_labels = (options.model or options.labeler) and not options.gold and options.format != "csv"
    usual = ["summary", *(["labels", "confusion"] if is_labels else [])]
    return [*([] if options.worst and options.format == "csv" else usual), *(["worst"] if options.worst else [])]


class _EvaluatedSystem(NamedTuple):
    """A cleaner, and the facts that its labels depend on."""

    cleaner: Cleaner
    facts: Mapping[str, Any]


def _system(options: argparse.Namespace) -> _EvaluatedSystem | None:
    labeler = chosen_labeler(options)
    if labeler:
        return _EvaluatedSystem(untrained(labeler), {"labeler": described(labeler)})
    if not options.model:
        return None
    model = load(options.model).decoding_by(**decoding_changes(options))
    facts = {"config": model.config, "model": model.name, "weights": f"sha256:{model.card.weights}"}
    return _EvaluatedSystem(cleaner(model), facts)


def _evaluation(options: argparse.Namespace, system: _EvaluatedSystem | None) -> Evaluation:
    kinds = read_kinds(Path(options.kinds) if options.kinds else None)
    if system:
        gold = Path(options.gold) if options.gold else None
        return evaluate(system.cleaner, options.inputs, gold, kinds, options.jobs)
    return evaluate_texts(*_two_folders(options), kinds, options.jobs)


def _two_folders(options: argparse.Namespace) -> tuple[Path, Path]:
    if decoding_changes(options):
        raise UsageError("--decode, --threshold, --bias and --scope need a --model or --labeler")
    if len(options.inputs) != 2:
        raise UsageError("expected two folders, of printed and of gold texts; or a system, and its pages after --on")
    return Path(options.inputs[0]), Path(options.inputs[1])


def _made(evaluation: Evaluation, options: argparse.Namespace) -> dict[str, pd.DataFrame]:
    names, is_texts = _tables(options), bool(evaluation.texts)
    of_labels = [name for name in names if name in _OF_LABELS]
    if is_texts and of_labels:
        raise UsageError(f"{' and '.join(of_labels)}: tables of labels need annotated pages, and these are texts")
    worst, bootstrap = options.worst or _USUAL_WORST, Bootstrap(options.samples or _SAMPLES, options.seed)
    makers: dict[str, Callable[[], pd.DataFrame]] = {
        "pages": lambda: report.percent(evaluation.scores.replace("", None).dropna(axis="columns", how="all")),
        "summary": lambda: report.percent(evaluation.summary(options.by, bootstrap)),
        "labels": lambda: report.percent(evaluation.labels(options.weight)),
        "confusion": lambda: evaluation.confusion(options.weight),
        "worst": lambda: mistakes_table(evaluation.worst(options.figure[0], worst)),
    }
    return {name: makers[name]() for name in names}


def mistakes_table(mistakes: Sequence[Mistakes]) -> pd.DataFrame:
    """A row for every piece that was wrongly kept or wrongly dropped, the worst page first."""
    rows = [
        (mistake.id, 100 * mistake.value, wrongly, shorten(piece, _LONGEST_PIECE, placeholder=" …"))
        for mistake in mistakes
        for wrongly, pieces in (("kept", mistake.kept), ("dropped", mistake.dropped))
        for piece in pieces
    ]
    return pd.DataFrame(rows, columns=["id", "value", "wrongly", "text"]).set_index("id")
