"""When a host may be asked again."""

import threading
import time


class HostTurns:
    """Reserves a time for each request, so that requests to one host keep their distance."""

    def __init__(self) -> None:
        self._next: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait(self, host: str, delay: float) -> None:
        """Wait for the turn of this request; the next one comes after the delay at the earliest."""
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next.get(host, now))
            self._next[host] = start + delay
        if start > now:
            time.sleep(start - now)

    def seconds_until(self, host: str) -> float:
        with self._lock:
            return max(0.0, self._next.get(host, 0.0) - time.monotonic())
