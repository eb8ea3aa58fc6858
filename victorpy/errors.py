"""Errors that the user can fix; the command line prints them without a traceback.

VictorError          a wrong or damaged file: exit status 1
├── UsageError       wrong usage, or a missing input: exit status 2
│   └── TakenError   another process works on the same shard (pipeline.runs.journal)
├── OptionError      a wrong option of a dataclass; the config reader adds file and line
├── DamageError      a damaged archive, while it is read (sources.archive_records)
├── StoreError       labels that cannot be saved (annotator.label_store)
└── NoSuchFeatureError   an unknown feature (features)
"""

from collections.abc import Iterable
from pathlib import Path


class VictorError(Exception):
    """Says where the error is, what was found and what to do."""

    def __init__(self, message: str, place: str | Path | None = None, line: int | None = None):
        where = "" if place is None else f"{place}: " if line is None else f"{place}:{line}: "
        super().__init__(where + message)
        self.place = None if place is None else str(place)
        self.line = line


class UsageError(VictorError):
    """Wrong usage, or a missing input: exit status 2 instead of 1."""


class OptionError(VictorError):
    """A wrong option: `names` lead to it through the sections, and `item` is the number of a list's item."""

    def __init__(self, message: str, *names: str, item: int | None = None):
        super().__init__(f"{'.'.join(names)}: {message}")
        self.message, self.names, self.item = message, names, item


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of an error message that names a similar name; empty if there is none."""
    from difflib import get_close_matches  # noqa: PLC0415 - most commands end without an error

    found = get_close_matches(name, list(known), 1)
    return f"; did you mean '{found[0]}'?" if found else ""
