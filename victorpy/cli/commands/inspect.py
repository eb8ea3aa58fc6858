"""victor inspect"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.cli.printed_tables import Section, add_tables, print_tables
from victorpy.cli.shared_options import whole_number
from victorpy.errors import UsageError
from victorpy.evaluation.report import facts
from victorpy.foundation.digests import data_digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.progress import shown
from victorpy.models import inspection, model_folder
from victorpy.models.model_folder import Model
from victorpy.models.training import annotated_pages
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

_OF_MODEL, _OF_PAGES = ("weights", "transitions", "unlearned"), ("silent", "gain")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="name or folder of a model")
    parser.add_argument(
        "--on", nargs="+", default=(), metavar="FILE", help=f"annotated pages (.anno), for {' and '.join(_OF_PAGES)}"
    )
    parser.add_argument(
        "-n", "--count", type=whole_number("rows"), default=5, help="weights for each label, and against it (5)"
    )
    add_tables(parser, (*_OF_MODEL, *_OF_PAGES))


def run(options: argparse.Namespace) -> int:
    model, paths = model_folder.load(options.model), _paths(options.on, options.tables)
    pages = list(shown(annotated_pages(paths, model.config), len(paths), "pages"))
    depends_on = facts(model.config, data_digest(paths) if paths else "", model=model.digest)
    print_tables(_sections(model, pages, options.count), options, depends_on)
    return FINE


def _paths(inputs: Sequence[str], tables: Sequence[str]) -> list[Path]:
    """The annotated pages that the tables asked for are about."""
    about_pages = [name for name in tables if name in _OF_PAGES]
    if about_pages and not inputs:
        raise UsageError(f"--tables {about_pages[0]} is about annotated pages: name them with --on")
    if tables and not about_pages:
        return []
    return [Path(file.path) for file in find_pages(inputs, ANNOTATION_SUFFIXES)]


def _sections(model: Model, pages: Sequence[AnnotatedPage], count: int) -> Mapping[str, Section]:
    columns = model.columns
    of_model = {
        "weights": Section(
            "Weights that speak most for and against each label",
            lambda: inspection.strongest(inspection.weights(model), count).set_index("label"),
        ),
        "transitions": Section("Transitions from label to label", lambda: inspection.transitions(model)),
        "unlearned": Section("Features that the model knows in one bucket only", lambda: inspection.unlearned(model)),
    }
    of_pages = {
        "silent": Section("Features that never fire on these pages", lambda: inspection.silent(columns, pages)),
        "gain": Section(
            "Information gain of each feature, in bits", lambda: inspection.information_gain(columns, pages)
        ),
    }
    return of_model | (of_pages if pages else {})
