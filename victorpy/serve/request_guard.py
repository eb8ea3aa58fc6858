"""Refuses requests that a browser sends for another site, and those without the token.

A page of another site can make a browser send requests here, and by DNS rebinding even read the answers. So the name in
`Host` must be ours, and what a script or a form sends must come from a page of ours.
"""

import hmac
import ipaddress
import socket
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from victorpy.serve.json_answers import JsonAnswer
from victorpy.serve.server_settings import LOOPBACK, ServerSettings

COOKIE = "victor-token"
# Monitors ask for it without a token.
OPEN_PATHS = frozenset({"/health"})
_READING = frozenset({"GET", "HEAD"})
_POLICY = (
    # Inline styles are those of the pages in frames, which inherit the policy; the app has none of its own.
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


class Refusal(NamedTuple):
    """The status and the reason of a request that is refused."""

    status: int
    reason: str


class RequestGuard:
    """Checks each request before the application sees it, and adds headers to each answer."""

    def __init__(self, application: ASGIApp, settings: ServerSettings):
        self.application, self.settings = application, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.application(scope, receive, send)
            return
        refusal = refusal_of(scope, self.settings)
        if scope["type"] == "websocket":
            # No view has a WebSocket, so every one is refused, before it is accepted. Our server sends none here.
            await send({"type": "websocket.close", "code": 1008})
        elif refusal:
            await _refused(refusal)(scope, receive, _with_headers(scope, send))
        elif answer := _login(scope, self.settings):
            await answer(scope, receive, _with_headers(scope, send))
        else:
            await self.application(scope, receive, _with_headers(scope, send))


def refusal_of(scope: Scope, settings: ServerSettings) -> Refusal | None:
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if not is_our_name(_name_of(host), settings):
        return Refusal(421, f"the server has no name {host!r}; start it with --name, if it has")
    if scope.get("method") not in _READING and not _is_from_us(headers, host):
        return Refusal(403, "the request comes from a page of another site")
    if "websocket" in headers.get("upgrade", "").lower():
        return Refusal(403, "there are no WebSockets here")
    if settings.token and scope["path"] not in OPEN_PATHS and not _has_token(scope, headers, settings.token):
        return Refusal(401, "a token is needed: open the address that victor serve has printed, or send it as Bearer")
    return None


def _name_of(host: str) -> str:
    """The name in `Host` without its port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_our_name(name: str, settings: ServerSettings) -> bool:
    """May a browser reach this server under this name? No name of another site can stand for a numeric address."""
    if name in LOOPBACK or name in {settings.host, *settings.names}:
        return True
    return not settings.is_local and (name == socket.gethostname().lower() or _is_numeric(name))


def _is_numeric(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_from_us(headers: Mapping[str, str], host: str) -> bool:
    """Is the page that sends this one of ours? Programs that are no browsers say nothing of a page."""
    origin = headers.get("origin")
    if origin is not None and origin not in {f"http://{host}", f"https://{host}"}:
        return False
    return headers.get("sec-fetch-site", "same-origin") in {"same-origin", "none"}


def _has_token(scope: Scope, headers: Mapping[str, str], token: str) -> bool:
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    given = [bearer.strip() if scheme.lower() == "bearer" else "", _cookie(headers.get("cookie", ""))]
    if scope["method"] in _READING:
        given.append(_token_in_address(scope))
    return any(hmac.compare_digest(one.encode(), token.encode()) for one in given)


def _cookie(cookies: str) -> str:
    try:
        found = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _token_in_address(scope: Scope) -> str:
    return QueryParams(scope.get("query_string", b"")).get("token", "")


def _login(scope: Scope, settings: ServerSettings) -> Response | None:
    """Moves the token from the address, which others may see, into a cookie."""
    if not settings.token or not _token_in_address(scope):
        return None
    answer = RedirectResponse(scope["path"], 303)
    answer.set_cookie(COOKIE, settings.token, httponly=True, samesite="strict")
    return answer


def _refused(refusal: Refusal) -> Response:
    return JsonAnswer({"error": refusal.reason}, refusal.status)


def _with_headers(scope: Scope, send: Send) -> Send:
    metrics = scope["app"].state.service.metrics

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            metrics.requests[message["status"]] += 1
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
