"""Encrypted connections."""

import ssl
from pathlib import Path

import pytest
from web_servers import PAGE, Answer, served

from victorpy.fetching import connected_sockets
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import fetch

# A key and a certificate for `localhost` that nobody trusts, made for these tests.
CERTIFICATE = Path(__file__).with_name("localhost.pem")
QUICK = FetchSettings(delay=0, retries=0, seconds=20, ignore_robots=True)


def with_tls(socket):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    return context.wrap_socket(socket, server_side=True)


@pytest.fixture
def _trusted(monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    connected_sockets.trusted_certificates.cache_clear()
    yield
    connected_sockets.trusted_certificates.cache_clear()


@pytest.mark.usefixtures("_trusted")
def test_a_page_is_fetched_from_a_host_with_a_certificate():
    with served({"/": Answer()}, with_tls) as site:
        found = fetch(f"https://localhost:{site.port}/", QUICK)

    assert (found.data, found.problem) == (PAGE, "")


@pytest.mark.usefixtures("_trusted")
def test_the_certificate_must_be_that_of_the_host():
    with served({"/": Answer()}, with_tls) as site:
        found = fetch(f"https://127.0.0.1:{site.port}/", QUICK)

    assert (found.failure, site.asked) == ("tls", [])
    assert "the certificate of 127.0.0.1 is not valid: IP address mismatch" in found.problem


def test_a_certificate_that_nobody_trusts_is_refused():
    connected_sockets.trusted_certificates.cache_clear()
    with served({"/": Answer()}, with_tls) as site:
        found = fetch(f"https://localhost:{site.port}/", QUICK)

    assert (found.failure, found.problem, site.asked) == (
        "tls",
        "the certificate of localhost is not valid: self-signed certificate",
        [],
    )


def test_a_host_without_tls_is_no_encrypted_one():
    with served({"/": Answer()}) as site:
        found = fetch(site.url().replace("http:", "https:"), QUICK)

    assert (found.failure, site.asked) == ("tls", [])
    assert "no encrypted connection to 127.0.0.1" in found.problem
