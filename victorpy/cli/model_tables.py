"""The tables of `victor explain MODEL`: what a model has learned."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.cli.printed_tables import Section
from victorpy.errors import UsageError
from victorpy.models import inspection
from victorpy.models.model_folder import Model
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

MODEL_TABLES, PAGE_TABLES = ("weights", "transitions", "unlearned"), ("silent", "gain")


def paths_for(tables: Sequence[str], inputs: Sequence[str]) -> list[Path]:
    """The annotated pages that the requested tables need."""
    of_pages = [name for name in tables if name in PAGE_TABLES]
    if of_pages and not inputs:
        raise UsageError(f"--tables {of_pages[0]} needs annotated pages: name them with --on")
    if tables and not of_pages:
        return []
    return [Path(file.path) for file in find_pages(inputs, ANNOTATION_SUFFIXES)]


def model_sections(model: Model, pages: Sequence[AnnotatedPage], count: int) -> Mapping[str, Section]:
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
