"""Which network addresses are public, and that nothing else is reached under the guard."""

import socket

import pytest
from web_servers import Answer, moved, served

from victorpy.fetching import host_addresses
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import Fetcher, fetch

GUARDED = FetchSettings(delay=0, retries=0, seconds=5, forbid_private=True)


PRIVATE = """\
127.0.0.1 127.8.9.10 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 240.0.0.1
255.255.255.255 192.0.0.8 198.18.0.1 203.0.113.7 :: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12::1 fec0::1 ff02::1
2001:db8::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::7f00:1
64:ff9b::169.254.169.254 64:ff9b:1::1 2002:7f00:1::1 2002:c0a8:101::1 100::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_these_are_not_public(address):
    assert not host_addresses.is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])
def test_these_are_public(address):
    assert host_addresses.is_public(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "0177.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0"]
)
def test_the_guard_refuses_every_name_of_this_machine(host):
    with served({"/": Answer()}) as site:
        found = fetch(site.url().replace("127.0.0.1", host), GUARDED)

    assert (found.failure, site.asked) == ("private", [])
    assert "is not a public address" in found.problem


def test_one_private_address_of_a_host_is_enough(monkeypatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [_found("93.184.215.14"), _found("10.0.0.1")])

    found = fetch("http://harbour.example/", GUARDED)

    assert found.problem == "harbour.example (10.0.0.1) is not a public address, and only public ones are allowed"


def test_a_redirect_to_a_private_address_is_refused(monkeypatch):
    with served({"/secret": Answer()}) as inner, served({"/": moved(inner.url("/secret"))}) as outer:
        # The first server counts as public.
        monkeypatch.setattr(
            host_addresses, "_check_public", lambda host, found: None if host == "harbour.example" else _refuse(host)
        )
        monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **_: [_found("127.0.0.1", port)])

        found = fetch(f"http://harbour.example:{outer.port}/", GUARDED)

    assert (found.failure, inner.asked, outer.paths) == ("private", [], ["/"])


def test_the_connection_goes_to_the_address_that_was_checked(monkeypatch):
    """A name server that answers differently each time gains nothing: it is asked once for each connection."""
    real, asked = socket.getaddrinfo, []

    def rebinding(host, port, *words, **options):
        asked.append(host)
        return [_found("127.0.0.1", port)] if host == "harbour.example" else real(host, port, *words, **options)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    monkeypatch.setattr(host_addresses, "is_public", lambda number: len(asked) == 1)
    with served({"/": Answer()}) as site:
        fetcher = Fetcher(FetchSettings(delay=0, retries=0, ignore_robots=True, forbid_private=True))
        first = fetcher.fetch(f"http://harbour.example:{site.port}/")
        second = fetcher.fetch(f"http://harbour.example:{site.port}/")

    assert (first.status, second.failure, asked) == (200, "private", ["harbour.example"] * 2)
    assert len(site.asked) == 1


def test_without_the_guard_an_intranet_may_be_asked():
    with served({"/": Answer()}) as site:
        assert fetch(site.url(), FetchSettings(delay=0)).status == 200


def _found(address, port=80):
    return (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))


def _refuse(host):
    raise host_addresses.FetchError("private", f"{host} is not a public address")
