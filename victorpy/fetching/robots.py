"""What robots.txt allows (RFC 9309)."""

import threading
import time
from collections.abc import Callable
from typing import Any

from victorpy.fetching.fetch_errors import FetchError
from victorpy.fetching.web_targets import WebTarget

# More of the file is not read.
MAX_BYTES = 512_000

# A host that does not answer is not asked again for so many seconds.
_FAILURE_LASTS = 300.0


class RobotsRules:
    """The rules of every host, each asked once."""

    def __init__(self, ask: Callable[[WebTarget], str], robot: str):
        self._ask, self._robot = ask, robot
        self._known: dict[str, Any] = {}
        self._failures: dict[str, tuple[float, FetchError]] = {}
        self._locks: dict[str, threading.Lock] = {}

    def check(self, target: WebTarget) -> float:
        """The seconds between requests that the host asks for; raises a FetchError if the page is forbidden."""
        with self._locks.setdefault(target.origin, threading.Lock()):
            rules = self._rules(target)
        if not rules.can_fetch(target.url, self._robot):
            raise FetchError("robots", f"robots.txt of {target.host} forbids it (--ignore-robots fetches it)")
        return float(rules.crawl_delay(self._robot) or 0.0)

    def _rules(self, target: WebTarget) -> Any:
        origin = target.origin
        if origin not in self._known:
            at, failure = self._failures.get(origin, (0.0, None))
            if failure and time.monotonic() - at < _FAILURE_LASTS:
                raise FetchError(failure.failure, str(failure))
            self._known[origin] = self._asked(target)
        return self._known[origin]

    def _asked(self, target: WebTarget) -> Any:
        from protego import Protego  # noqa: PLC0415

        try:
            return Protego.parse(self._ask(target._replace(resource="/robots.txt")))
        except FetchError as error:
            self._failures[target.origin] = time.monotonic(), error
            raise FetchError(error.failure, str(error)) from error
