"""What child processes do with the pages that are labeled: nothing of a page is parsed in the server itself."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from victorpy.annotator.alike_blocks import AlikeBlocks, alike, alike_blocks, alike_there
from victorpy.annotator.block_lines import look_of
from victorpy.annotator.block_source import source_of
from victorpy.annotator.page_loading import LoadedPage, load_page
from victorpy.annotator.suggestions import suggestions
from victorpy.errors import VictorError
from victorpy.models import model_folder
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import containers
from victorpy.page.markup import Markup
from victorpy.page.safe_copies import marked_html, safe_copy
from victorpy.page.segment import segment


class OpenedTexts(NamedTuple):
    """What the server keeps of an open page: its texts, and what stands before each in the list."""

    id: str
    url: str | None
    title: str
    markup: Markup
    texts: Sequence[str]
    leads: Sequence[str]


class PageSource(NamedTuple):
    """A page as a child gets it."""

    html: str
    id: str
    url: str | None
    markup: Markup

    def page(self) -> Page:
        return segment(self.html, self.id, self.url, self.markup)


class RefusedWork(NamedTuple):
    """The message of an error that the user can fix."""

    message: str


def result_of(work: Callable[[], Any]) -> Any:
    """The function of the child processes."""
    try:
        return work()
    except VictorError as error:
        return RefusedWork(str(error))


def warm_up() -> None:
    """Load what every page needs, before the first one comes."""
    page = segment("<p>One", "warm-up")
    look_of(page, 0)


def loaded_texts(source: Path | None, anno: Path, markup: Markup, annotator: str) -> LoadedPage[OpenedTexts]:
    found = load_page(source, anno, markup, annotator)
    page = found.page
    leads = [look_of(page, block).lead for block in range(len(page))]
    opened = OpenedTexts(page.id, page.url, page.title, page.markup, page.texts, leads)
    return LoadedPage(opened, *found[1:])


def suggested(source: PageSource, name: str, digest: str) -> list[tuple[str, float]]:
    """The label that the model suggests for each block, with its probability."""
    found = suggestions(_model(name, digest), source.page())
    return [(suggestion.label.value, round(suggestion.probability, 4)) for suggestion in found]


# The digest tells a model that was trained anew from its predecessor.
@lru_cache(maxsize=2)
def _model(name: str, _: str) -> Model:
    return model_folder.load(name)


def framed(source: PageSource, style: str) -> str:
    """The page as it looks, with its blocks marked."""
    return safe_copy(marked_html(source.page()), style)


def source_and_path(source: PageSource, block: int) -> dict[str, str]:
    """The HTML of a block, and the tags around it."""
    page = source.page()
    path = " › ".join(containers(page.elements, int(page.element[block])))
    return {"source": source_of(page, source.html, block), "path": path}


def alike_here(source: PageSource, block: int, label: Label) -> tuple[AlikeBlocks, list[int]]:
    """What the blocks alike have in common, and those of this page."""
    page = source.page()
    wanted = alike_blocks(page, source.html, block, label)
    return wanted, alike(page, wanted.path)


def alike_elsewhere(source: PageSource, wanted: AlikeBlocks) -> list[int]:
    return alike_there(source.page(), source.html, wanted)
