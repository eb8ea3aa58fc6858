"""A server to measure, and clients that take little time themselves: what `serving.py` and `soak.py` share."""

import asyncio
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

SENTENCES = (
    "The ferry leaves at seven, long before the island is awake.",
    "Nobody had told the baker that the bridge was closed for the summer.",
    "We counted the boats in the harbour and lost our way among the numbers.",
    "In the evening a thin rain came over the hills, and the children went in.",
)


class Answered(NamedTuple):
    """The status of HTTP, the outcome of the page, and the seconds it took."""

    code: int
    outcome: str
    seconds: float


class Server(NamedTuple):
    """A running server: its process, and where it listens."""

    process: subprocess.Popen[bytes]
    port: int

    def megabytes(self) -> tuple[float, float]:
        """The memory of the server and of its children that is really used, in MB."""
        return _resident(self.process.pid), sum(map(_resident, children_of(self.process.pid)))

    def seconds(self) -> tuple[float, float]:
        """The time of processors that the server and its children have used."""
        return _processor_seconds(self.process.pid), sum(map(_processor_seconds, children_of(self.process.pid)))


@contextmanager
def served(*words: object) -> Iterator[Server]:
    """`victor serve` with these options."""
    command = [sys.executable, "-m", "victorpy", "serve", "--port", "0", *map(str, words)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    assert process.stderr
    try:
        found = re.search(rb"http://[^:]+:(\d+)/", process.stderr.readline())
        assert found, process.stderr.read()
        yield Server(process, int(found[1]))
    finally:
        process.terminate()
        process.wait()


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _resident(pid: int) -> float:
    try:
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:  # it has just ended
        return 0.0
    return int(found[1]) / 1_000 if found else 0.0


def _processor_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def small_page(number: int) -> bytes:
    """A page of some 2 kB, each another one."""
    paragraphs = "".join(
        f"<p>{SENTENCES[(number + step) % 4]} {SENTENCES[(number * 3 + step) % 4]}" for step in range(6)
    )
    menu = "".join(f'<li><a href="/{name}">{name}</a>' for name in ("home", "news", "boats", "letters", "about"))
    title = f"Letters from the harbour, part {number}"
    return (
        f"<!DOCTYPE html><title>{title} | Harbour</title><ul class=menu>{menu}</ul><h1>{title}</h1>{paragraphs}"
        "<div class=footer><a href=/imprint>Imprint</a> All rights reserved.</div>"
    ).encode()


async def asked(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, page: bytes, formats: str = "text,markdown,metadata"
) -> Answered:
    """One page over a connection that stays open."""
    begun = time.perf_counter()
    head = f"POST /api/clean?formats={formats} HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/html\r\n"
    writer.write(f"{head}content-length: {len(page)}\r\n\r\n".encode() + page)
    await writer.drain()
    code, body = await _answer(reader)
    seconds = time.perf_counter() - begun
    return Answered(code, _outcome(code, body), seconds)


async def _answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    return int(head.split(b" ", 2)[1]), await reader.readexactly(int(length[1]) if length else 0)


def _outcome(code: int, body: bytes) -> str:
    found: dict[str, Any] = json.loads(body) if body else {}
    return str(found.get("status", "")) if code == 200 else str(found.get("error", ""))
