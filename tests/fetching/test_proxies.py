"""Proxies that the environment names."""

import socket
import threading
from contextlib import suppress

import pytest
from test_tls import CERTIFICATE, with_tls
from web_servers import PAGE, Answer, served

from victorpy.fetching import connected_sockets
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import fetch

QUICK = FetchSettings(delay=0, retries=0, seconds=20, ignore_robots=True)


@pytest.fixture(autouse=True)
def _no_exceptions(monkeypatch):
    for name in ("NO_PROXY", "no_proxy", "http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)


def test_a_proxy_is_asked_for_the_whole_address(monkeypatch):
    with served({"http://harbour.invalid/boats": Answer()}) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url().replace("//", "//anna:secret@"))
        found = fetch("http://harbour.invalid/boats", QUICK)

    assert (found.data, found.final_url) == (PAGE, "http://harbour.invalid/boats")
    assert proxy.asked[0].headers["proxy-authorization"] == "Basic YW5uYTpzZWNyZXQ="


def test_hosts_can_be_left_out(monkeypatch):
    with served({"/": Answer()}) as site:
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        monkeypatch.setenv("no_proxy", "127.0.0.1")

        assert fetch(site.url(), QUICK).data == PAGE


def test_an_encrypted_connection_goes_through_a_tunnel(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    connected_sockets.trusted_certificates.cache_clear()
    with served({"/": Answer()}, with_tls) as site, socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=_tunnel, args=(server, site.port), daemon=True).start()
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{server.getsockname()[1]}")
        found = fetch(f"https://localhost:{site.port}/", QUICK)
    connected_sockets.trusted_certificates.cache_clear()

    assert (found.data, found.problem) == (PAGE, "")


def test_a_proxy_that_refuses_is_named(monkeypatch):
    with served({}) as proxy:
        monkeypatch.setenv("https_proxy", proxy.url())
        found = fetch("https://harbour.invalid/", QUICK)

    assert found.failure == "connection"
    assert f"the proxy 127.0.0.1:{proxy.port} refuses: HTTP/1.0 501" in found.problem


def test_under_the_guard_no_proxy_is_asked(monkeypatch):
    with served({"http://harbour.invalid/": Answer()}) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url())
        found = fetch("http://harbour.invalid/", FetchSettings(retries=0, ignore_robots=True, forbid_private=True))

    assert (found.failure, proxy.asked) == ("dns", [])


def _tunnel(server, port):
    """Accepts one connection, and passes on what follows its first lines."""
    client, _ = server.accept()
    asked = b""
    while not asked.endswith(b"\r\n\r\n"):
        asked += client.recv(1)
    assert asked.startswith(f"CONNECT localhost:{port} HTTP/1.1\r\n".encode())
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    host = socket.create_connection(("127.0.0.1", port))
    threading.Thread(target=_pass_on, args=(client, host), daemon=True).start()
    _pass_on(host, client)


def _pass_on(source, goal):
    while piece := source.recv(1 << 16):
        goal.sendall(piece)
    with suppress(OSError):  # the other side may be gone
        goal.shutdown(socket.SHUT_WR)
