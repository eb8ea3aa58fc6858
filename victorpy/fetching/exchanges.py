"""One request and its answer."""

import logging
import socket
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException

from urllib3.connection import HTTPConnection
from urllib3.exceptions import HTTPError
from urllib3.response import HTTPResponse

from victorpy.fetching.connected_sockets import Cut, connected
from victorpy.fetching.fetch_errors import FetchError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.proxies import Proxy, proxy_for
from victorpy.fetching.web_targets import WebTarget

# It warns of odd headers, which are no concern of the user.
logging.getLogger("urllib3.connection").setLevel(logging.ERROR)

_PIECE = 1 << 14
_ACCEPTED = "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5,*/*;q=0.1"

# Which bodies to read: by the status and the fields.
Wanted = Callable[[int, Mapping[str, str]], bool]


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """What was sent and what was answered. The body is without chunks, but packed as the server packed it.

    `is_read` says that the body was read, and `problem` why a part of it is missing. `fields` has the names in lower
    case, and `headers` all of them as they were sent. `record` is the id of the answer in the archive, if there is one.
    """

    target: WebTarget
    sent: bytes
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    is_read: bool
    problem: str
    is_too_large: bool
    host_address: str
    date: str
    record: str = ""
    is_cached: bool = False

    @property
    def fields(self) -> dict[str, str]:
        """Of fields that were sent twice, the first one."""
        return {name.lower(): value for name, value in reversed(self.headers)}


def exchange(
    target: WebTarget, settings: FetchSettings, seconds: float, wanted: Wanted, conditions: Mapping[str, str] = {}
) -> Exchange:
    """Asks for a page once, without following redirects."""
    cut, date = Cut(seconds), datetime.now(UTC)
    asked = {**_asked(target, settings), **conditions}
    # The addresses of a proxy are none that the guard could check.
    proxy = None if settings.forbid_private else proxy_for(target)
    with connected(target, cut, proxy, forbid_private=settings.forbid_private) as (connection, number):
        response = _response(connection, target, asked, cut, proxy)
        is_read = wanted(response.status, _lower(response))
        body, problem = _body(response, cut, settings.max_bytes) if is_read else (b"", "")
        return Exchange(
            target=target,
            sent=_sent(target, asked),
            status=response.status,
            reason=response.reason or "",
            headers=tuple(response.headers.iteritems()),
            body=body[: settings.max_bytes + 1],
            is_read=is_read,
            problem=problem,
            is_too_large=len(body) > settings.max_bytes,
            host_address=number,
            date=date.strftime("%Y-%m-%dT%H:%M:%SZ"),
        )


def _asked(target: WebTarget, settings: FetchSettings) -> dict[str, str]:
    """The fields of a request."""
    fields = {
        "Host": target.host_part,
        "User-Agent": settings.user_agent.strip(),
        "Accept": _ACCEPTED,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    if target.user:
        fields["Authorization"] = f"Basic {b64encode(target.user.encode()).decode()}"
    return fields


def _sent(target: WebTarget, asked: Mapping[str, str]) -> bytes:
    """The request as it is kept: without the password."""
    lines = [f"{name}: {value}" for name, value in asked.items() if name != "Authorization"]
    return "\r\n".join([f"GET {target.resource} HTTP/1.1", *lines, "", ""]).encode("latin-1", "replace")


def _response(
    connection: socket.socket, target: WebTarget, asked: Mapping[str, str], cut: Cut, proxy: Proxy | None
) -> HTTPResponse:
    http = HTTPConnection(target.host, target.port, timeout=cut.left)
    http.sock = connection  # it is connected to the address that was checked
    resource, fields = target.resource, dict(asked)
    if proxy and target.scheme == "http":
        resource = target.url
        fields |= {"Proxy-Authorization": proxy.authorization} if proxy.authorization else {}
    try:
        http.request(
            "GET", resource, None, fields, preload_content=False, decode_content=False, enforce_content_length=False
        )
        response = http.getresponse()
    except (OSError, HTTPException, HTTPError, ValueError) as error:
        raise _no_answer(target, error, cut) from error
    if cut.is_over:  # which ends the header early
        raise _late(target, cut)
    return response


def _no_answer(target: WebTarget, error: Exception, cut: Cut) -> FetchError:
    if cut.is_over or isinstance(error, TimeoutError):
        return _late(target, cut)
    if isinstance(error, ConnectionError):
        return FetchError("connection", f"{target.host} closed the connection without an answer", 0.0)
    return FetchError("connection", f"the answer of {target.host} is not HTTP: {error}", 0.0)


def _late(target: WebTarget, cut: Cut) -> FetchError:
    return FetchError("timeout", f"no answer from {target.host} within {cut.seconds:g} s", 0.0)


def _lower(response: HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.headers.items()}


def _body(response: HTTPResponse, cut: Cut, max_bytes: int) -> tuple[bytes, str]:
    """The body up to a little more than the limit, and why it is not whole."""
    body, problem = bytearray(), ""
    try:
        for piece in response.stream(_PIECE, decode_content=False):
            body += piece
            if len(body) > max_bytes:
                return bytes(body), ""
    except (OSError, HTTPException, HTTPError, ValueError):
        problem = "the connection broke off"
    if cut.is_over:
        problem = f"not all was sent within {cut.seconds:g} s"
    elif _is_short(response, len(body)):
        problem = "the connection broke off"
    return bytes(body), problem and f"{problem}: only {len(body):,} bytes are there"


def _is_short(response: HTTPResponse, size: int) -> bool:
    length = response.headers.get("content-length", "")
    return length.isascii() and length.isdigit() and size < int(length) and not response.chunked
