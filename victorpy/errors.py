"""The one kind of trouble that is the user's to mend."""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path


class VictorError(Exception):
    """Says where the trouble is, what was found and what would do; shown without a traceback."""

    def __init__(self, message: str, place: str | Path | None = None, line: int | None = None):
        where = "" if place is None else f"{place}: " if line is None else f"{place}:{line}: "
        super().__init__(where + message)
        self.place = None if place is None else str(place)
        self.line = line


class UsageError(VictorError):
    """Wrong usage, or an input that is not there: exit status 2 instead of 1."""


class MisfitError(VictorError):
    """What does not do in a config: the names that lead to an option, and of a list's the number of the item."""

    def __init__(self, message: str, *names: str, item: int | None = None):
        super().__init__(f"{'.'.join(names)}: {message}")
        self.message, self.names, self.item = message, names, item


def suggestion(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a message; empty where nothing is near."""
    found = get_close_matches(name, list(known), 1)
    return f"; did you mean '{found[0]}'?" if found else ""
