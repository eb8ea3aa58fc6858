"""Everything that is known of a page, for programs."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, cached_property
from json import dumps
from typing import Any

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.long_texts import joined
from victorpy.page.blocks import Label, Page
from victorpy.page.metadata import metadata_of
from victorpy.page.passages import Passage
from victorpy.page.segment import segment


def json(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    """One object over many lines, with a line for each block, passage and part of the outline."""
    return joined(_pieces(cleaned, options))


def _pieces(cleaned: Cleaned, options: FormatOptions) -> Iterator[str]:
    for number, (name, value) in enumerate(cleaned.entries(options)):
        yield f'{"," if number else "{"}\n "{name}": '
        parts = cleaned.outline_parts(has_lines=True) if name == "outline" else None
        yield from parts or _over_lines(value)
    yield "\n}\n"


# Within texts the quotes are escaped.
_CHANCE = re.compile(r'"(?:confidence|probability)": ?[-+.0-9e]+')


def without_chances(printed: str) -> str:
    """A printed object without its probabilities, whose last digits may depend on versions of libraries."""
    return _CHANCE.sub("", printed)


def _over_lines(value: Any) -> Iterator[str]:
    parts = iter(value) if isinstance(value, (list, Iterator)) else iter(())
    first = next(parts, None)
    if isinstance(first, dict):
        yield f"[\n  {dumps(first, ensure_ascii=False)}"
        yield from (f",\n  {dumps(part, ensure_ascii=False)}" for part in parts)
        yield "\n ]"
    else:
        yield dumps([] if isinstance(value, Iterator) else value, ensure_ascii=False)


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
