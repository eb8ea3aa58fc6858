"""Fields of blocks as the core numbers them: what a network takes a block for besides its label."""

from collections.abc import Iterable

from victorpy import _core
from victorpy.page.blocks import Label

_FIELDS: tuple[Label | None, ...] = (None, *map(Label, _core.FIELDS))
_CODES = {field: code for code, field in enumerate(_FIELDS)}


def fields_of(codes: bytes) -> list[Label | None] | None:
    """The field of each block by its code; None if a network has learned no fields."""
    return [_FIELDS[code] for code in codes] if codes else None


def codes_of(fields: Iterable[Label | None]) -> bytes:
    return bytes(_CODES[field] for field in fields)
