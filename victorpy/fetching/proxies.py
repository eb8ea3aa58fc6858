"""Proxies, as the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY name them."""

import socket
from base64 import b64encode
from typing import NamedTuple
from urllib.parse import unquote
from urllib.request import getproxies, proxy_bypass

from victorpy.fetching.fetch_errors import FetchError
from victorpy.fetching.web_targets import WebTarget, target_of

_LONGEST_ANSWER = 1 << 16


class Proxy(NamedTuple):
    """Where a proxy is, and what proves that we may use it."""

    place: WebTarget
    authorization: str


def proxy_for(target: WebTarget) -> Proxy | None:
    named = getproxies().get(target.scheme)
    if not named or proxy_bypass(target.host):
        return None
    address = named if "://" in named else f"http://{named}"
    try:
        place = target_of(address)
    except FetchError as error:
        raise FetchError("connection", f"the proxy {named.rpartition('@')[2]} cannot be used: {error}") from error
    if place.scheme != "http":
        raise FetchError("connection", f"the proxy {place.origin} cannot be used: expected one with http://")
    coded = b64encode(unquote(place.user).encode()).decode()
    return Proxy(place._replace(user=""), f"Basic {coded}" if place.user else "")


def open_tunnel(connection: socket.socket, target: WebTarget, proxy: Proxy) -> None:
    """Asks a proxy to pass on whatever follows to the host."""
    host = f"[{target.host}]" if ":" in target.host else target.host
    lines = [f"CONNECT {host}:{target.port} HTTP/1.1", f"Host: {host}:{target.port}"]
    lines += [f"Proxy-Authorization: {proxy.authorization}"] if proxy.authorization else []
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    answer = b""
    # Byte by byte, because what follows belongs to the host.
    while not answer.endswith(b"\r\n\r\n") and len(answer) < _LONGEST_ANSWER and (piece := connection.recv(1)):
        answer += piece
    status = answer.partition(b"\r\n")[0].decode("latin-1")
    if status.split(" ")[1:2] != ["200"]:
        raise FetchError("connection", f"the proxy {proxy.place.host_part} refuses: {status or 'no answer'}", 0.0)
