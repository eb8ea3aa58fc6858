"""The object of the json format on one line, so that pages can follow one another."""

from collections.abc import Iterator
from itertools import islice
from json import JSONEncoder
from typing import Any

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.long_texts import joined

_encoded = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# One call of the encoder for each part would take longer than the rest.
_MANY = 100


def jsonl(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    return joined(_pieces(cleaned, options))


def _pieces(cleaned: Cleaned, options: FormatOptions) -> Iterator[str]:
    for number, (name, value) in enumerate(cleaned.entries(options)):
        yield f'{"," if number else "{"}"{name}":'
        parts = cleaned.outline_parts(has_lines=False) if name == "outline" else None
        yield from parts or (_list(value) if isinstance(value, Iterator) else [_encoded(value)])
    yield "}\n"


def _list(parts: Iterator[Any]) -> Iterator[str]:
    comma = ""
    yield "["
    while some := list(islice(parts, _MANY)):
        yield comma + _encoded(some)[1:-1]
        comma = ","
    yield "]"
