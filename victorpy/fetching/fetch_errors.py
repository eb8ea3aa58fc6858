"""Why a request failed. These errors end inside the room: callers get a Fetched with the failure."""

from victorpy.fetching.fetched import Failure


class FetchError(Exception):
    """A failure and what to tell the user. `waits` are seconds until another attempt; None if it would not help."""

    def __init__(self, failure: Failure, message: str, waits: float | None = None, status: int | None = None):
        super().__init__(message)
        self.failure, self.waits, self.status = failure, waits, status
