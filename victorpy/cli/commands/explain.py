"""victor explain"""

import argparse
from pathlib import Path

from victorpy.cli.block_tables import BLOCK_TABLES, block_facts, block_sections, page_and_labels
from victorpy.cli.model_tables import MODEL_TABLES, PAGE_TABLES, model_sections, paths_for
from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.printed_tables import add_tables, print_tables
from victorpy.cli.shared_options import add_decoding, decoding_changes
from victorpy.errors import UsageError
from victorpy.evaluation.report import facts
from victorpy.foundation.digests import data_digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.progress import shown
from victorpy.models import model_folder
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.models.explanation import explain
from victorpy.models.training import annotated_pages

_MODEL_ROWS, _BLOCK_ROWS = 5, 12


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        metavar="MODEL|PAGE",
        help="name or folder of a model; with --block a page: an HTML file, an .anno file, or - for standard input",
    )
    parser.add_argument("-b", "--block", type=number(int), metavar="N", help="explain block N of a page, from 0")
    parser.add_argument("-m", "--model", help="with --block: name or folder of the model (web)")
    parser.add_argument(
        "--on",
        nargs="+",
        default=(),
        metavar="FILE",
        help=f"annotated pages, for the tables {' and '.join(PAGE_TABLES)}",
    )
    parser.add_argument(
        "-n",
        "--count",
        type=at_least_1,
        metavar="N",
        help=f"rows of weights ({_MODEL_ROWS} for and against each label; of a block {_BLOCK_ROWS})",
    )
    tables = dict.fromkeys((*MODEL_TABLES, *PAGE_TABLES, *BLOCK_TABLES))
    add_tables(parser, tuple(tables))
    add_decoding(parser)


def run(options: argparse.Namespace) -> int:
    if options.block is None:
        _explain_model(options)
    else:
        _explain_block(options)
    return FINE


def _explain_model(options: argparse.Namespace) -> None:
    if options.model or decoding_changes(options):
        options_of_blocks = "--model, --decode, --threshold, --bias and --scope"
        raise UsageError(f"{options_of_blocks} explain a block of a page: name it with --block")
    if options.what == "-" or Path(options.what).is_file():
        raise UsageError("a file, not a model; to explain a block of a page, name it with --block", options.what)
    _check_tables(options.tables, (*MODEL_TABLES, *PAGE_TABLES), "a block of a page: name it with --block")
    model, paths = model_folder.load(options.what), paths_for(options.tables, options.on)
    pages = list(shown(annotated_pages(paths, model.config), len(paths), "pages"))
    depends_on = facts(model.config, data_digest(paths) if paths else "", model=model.digest)
    print_tables(model_sections(model, pages, options.count or _MODEL_ROWS), options, depends_on)


def _explain_block(options: argparse.Namespace) -> None:
    if options.on:
        raise UsageError("--on explains a model: leave out --block")
    _check_tables(options.tables, BLOCK_TABLES, "a model: leave out --block")
    model = model_folder.load(options.model or DEFAULT_MODEL).decoding_by(**decoding_changes(options))
    page, annotated = page_and_labels(options.what, model.config.markup)
    explanation = explain(model, page, options.block)
    depends_on = facts(model.config, model=model.digest, **block_facts(options.what, explanation, annotated))
    print_tables(block_sections(model, page, explanation, options.count or _BLOCK_ROWS), options, depends_on)


def _check_tables(tables: list[str], known: tuple[str, ...], other: str) -> None:
    strangers = [name for name in tables if name not in known]
    if strangers:
        raise UsageError(f"--tables {strangers[0]} explains {other}")
