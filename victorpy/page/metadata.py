"""What is known of a page beside its text."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from victorpy import _core

Value = str | tuple[str, ...] | None


# Without slots, because it is pickled with every outcome: a class with slots takes twice the time.
@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Facts about a page. A fact that was not found is None or empty.

    `language` is detected in the text, by a filter. `declared_language` is the one that the page names. `html_title` is
    the text of `<title>`, and `title` is the title without the name of the site and the like. Dates are in ISO 8601.
    `evidence` names the place where each fact was found.

    Every output takes its fields from this record. To add a fact, add a field here and set it where the fact is found:
    tests of outputs name each output that leaves it out.
    """

    url: str | None = None
    title: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None
    date_modified: str | None = None
    site_name: str | None = None
    description: str | None = None
    declared_language: str | None = None
    canonical_url: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    section: str | None = None
    licence: str | None = None
    page_type: str | None = None
    cms: str | None = None
    html_title: str = ""
    evidence: Mapping[str, str] = field(default_factory=dict, hash=False)

    def values(self) -> dict[str, Value]:
        """All fields by name, without the evidence."""
        return {name: getattr(self, name) for name in FIELD_NAMES}

    def known(self) -> dict[str, str]:
        """The fields that have a value, as text; a list is joined by commas."""
        return {name: as_text(value) for name, value in self.values().items() if value}


FIELD_NAMES = tuple(field.name for field in fields(Metadata) if field.name != "evidence")

# The fields that hold several values.
LISTS = frozenset(field.name for field in fields(Metadata) if field.type == tuple[str, ...])


def with_found(metadata: Metadata, core: _core.Document, fields: bytes = b"") -> Metadata:
    """The metadata with everything that the page says about itself. Facts that have evidence stay.

    `fields` are the codes of the fields that a model has found: see `Document.metadata` of the core.
    """
    # The address may hold half characters, which UTF-8 does not have.
    found = core.metadata((metadata.url or "").encode("utf-8", "replace").decode(), fields)
    if not found:
        return metadata
    known = metadata.evidence
    values: Any = {
        name: tuple(values) if name in LISTS else values[0] for name, values, _ in found if name not in known
    }
    return replace(metadata, **values, evidence={name: evidence for name, _, evidence in found} | {**known})


def metadata_of(record: Mapping[str, Any]) -> Metadata:
    """The metadata in a JSON record of a page."""
    found = {name: record[name] for name in (*FIELD_NAMES, "evidence") if record.get(name)}
    fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    # Records of the version before hold the text of <title> as the title.
    return Metadata(**{"html_title": record.get("title") or "", **fields})


def as_text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, tuple) else value or ""
