"""Servers that do not keep to the rules, or do not answer."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import fetch

QUICK = FetchSettings(delay=0, retries=0, seconds=0.5, ignore_robots=True)


@contextmanager
def answering(*pieces, pause=0.0):
    """A server that sends these pieces, whatever it is asked, and then waits until the client is gone."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=_answer, args=(server, pieces, pause), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"


def _answer(server, pieces, pause):
    with suppress(OSError):
        client, _ = server.accept()
        with client:
            client.recv(1 << 16)
            for piece in pieces:
                client.sendall(piece)
                time.sleep(pause)
            if pause:
                client.recv(1)


@pytest.mark.parametrize(
    ("pieces", "pause", "failure", "problem"),
    [
        ((), 0, "connection", "closed the connection without an answer"),
        ((), 0.01, "timeout", "no answer from 127.0.0.1 within 0.5 s"),
        ([b"HTTP/1.1 200 OK\r\n", *[b"X-A: b\r\n"] * 90], 0.1, "timeout", "no answer from 127.0.0.1 within 0.5 s"),
        ([b"SSH-2.0-OpenSSH\r\n\r\n"], 0, "connection", "the answer of 127.0.0.1 is not HTTP"),
        ([b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 500 + b"\r\n"], 0, "connection", "is not HTTP: got more than 100"),
        ([b"HTTP/1.1 200 OK\r\nX-A: " + b"b" * 200_000 + b"\r\n\r\n"], 0, "connection", "is not HTTP: got more than"),
        ([b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n"], 0, "redirects", "a redirect leads to http://["),
        ([b"HTTP/1.1 302 Found\r\nLocation: javascript:alert(1)\r\n\r\n"], 0, "redirects", "does not begin with http"),
        ([b"HTTP/1.1 302 Found\r\n\r\n"], 0, "status", "HTTP status 302 Found"),
    ],
    ids=[
        "nothing",
        "silence",
        "drops",
        "SSH",
        "many headers",
        "a long header",
        "half an address",
        "a script",
        "nowhere",
    ],
)
def test_an_answer_that_is_none_says_so(pieces, pause, failure, problem):
    begun = time.monotonic()
    with answering(*pieces, pause=pause) as url:
        found = fetch(url, QUICK)

    assert (found.failure, found.data) == (failure, None)
    assert problem in found.problem
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("head", "body", "problem"),
    [
        (b"Transfer-Encoding: chunked", b"5\r\n<p>On\r\n1\r\ne\r\n0\r\n\r\n", ""),
        (
            b"Transfer-Encoding: chunked",
            b"5\r\n<p>On\r\n1\r\ne\r\n",
            "the connection broke off: only 6 bytes are there",
        ),
        (b"Transfer-Encoding: chunked", b"5\r\n<p>On\r\n1\r\ne\r\nzz\r\n", "broke off: only 6 bytes are there"),
        (b"Content-Length: 6", b"<p>One and more", ""),
        (b"Content-Length: 60", b"<p>One", "the connection broke off: only 6 bytes are there"),
        (b"Content-Length: many", b"<p>One", ""),
    ],
    ids=["chunks", "too few chunks", "a broken chunk", "more than it said", "less than it said", "no number"],
)
def test_of_a_damaged_body_all_that_came_is_kept(head, body, problem):
    with answering(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + head + b"\r\n\r\n" + body) as url:
        found = fetch(url, QUICK)

    assert found.data == b"<p>One"
    assert problem in found.problem if problem else found.problem == ""
