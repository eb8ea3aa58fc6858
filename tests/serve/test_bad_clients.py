"""Clients that stop, dawdle, or come in thousands. The server is in a thread of this process."""

import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
import uvicorn

from victorpy.serve.server import allow_connections, configuration, listening
from victorpy.serve.server_settings import ServerSettings

CLOSED = b""


@contextmanager
def served(**options: object) -> Iterator[int]:
    settings = ServerSettings(**{"port": 0, "jobs": 0, "idle_seconds": 0.3, **options})
    with listening(settings) as bound:
        server = uvicorn.Server(configuration(settings))
        thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
        thread.start()
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(20)


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def answer(client: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    with closing(client), client.makefile("rb") as file:
        return file.read()


def asked(port: int, lines: str, body: bytes = b"") -> bytes:
    client = connected(port)
    client.sendall(f"{lines}\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode() + body)
    return answer(client)


def test_a_client_that_never_ends_its_head_is_sent_away(model):
    with served(model=str(model)) as port:
        client = connected(port)
        client.sendall(b"POST /api/clean HTTP/1.1\r\nhost: localhost\r\nx-slow: ")

        assert answer(client).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_sends_its_head_byte_by_byte_is_sent_away_in_the_same_time(model):
    with served(model=str(model)) as port, closing(connected(port)) as client:
        begun, answered = time.monotonic(), b""
        client.settimeout(0.05)
        while not answered and time.monotonic() - begun < 20:
            client.send(b"x")
            try:
                answered = client.recv(1_000)
            except TimeoutError:
                continue
            except ConnectionError:
                answered = CLOSED
                break

        assert answered.startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 400 ")) or answered == CLOSED
        assert time.monotonic() - begun < 15


def test_a_client_that_says_nothing_is_sent_away(model):
    with served(model=str(model)) as port:
        assert answer(connected(port)).startswith(b"HTTP/1.1 408 ")


def test_a_client_that_stops_in_its_body_is_told_so(model):
    with served(model=str(model)) as port:
        client = connected(port)
        client.sendall(b"POST /api/clean HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n<p>one")

        found = answer(client)

    assert found.startswith(b"HTTP/1.1 408 ")
    assert b"no data for 0.3 s" in found


def test_a_page_of_50_mb_is_refused_before_it_is_sent(model):
    with served(model=str(model)) as port:
        found = asked(port, "POST /api/clean HTTP/1.1\r\ncontent-length: 50000000")

    assert found.startswith(b"HTTP/1.1 413 ")
    assert b"larger than 32,000,000 bytes" in found


def test_a_stream_that_stops_still_has_the_results_of_what_came(model):
    with served(model=str(model)) as port:
        client = connected(port)
        line = json.dumps({"html": "<h1>Ferry times</h1>", "id": "one"}).encode()
        head = b"POST /api/batch HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n"
        client.sendall(head + b"connection: close\r\ncontent-length: 99999\r\n\r\n" + line + b"\n")

        found = answer(client)

    assert b'"id":"one"' in found
    assert b"no data for 0.3 s" in found


def test_one_connection_too_many_is_refused_and_others_are_served(model):
    with served(model=str(model), max_connections=20, idle_seconds=30.0) as port, ExitStack() as stack:
        clients = [stack.enter_context(closing(connected(port))) for _ in range(20)]
        refused = answer(connected(port))
        clients[0].sendall(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n")

        assert refused.startswith(b"HTTP/1.1 503 ")
        assert clients[0].recv(100).startswith(b"HTTP/1.1 200 ")


@pytest.mark.slow
def test_a_thousand_idle_connections_keep_nobody_out(model):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_connections(2_500)
    if resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 2_500:
        pytest.skip("the system allows too few open files")
    try:
        with served(model=str(model), idle_seconds=60.0) as port, ExitStack() as stack:
            for _ in range(1_000):
                stack.enter_context(closing(connected(port)))

            assert asked(port, "GET /health HTTP/1.1").startswith(b"HTTP/1.1 200 ")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
