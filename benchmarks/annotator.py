"""Measure the annotator on a page of many blocks: time from start to screen and from key to screen, and memory.

    python benchmarks/annotator.py [--blocks 20000] [--model web]

It runs `victor annotate` in a pseudo-terminal of 200×50, presses keys of every kind, and waits for the screen after
each. What the processor took is what counts where the machine is busy with other things.
"""

import argparse
import os
import pty
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Sequence
from fcntl import ioctl
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from termios import TIOCSWINSZ

KEYS = {
    "down": b"\x1b[B",
    "label": b"p",
    "undo": b"u",
    "screen down": b"\x1b[6~",
    "last block": b"\x1b[F",
    "first block": b"\x1b[H",
    "next open block": b"\t",
    "next kind": b"}",
    "accept screen": b"A",
    "wrap": b"w",
    "search on": b"n",
}
_QUIET = 0.03
_REPEATS = 10


def page(blocks: int) -> str:
    """Sections of a heading, two paragraphs, three links and a row of a table."""
    section = (
        "<h2>Section {n}</h2><p>The ferry number {n} leaves at seven, long before the island is awake.</p>"
        "<p>港口新闻 {n}: 渡轮七点出发。</p><ul><li><a href=x>Home {n}</a><li><a href=y>News</a><li>Jobs</ul>"
        "<table><tr><td>{n}</td><td>full</td></tr></table>"
    )
    body = "".join(f"<div class=s>{section.format(n=n)}</div>" for n in range(blocks // 8))
    return f"<html><head><title>Many blocks</title></head><body>{body}</body></html>"


class Terminal:
    """The program in a pseudo-terminal, and how long it takes until its screen stands still."""

    def __init__(self, words: Sequence[str]):
        self.leader, follower = pty.openpty()
        ioctl(follower, TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        environment = os.environ | {"TERM": "xterm-256color"}
        command = [sys.executable, "-m", "victorpy", "annotate", *words]
        self.process = subprocess.Popen(
            command, stdin=follower, stdout=follower, stderr=follower, env=environment, start_new_session=True
        )
        os.close(follower)

    def seconds(self, keys: bytes, seen: bytes = b"") -> float:
        """From the keys to the last output that they bring about."""
        started = last = time.perf_counter()
        os.write(self.leader, keys)
        output = b""
        while True:
            ready, _, _ = select.select([self.leader], [], [], _QUIET if output and seen in output else 10.0)
            if not ready:
                return last - started
            output += os.read(self.leader, 1 << 20)
            last = time.perf_counter()

    def processor_seconds(self) -> float:
        """What the program itself has used, however busy the machine is."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=20_000)
    parser.add_argument("--model")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        Path(folder, "page.html").write_text(page(options.blocks))
        words = [f"{folder}/page.html", *(["--model", options.model] if options.model else [])]
        terminal = Terminal(words)
        started = terminal.seconds(b"", b"words kept")
        print(f"start to screen    {started:.2f} s, {terminal.processor_seconds():.2f} s of the processor")
        terminal.seconds(b"/section 9\r")
        for name, key in KEYS.items():
            before = terminal.processor_seconds()
            times = [terminal.seconds(key) for _ in range(_REPEATS)]
            used = (terminal.processor_seconds() - before) / _REPEATS
            longest = f"at most {1000 * max(times):.0f} ms"
            print(f"{name:<18} {1000 * median(times):.0f} ms, {longest}, {1000 * used:.0f} ms of the processor")
        print(f"memory             {terminal.megabytes():.0f} MB")
        terminal.seconds(b"\x1b\x1bq")
        terminal.process.wait()


if __name__ == "__main__":
    main()
