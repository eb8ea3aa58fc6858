"""Where the work of a run is done."""

from typing import NamedTuple


class Place(NamedTuple):
    """In so many processes here, or by the workers of a scheduler."""

    jobs: int = 1
    scheduler: str | None = None
