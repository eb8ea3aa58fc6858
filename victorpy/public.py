"""The functions that `victorpy` offers beside its classes: thin layers over the rooms."""

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from victorpy.foundation.processes import Limits
from victorpy.pipeline import cleaner as cleaners
from victorpy.pipeline.cleaner import Cleaner, Html

# Each function imports what it needs: cleaning a page must import neither numpy nor pandas.
if TYPE_CHECKING:
    from victorpy.annotation.anno_files import AnnotatedPage, Annotation
    from victorpy.evaluation.evaluating import Evaluation
    from victorpy.models.config import Config
    from victorpy.models.model_folder import Model
    from victorpy.output.cleaned import Cleaned

    AnyPath: TypeAlias = str | PathLike[str]
    AnyPage: TypeAlias = str | PathLike[str] | Annotation | AnnotatedPage


def load(model: "AnyPath | Model" = "web", **options: Any) -> Cleaner:
    """The cleaner of a model: its name, its folder, or the model itself.

    Options change how labels are chosen: `bias` (above 0 keeps more, below 0 less), `method`, `threshold` and the
    others of the config's section `decoding`. The name of an untrained labeler is allowed, too, with its own options.
    """
    if isinstance(model, str | PathLike):
        return cleaners.load(fspath(model), **options)
    return cleaners.cleaner(model.decoding_by(**cleaners.checked_decoding(options)))


def clean(
    html: Html, model: "AnyPath | Model" = "web", url: str | None = None, *, limits: Limits | None = None
) -> "Cleaned":
    """Cleans one page, given as text or bytes. To clean several, load a cleaner once.

    With limits, such as `Limits(seconds=2)`, a page that takes longer has the status `timeout`.
    """
    return load(model).clean(html, url, limits=limits)


def load_config(name: "AnyPath") -> "Config":
    """The config of this name, such as "cleaneval", or in this file."""
    from victorpy.models import config  # noqa: PLC0415

    return config.load(fspath(name))


def train(
    pages: "AnyPage | Iterable[AnyPage]",
    config: "AnyPath | Config" = "cleaneval",
    *,
    source: str = "",
    licence: str = "",
) -> "Model":
    """Trains a model on annotated pages: .anno files, folders of them, or annotations in memory.

    `source` and `licence` say in the model's card where the pages are from. `model.save("models/mine")` writes it.
    """
    from victorpy.models import training  # noqa: PLC0415

    settings = load_config(config) if isinstance(config, str | PathLike) else config
    return training.train(_annotated_pages(pages, settings), settings, source, licence)


def adapt(
    model: "AnyPath | Model", pages: "AnyPage | Iterable[AnyPage]", *, source: str = "", licence: str = ""
) -> "Model":
    """Adapts a model that has a network, such as "web", to a few annotated pages of your own."""
    from victorpy.models import model_folder  # noqa: PLC0415
    from victorpy.models.adapting import adapted  # noqa: PLC0415

    start = model_folder.load(fspath(model)) if isinstance(model, str | PathLike) else model
    return adapted(start, _annotated_pages(pages, start.config), source, licence)


def _annotated_pages(pages: "AnyPage | Iterable[AnyPage]", config: "Config") -> "Iterator[AnnotatedPage]":
    from victorpy.annotation.anno_files import AnnotatedPage, Annotation, labeled_page  # noqa: PLC0415

    for given in (pages,) if isinstance(pages, str | PathLike | Annotation | AnnotatedPage) else pages:
        if isinstance(given, AnnotatedPage):
            yield given
            continue
        for annotation in (given,) if isinstance(given, Annotation) else _annotations(given):
            page, labels, _ = labeled_page(annotation, config.markup, config.label_set)
            yield AnnotatedPage(page, labels)


def _annotations(path: "AnyPath") -> "Iterator[Annotation]":
    from victorpy.sources import ANNOTATION_SUFFIXES, find_pages  # noqa: PLC0415

    return (read_annotation(file.path) for file in find_pages([fspath(path)], ANNOTATION_SUFFIXES))


def read_annotation(path: "AnyPath") -> "Annotation":
    """The annotated page in a .anno file."""
    from victorpy.annotation import anno_files  # noqa: PLC0415

    return anno_files.read(fspath(path))


def write_annotation(annotation: "Annotation | Cleaned", path: "AnyPath") -> None:
    """Writes an annotated page, or a cleaned page to correct by hand, to a .anno file."""
    from victorpy.annotation.anno_files import Annotation, annotation_of, write  # noqa: PLC0415

    if not isinstance(annotation, Annotation):
        annotation = annotation_of(annotation.page, annotation.source, annotation.detailed_labels)
    write(annotation, fspath(path))


def report(
    pages: "AnyPath | Iterable[AnyPath]",
    model: "AnyPath | Model" = "web",
    *,
    against: str = "",
    gold: "AnyPath | None" = None,
    explains: int | None = None,
) -> str:
    """An HTML report of pages or .anno files: what a model keeps of them, and why.

    `against` is another model or labeler, and `gold` a folder of gold texts (ID.txt), to compare with.
    """
    from victorpy.reporting import making_reports  # noqa: PLC0415

    options = making_reports.ReportOptions(
        against=against, gold=None if gold is None else Path(gold), explains=explains
    )
    names = [fspath(pages)] if isinstance(pages, str | PathLike) else [fspath(path) for path in pages]
    if isinstance(model, str | PathLike):
        return making_reports.report(names, making_reports.system_named(fspath(model)), options)
    system = making_reports.System(model.name or "the model", cleaners.cleaner(model), model)
    return making_reports.report(names, system, options)


def evaluate(
    model: "AnyPath | Model | Cleaner",
    pages: "AnyPath | Iterable[AnyPath]",
    gold: "AnyPath | None" = None,
    *,
    kinds: Mapping[str, str] | None = None,
    jobs: int = 1,
) -> "Evaluation":
    """Scores a model on .anno files or, with a folder of `gold` texts (ID.txt), on HTML pages.

    `kinds` names a kind for pages, by id. The result has `.scores`, a table with a row for each page, and `.summary()`.
    """
    from victorpy.evaluation import evaluating  # noqa: PLC0415

    cleaner = model if isinstance(model, Cleaner) else load(model)
    names = [fspath(pages)] if isinstance(pages, str | PathLike) else [fspath(path) for path in pages]
    return evaluating.evaluate(cleaner, names, None if gold is None else Path(gold), kinds or {}, jobs)
