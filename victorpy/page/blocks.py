"""The page as a sequence of text blocks, and the labels that a block can have."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from victorpy import _core
from victorpy.page.markup import VOID, Markup
from victorpy.page.metadata import Metadata

# Labeling by a network needs no numpy, and importing numpy takes longer than cleaning a page.
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from victorpy.page.elements import Elements, Flags, Ints, Runs


class Label(StrEnum):
    """One of five labels, or a field of a post; `base` is the label of a field where fields are not used."""

    PARAGRAPH = "p"
    HEADER = "h"
    LIST = "l"
    CONTINUATION = "c"
    OTHER = "other"
    TITLE = "title"
    DATE = "date"
    AUTHOR = "author"
    COMMENT = "comment"

    @property
    def base(self) -> "Label":
        return _BASES.get(self, self)

    @property
    def is_content(self) -> bool:
        return self.base is not Label.OTHER


_BASES = {
    Label.TITLE: Label.HEADER,
    Label.DATE: Label.OTHER,
    Label.AUTHOR: Label.OTHER,
    Label.COMMENT: Label.PARAGRAPH,
}

FIELDS = tuple(_BASES)

LABELS = tuple(label for label in Label if label not in FIELDS)


class Block(NamedTuple):
    """A run of text between tags; each block gets a label."""

    id: int
    text: str
    containers: tuple[str, ...]
    distance: tuple[str, ...]
    div_group: int
    td_group: int
    line: int
    is_spaced: bool


class SiteCounts(NamedTuple):
    """The number of other known pages of the site, and in how many of them each block occurs.

    `texts` compares blocks by their text alone, `paths` by text and tags.
    """

    pages: int
    texts: "Ints"
    paths: "Ints"


Value = TypeVar("Value")


@dataclass(frozen=True, eq=False, repr=False)
class Page:
    """One document: its blocks as columns, and the elements around them.

    The core holds the data. Arrays are made when they are first used. `metadata` has only what is known without a
    search: the address, the text of `<title>` and the language that a filter has detected.
    """

    id: str
    metadata: Metadata
    markup: Markup
    core: _core.Document
    site_counts: SiteCounts | None = None
    derived: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.core)

    def __repr__(self) -> str:
        return f"<Page {self.id or self.url or ''!r}: {len(self)} blocks>"

    def __reduce__(self) -> tuple[Any, ...]:
        """A page is pickled as its source."""
        facts = {"metadata": self.metadata, "site_counts": self.site_counts}
        return _cut_again, (self.core.source, self.id, self.url, self.markup, facts)

    @property
    def url(self) -> str | None:
        return self.metadata.url

    @property
    def title(self) -> str:
        return self.metadata.html_title

    def _column(self, name: str, kind: str) -> "NDArray[Any]":
        import numpy as np  # noqa: PLC0415

        return np.frombuffer(self.core.column(name), kind)

    @cached_property
    def elements(self) -> "Elements":
        from victorpy.page.elements import Elements  # noqa: PLC0415

        return Elements(
            tags=self.core.tags(),
            codes=self._column("codes", "i2"),
            parents=self._column("parents", "i4"),
            depths=self._column("depths", "i4"),
            ends=self._column("ends", "i4"),
            lines=self._column("lines", "i4"),
            roles=self._column("roles", "i1"),
        )

    @cached_property
    def runs(self) -> "Runs":
        from victorpy.page.elements import Runs  # noqa: PLC0415

        return Runs(*(self._column(f"run.{name}", "i4") for name in ("element", "place", "block", "start")))

    @cached_property
    def attributes(self) -> Mapping[str, Sequence[str | None]]:
        """The values of each attribute, by its name: one for each element."""
        return _Attributes(self.core)

    @cached_property
    def texts(self) -> list[str]:
        return self.core.texts()

    def each_text(self) -> Iterator[str]:
        """The texts one by one. They are not kept."""
        return map(self.core.text, range(len(self)))

    @cached_property
    def is_spaced(self) -> "Flags":
        return self._column("is-spaced", "?")

    @cached_property
    def is_new_line(self) -> "Flags":
        return self._column("is-new-line", "?")

    @cached_property
    def text(self) -> str:
        """The text of all blocks, one on each line."""
        return "\n".join(self.texts)

    @cached_property
    def lengths(self) -> "Ints":
        return self._column("lengths", "i4")

    @cached_property
    def starts(self) -> "Ints":
        """The offset in `text` where each block begins."""
        import numpy as np  # noqa: PLC0415

        starts = np.zeros(len(self), np.int32)
        np.cumsum(self.lengths[:-1] + 1, out=starts[1:])
        return starts

    @cached_property
    def first_runs(self) -> "Ints":
        return self._column("first-runs", "i4")

    @cached_property
    def last_runs(self) -> "Ints":
        import numpy as np  # noqa: PLC0415

        return np.append(self.first_runs, np.int32(len(self.runs.block)))[1:] - np.int32(1)

    @cached_property
    def element(self) -> "Ints":
        """For each block, the innermost element that holds all of it."""
        return self._column("element", "i4")

    @cached_property
    def blocks(self) -> list[Block]:
        """The blocks as records, for people and tools; labelers read the columns."""
        return [self.block(number) for number in range(len(self))]

    def block(self, number: int) -> Block:
        from victorpy.page.elements import containers  # noqa: PLC0415

        element = int(self.element[number])
        return Block(
            id=number,
            text=self.texts[number],
            containers=containers(self.elements, element),
            distance=self.distance(number),
            div_group=int(nearest(self, "div")[self.element[number]]),
            td_group=int(nearest(self, "td")[self.element[number]]),
            line=int(self.elements.lines[element]),
            is_spaced=bool(self.is_spaced[number]),
        )

    def distance(self, number: int) -> tuple[str, ...]:
        """The tags since the previous block: `x` for an opening tag, `/x` for a closing one."""
        from victorpy.page.elements import tag_events  # noqa: PLC0415

        since = self.runs.place[self.last_runs[number - 1]] if number else 0
        events = tag_events(self.elements)[since : self.runs.place[self.first_runs[number]]]
        names = ((self.elements.tags[abs(event) - 1], event < 0) for event in events.tolist())
        return tuple("/" * is_closing + tag for tag, is_closing in names if not (is_closing and tag in VOID))


class _Attributes(dict[str, Sequence[str | None]]):
    """Reads attributes from the core on demand."""

    def __init__(self, core: _core.Document):
        super().__init__()
        self._core = core

    def __missing__(self, name: str) -> Sequence[str | None]:
        self[name] = values = self._core.attributes(name)
        return values


def _cut_again(source: str, id: str, url: str | None, markup: Markup, facts: Mapping[str, Any]) -> Page:
    core = _core.of_utf8(source.encode("utf-8", "replace"), markup.core)
    return replace(page_of(core, id, url, markup), **facts)


def page_of(core: _core.Document, id: str, url: str | None, markup: Markup, *, is_xml: bool = False) -> Page:
    """The page of a document; another parser reads the document again if the markup asks for it."""
    if markup.parser != "html5" or is_xml:
        # Imported on demand: the standard parser needs no lxml.
        from victorpy.page.xml import document, well_formed_document  # noqa: PLC0415

        core = document(core, markup) if markup.parser != "html5" else well_formed_document(core, markup)
    return Page(id, Metadata(url=url or core.url or None, html_title=core.title), markup, core)


def once_per_page(function: Callable[..., Value]) -> Callable[..., Value]:
    """Cache on the page the results of a function of the page and of hashable details."""

    @wraps(function)
    def value(page: Page, *details: Any) -> Value:
        key = (function, details) if details else function
        known = page.derived.get(key, page)
        if known is page:
            _core.check_deadline()
            known = page.derived[key] = function(page, *details)
        return known  # type: ignore[no-any-return]

    return value


@once_per_page
def nearest(page: Page, tag: str) -> "Ints":
    """For each element, the nearest one of this tag among itself and its ancestors; the root if there is none."""
    from victorpy.page.elements import nearest_marked  # noqa: PLC0415

    return nearest_marked(page.elements, page.elements.codes == page.markup.codes[tag])
