"""Small web servers on this machine."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

PAGE = b"<title>Ferry</title><h1>Ferry times</h1><p>The ferry leaves at seven, long before the island is awake.</p>"


class Answer(NamedTuple):
    """What a server sends for a path. `pause` are seconds between two pieces of 4 bytes; `size` is a wrong length."""

    body: bytes = PAGE
    status: int = 200
    media: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    pause: float = 0.0
    size: int | None = None


class Asked(NamedTuple):
    path: str
    headers: dict[str, str]
    time: float


class Site:
    """The answers of a server by path, and what it was asked. A list of answers is given one after another."""

    def __init__(self, answers: dict[str, Answer | list[Answer] | Callable[[Asked], Answer]]):
        self.answers, self.asked, self.port = answers, list[Asked](), 0

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked if asked.path != "/robots.txt"]

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        found = self.answers.get(asked.path, Answer(b"", 404))
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found if isinstance(found, Answer) else found(asked)


def moved(place: str, status: int = 302) -> Answer:
    return Answer(b"", status, headers=(("Location", place),))


@contextmanager
def served(answers, wrapped=None) -> Iterator[Site]:
    """A server with these answers; `wrapped` makes its socket one with TLS."""
    site = Site(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, time.monotonic())
            _send(self, site.answer(asked))

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads, site.port = True, server.server_port
        server.handle_error = lambda *_: None
        if wrapped:
            server.socket = wrapped(server.socket)
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()


def _send(handler: BaseHTTPRequestHandler, answer: Answer) -> None:
    handler.send_response(answer.status)
    if answer.media:
        handler.send_header("Content-Type", answer.media)
    for name, value in answer.headers:
        handler.send_header(name, value)
    if answer.size is not None:
        handler.send_header("Content-Length", str(answer.size))
    handler.end_headers()
    if not answer.pause:
        handler.wfile.write(answer.body)
    for place in range(0, len(answer.body) if answer.pause else 0, 4):
        handler.wfile.write(answer.body[place : place + 4])
        time.sleep(answer.pause)
