"""A report of pages, annotated pages or archives, by a system and, beside it, a gold or another system."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from victorpy.annotation.anno_files import read
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.systems import system_kind
from victorpy.foundation.progress import shown
from victorpy.models import model_folder
from victorpy.models.model_folder import Model
from victorpy.pipeline import cleaner as cleaners
from victorpy.pipeline.cleaner import Cleaner
from victorpy.reporting.block_marks import ALONE, WITH_GOLD, legend_of_two
from victorpy.reporting.page_views import Sides
from victorpy.reporting.report_documents import report_of_page, report_of_pages
from victorpy.reporting.reported_pages import ReportedPage, Reporter
from victorpy.sources import ANNOTATION_SUFFIXES, Inputs, RawPage, find_inputs, find_pages, read_page

# Explaining a block takes a fifth of a second.
_EXPLAINED, _FEW = 12, 3
LOOKS = 100


@dataclass(frozen=True, kw_only=True)
class ReportOptions:
    """`against` names another system and `gold` a folder of texts. `explains` is the number of blocks of each page that
    are explained, by default 12 of up to three pages and none of more; `looks` that of pages shown as they look."""

    against: str = ""
    gold: Path | None = None
    explains: int | None = None
    looks: int = LOOKS


class System:
    """A cleaner, its name, and the model that can explain its labels, if it is one."""

    def __init__(self, name: str, cleaner: Cleaner, model: Model | None = None):
        self.name, self.cleaner, self.model = name, cleaner, model


def system_named(name: str) -> System:
    """A model or a labeler by its name."""
    kind = system_kind(name)
    if kind == "folder":
        raise UsageError("expected a model or a labeler, got a folder", name)
    if kind == "labeler":
        return System(name, cleaners.labeler(name))
    model = model_folder.load(name)
    return System(name, cleaners.cleaner(model), model)


def report(inputs: Inputs | Sequence[str], system: System, options: ReportOptions = ReportOptions()) -> str:
    """The HTML of a report: of one page, or of all pages with a list of them."""
    if options.against and options.gold:
        raise UsageError("--against and --gold exclude each other: a report shows one difference")
    if options.gold and not options.gold.is_dir():
        raise UsageError("expected a folder of gold texts", options.gold)
    other = system_named(options.against).cleaner if options.against else None
    reporter = Reporter(cleaner=system.cleaner, other=other, gold=options.gold, model=system.model)
    annotated, found = _found(inputs)
    count = None if found is None or found.count is None else len(annotated) + found.count
    explains = options.explains if options.explains is not None else _EXPLAINED if (count or _FEW + 1) <= _FEW else 0
    pages = shown(_pages(replace(reporter, explains=explains), annotated, found), count, "pages")
    sides = _sides(system.name, options, is_annotated=bool(annotated))
    return report_of_page(next(iter(pages)), sides) if count == 1 else report_of_pages(pages, sides, options.looks)


def _sides(name: str, options: ReportOptions, *, is_annotated: bool) -> Sides:
    if options.against:
        return Sides(name, options.against, legend_of_two(name, options.against))
    return Sides(name, "the gold", WITH_GOLD) if options.gold or is_annotated else Sides(name, "", ALONE)


def _found(inputs: Inputs | Sequence[str]) -> tuple[list[str], Inputs]:
    """The annotated pages, and all other inputs."""
    if isinstance(inputs, Inputs):
        return [], inputs
    annotated = [name for name in inputs if _is_annotated(name)]
    others = [name for name in inputs if name not in annotated]
    paths = [file.path for file in find_pages(annotated, ANNOTATION_SUFFIXES)] if annotated else []
    return paths, find_inputs(others).with_known_stdin()


def _is_annotated(name: str) -> bool:
    """Is it an .anno file, or a folder that holds some and no pages?"""
    path = Path(name)
    ending = ANNOTATION_SUFFIXES[0]
    return name.lower().endswith(ending) or (path.is_dir() and next(path.rglob(f"*{ending}"), None) is not None)


def _pages(reporter: Reporter, annotated: Sequence[str], inputs: Inputs) -> Iterator[ReportedPage]:
    for path in annotated:
        yield reporter.of_annotation(read(path), path)
    for page in inputs.pages():
        if isinstance(page, VictorError):
            raise page
        yield reporter.of_raw(page if isinstance(page, RawPage) else read_page(page))
