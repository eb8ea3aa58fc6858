"""What is known of a page beside its text."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

Value = str | tuple[str, ...] | None


# Without slots, because it is pickled with every outcome: a class with slots takes twice the time.
@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Facts about a page.

    Every output takes its fields from this record. To add a fact, add a field here and set it where the fact is found:
    tests of outputs name each output that leaves it out.
    """

    url: str | None = None
    title: str = ""
    language: str | None = None

    def values(self) -> dict[str, Value]:
        """All fields by name."""
        return {name: getattr(self, name) for name in FIELD_NAMES}

    def known(self) -> dict[str, str]:
        """The fields that have a value, as text; a list is joined by commas."""
        return {name: _as_text(value) for name, value in self.values().items() if value}


FIELD_NAMES = tuple(field.name for field in fields(Metadata))

# The fields that hold several values.
LISTS = frozenset(field.name for field in fields(Metadata) if field.type == tuple[str, ...])


def metadata_of(record: Mapping[str, Any]) -> Metadata:
    """The metadata in a JSON record of a page."""
    found = {name: record[name] for name in FIELD_NAMES if record.get(name) is not None}
    fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    return Metadata(**fields)


def _as_text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else value or ""
