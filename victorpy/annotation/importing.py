"""Make annotated pages from pages and their clean texts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.alignment import Projection, project
from victorpy.annotation.anno_files import Annotation, annotation_of, write
from victorpy.annotation.gold_texts import GOLD_FORMATS, likely_format, url_line
from victorpy.annotation.text_scores import NOTHING, Score
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.processes import Crash, mapped
from victorpy.page.markup import STANDARD, Markup
from victorpy.page.segment import segment
from victorpy.sources import Location, find_pages
from victorpy.sources.decoded_pages import decoded_page

_GOLD_SUFFIXES = (".txt", ".md", ".markdown", ".cleaneval")


class Pair(NamedTuple):
    """A page, and the file of its clean text."""

    page: Location
    gold: Path


class Imported(NamedTuple):
    """How well the labels print the clean text, and the text that is in no block.

    With `is_unwritable`, the problem is that of the .anno file.
    """

    id: str
    score: Score
    missing: Sequence[str]
    is_written: bool = True
    problem: str = ""
    is_unwritable: bool = False


def pairs(pages: str, gold: str) -> list[Pair]:
    """A page and its gold text, or all pairs of two folders by name; each page needs a gold text."""
    found = find_pages([pages])
    if Path(gold).is_file() and len(found) == 1:
        return [Pair(found[0], Path(gold))]
    if not Path(gold).exists():
        raise UsageError("no such file or folder", gold)
    if not Path(gold).is_dir():
        raise UsageError("expected a folder of gold texts for several pages", gold)
    by_id = {_id(path, Path(gold)): path for path in sorted(Path(gold).rglob("*")) if path.suffix in _GOLD_SUFFIXES}
    without = [page.id for page in found if page.id not in by_id]
    if without:
        raise UsageError(f"no gold text for {len(without)} of {len(found)} pages, such as {without[0]}", gold)
    return [Pair(page, by_id[page.id]) for page in found]


def _id(path: Path, folder: Path) -> str:
    return path.relative_to(folder).with_suffix("").as_posix()


@dataclass(frozen=True)
class Import:
    """Options of an import: an empty `gold_format` is guessed, pages below `least_score` are not written."""

    output: str
    markup: Markup = STANDARD
    gold_format: str = ""
    annotator: str = "import"
    least_score: float = 0.0

    def target(self, pair: Pair) -> Path:
        is_file = self.output.endswith(".anno")
        return Path(self.output) if is_file else Path(self.output, f"{pair.page.id}.anno")


def import_all(pairs: Sequence[Pair], job: Import, jobs: int = 1) -> Iterator[Imported]:
    """Write an .anno file for each pair, and yield its scores, in order."""
    for pair, result in mapped(partial(_imported, job), pairs, jobs):
        yield _failed(pair, result.reason) if isinstance(result, Crash) else result


def _failed(pair: Pair, problem: str) -> Imported:
    return Imported(pair.page.id, NOTHING, [], is_written=False, problem=problem)


def _imported(job: Import, pair: Pair) -> Imported:
    found = decoded_page(pair.page)
    if found.html is None:
        return _failed(pair, found.problem)
    try:
        projected, annotation = projection_of(found.html, read_text(pair.gold), pair, job)
    except VictorError as error:
        return _failed(pair, str(error))
    is_written = 100 * projected.score.f1 >= job.least_score
    try:
        if is_written:
            write(annotation, job.target(pair))
        else:
            job.target(pair).unlink(missing_ok=True)  # written by an earlier run
    except VictorError as error:
        return _failed(pair, str(error))._replace(is_unwritable=True)
    return Imported(pair.page.id, projected.score, projected.missing, is_written, found.problem)


def projection_of(html: str, gold: str, pair: Pair, job: Import) -> tuple[Projection, Annotation]:
    """The labels of a page by its clean text, which may also hold the url."""
    kind = job.gold_format or likely_format(gold, pair.gold.name)
    page = segment(html, pair.page.id, url_line(gold), job.markup)
    projected = project(page, GOLD_FORMATS[kind](gold))
    return projected, annotation_of(page, html, projected.labels, job.annotator)
