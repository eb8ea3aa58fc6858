"""Everything that is known of a page, for programs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache, cached_property
from json import dumps
from typing import Any

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.page.blocks import Label, Page
from victorpy.page.metadata import metadata_of
from victorpy.page.passages import Passage
from victorpy.page.segment import segment


def json(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    """One object over many lines, with a line for each block, passage and part of the outline."""
    entries = (f' "{name}": {_over_lines(value)}' for name, value in cleaned.to_dict(options).items())
    return "{\n" + ",\n".join(entries) + "\n}\n"


# Within texts the quotes are escaped.
_CHANCE = re.compile(r'"(?:confidence|probability)": ?[-+.0-9e]+')


def without_chances(printed: str) -> str:
    """A printed object without its probabilities, whose last digits may depend on versions of libraries."""
    return _CHANCE.sub("", printed)


def _over_lines(value: Any) -> str:
    if not (isinstance(value, list) and value and isinstance(value[0], dict)):
        return dumps(value, ensure_ascii=False)
    lines = ",\n  ".join(dumps(item, ensure_ascii=False) for item in value)
    return f"[\n  {lines}\n ]"


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
