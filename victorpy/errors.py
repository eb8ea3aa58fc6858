"""The one kind of trouble that is the user's to mend."""

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
