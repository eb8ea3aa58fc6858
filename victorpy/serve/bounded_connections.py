"""Connections that cannot be held open for nothing: the protocol of uvicorn with two more bounds."""

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_FULL = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedConnection(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """One that has not sent the head of a request in time is closed, as one too many is."""

    most: ClassVar[int] = 2_000
    seconds: ClassVar[float] = 10.0
    clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self.most:
            transport.write(_FULL)
            transport.close()
        else:
            self._wind()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_at_work():
            self._stop()
        elif not self.clock:
            self._wind()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _is_at_work(self) -> bool:
        """Has a request begun that is not answered yet?"""
        return self.cycle is not None and not self.cycle.response_complete

    def _wind(self) -> None:
        self.clock = self.loop.call_later(self.seconds, self._end)

    def _stop(self) -> None:
        if self.clock:
            self.clock.cancel()
        self.clock = None

    def _end(self) -> None:
        self.clock = None
        if not self._is_at_work() and not self.transport.is_closing():
            self.transport.write(_SLOW)
            self.transport.close()


def bounded_protocol(most: int, seconds: float) -> Any:
    """The class of connections with these bounds."""
    return type("BoundedConnection", (BoundedConnection,), {"most": most, "seconds": seconds})
