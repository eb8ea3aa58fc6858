"""Sockets that are connected to a host: to one of the addresses that were checked, and to no other."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

from victorpy.fetching.fetch_errors import FetchError
from victorpy.fetching.host_addresses import HostAddress, addresses_of
from victorpy.fetching.proxies import Proxy, open_tunnel
from victorpy.fetching.web_targets import WebTarget


class Cut:
    """Ends a connection when its time is over, whatever it waits for."""

    def __init__(self, seconds: float):
        self.seconds, self.is_over = seconds, False
        self._end = time.monotonic() + seconds
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """The seconds that are left; never 0, which would mean a socket that does not wait."""
        return max(0.001, self._end - time.monotonic())

    @contextmanager
    def watching(self, connected: socket.socket) -> Iterator[None]:
        # A copy, because TLS takes the socket itself away.
        self._socket = connected.dup()
        timer = threading.Timer(self.left, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:
                self._socket.close()
            timer.join()

    def _cut(self) -> None:
        with self._lock, suppress(OSError):
            self.is_over = True
            if self._socket:
                self._socket.shutdown(socket.SHUT_RDWR)


@contextmanager
def connected(
    target: WebTarget, cut: Cut, proxy: Proxy | None = None, *, forbid_private: bool = False
) -> Iterator[tuple[socket.socket, str]]:
    """A socket to the host of a page, with TLS if its scheme asks for it, and the network address of the host."""
    place = proxy.place if proxy else target
    found = addresses_of(place.host, place.port, cut.left, forbid_private=forbid_private)
    plain, number = _connected_to(found, place.host, cut)
    with cut.watching(plain):
        if proxy and target.scheme == "https":
            _begin_tunnel(plain, target, proxy)
        used = _with_tls(plain, target, cut) if target.scheme == "https" else plain
        try:
            yield used, "" if proxy else number
        finally:
            used.close()


def _connected_to(found: list[HostAddress], host: str, cut: Cut) -> tuple[socket.socket, str]:
    """Tries one address after another; each may take its share of the time."""
    problem: OSError = OSError("it has no address")
    for tried, address in enumerate(found):
        try:
            return _connection(address, cut.left / (len(found) - tried)), str(address.place[0])
        except OSError as error:
            problem = error
    if isinstance(problem, TimeoutError):
        raise FetchError("timeout", f"no connection to {host} within {cut.seconds:g} s", 0.0)
    raise FetchError("connection", f"no connection to {host}: {problem.strerror or problem}", 0.0)


def _connection(address: HostAddress, seconds: float) -> socket.socket:
    connection = socket.socket(address.family, socket.SOCK_STREAM)
    try:
        connection.settimeout(seconds)
        connection.connect(address.place)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError:
        connection.close()
        raise
    return connection


def _begin_tunnel(plain: socket.socket, target: WebTarget, proxy: Proxy) -> None:
    try:
        open_tunnel(plain, target, proxy)
    except (OSError, FetchError) as error:
        plain.close()
        if isinstance(error, FetchError):
            raise
        raise FetchError("connection", f"the proxy {proxy.place.host_part} does not answer", 0.0) from error


def _with_tls(plain: socket.socket, target: WebTarget, cut: Cut) -> socket.socket:
    try:
        plain.settimeout(cut.left)
        return trusted_certificates().wrap_socket(plain, server_hostname=target.host)
    except OSError as error:
        plain.close()
        if cut.is_over or isinstance(error, TimeoutError):
            message = f"no encrypted connection to {target.host} within {cut.seconds:g} s"
            raise FetchError("timeout", message, 0.0) from None
        raise _tls_error(target.host, error) from error


def _tls_error(host: str, error: OSError) -> FetchError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return FetchError("tls", f"the certificate of {host} is not valid: {error.verify_message}")
    if isinstance(error, ssl.SSLError):
        return FetchError("tls", f"no encrypted connection to {host}: {error.reason or error}")
    return FetchError("connection", f"the connection to {host} broke off: {error.strerror or error}", 0.0)


@cache
def trusted_certificates() -> ssl.SSLContext:
    """The certificates that the system trusts, or those of the variable SSL_CERT_FILE."""
    return ssl.create_default_context()
