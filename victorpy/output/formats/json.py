"""Everything that is known of a page, for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, cached_property
from json import dumps
from typing import Any

from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Label, Page
from victorpy.page.metadata import metadata_of
from victorpy.page.passages import Passage
from victorpy.page.segment import segment


def json(cleaned: Cleaned) -> str:
    """One object over many lines."""
    return dumps(cleaned.to_dict(), ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True, eq=False, repr=False)
class _FromRecord(Cleaned):
    """A page that is known from its record: it has passages and no blocks."""

    _: KW_ONLY
    recorded: Sequence[Passage] = ()

    @cached_property
    def passages(self) -> list[Passage]:
        return list(self.recorded)


@cache
def _no_page() -> Page:
    return segment("", "")


def cleaned_of(record: Mapping[str, Any]) -> Cleaned:
    """The page of a record, for formats that print passages only."""
    page = replace(_no_page(), id=record["id"], metadata=metadata_of(record))
    recorded = [
        Passage(Label(passage["label"]), passage["text"], tuple(passage["blocks"])) for passage in record["passages"]
    ]
    return _FromRecord(page, [], recorded=recorded)
