"""A run among hostile pages whose children and parent are killed again and again, beside one that is left in peace."""

import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runs import record

SENTENCES = (
    "The ferry leaves at seven, long before the island is awake.",
    "Nobody had told the baker that the bridge was closed for the summer.",
    "We counted the boats in the harbour and lost our way among the numbers.",
    "In the evening a thin rain came over the hills, and the children went in.",
)
TEXT = " ".join(SENTENCES)
HOSTILE: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "100,000 unclosed divs": (b"<div>" * 100_000 + TEXT.encode(), ()),
    "200,000 links": (b"<a href=/x>more</a> " * 200_000, ()),
    "50 MB of text": (b"<p>" + TEXT.encode() * (50_000_000 // len(TEXT)), ()),
    "nesting 100,000 deep": (b"<div><b>" * 100_000 + TEXT.encode() + b"</b></div>" * 100_000, ()),
    "colspan": (f"<table><tr><td colspan={2**53} rowspan={2**53}>{TEXT}</table>".encode(), ()),
    "100,000 attributes": (b"<p " + b" ".join(b"a%d" % number for number in range(100_000)) + b">" + TEXT.encode(), ()),
    "bomb": (gzip.compress(bytes(1_000_000_000), 9), ("Content-Encoding: gzip",)),
    "cut-off gzip": (gzip.compress(TEXT.encode() * 100)[:60], ("Content-Encoding: gzip",)),
    "binary": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, ()),
    "wrong charset": (b"<meta charset=utf-16><p>" + TEXT.encode() + b"\xff\xfe\xe9", ()),
    "NUL bytes": (b"<p>" + TEXT.encode().replace(b" ", b"\0 ") + bytes(1_000), ()),
}


def page(number: int) -> bytes:
    choice = random.Random(number)
    paragraphs = "".join(f"<p>{' '.join(choice.choices(SENTENCES, k=5))} {number}.{row}</p>" for row in range(12))
    menu = "".join(f'<li><a href="/{row}">Page {row}</a></li>' for row in range(20))
    return f"<title>{number}</title><ul>{menu}</ul><h1>Letters {number}</h1>{paragraphs}".encode()


def make_archive(path: Path, count: int, hostile: int) -> None:
    kinds, step = list(HOSTILE.values()), count // hostile
    with path.open("wb") as file:
        for number in range(count):
            html, headers = kinds[number // step % len(kinds)] if is_hostile(number, step) else (page(number), ())
            file.write(gzip.compress(record(number, html, *headers), 3))


def is_hostile(number: int, step: int) -> bool:
    return number % step == step // 2


class Torturer:
    """Kills children at random, and now and then the parent, until so many of both are dead."""

    def __init__(self, command: list[str], seed: int, children: int, parents: int, pause: float):
        self.command, self.random, self.pause = command, random.Random(seed), pause
        self.children, self.parents = children, parents

    def run(self) -> int:
        """Begins the run again and again, and returns how it ended."""
        while True:
            process = subprocess.Popen(self.command)
            while process.poll() is None:
                time.sleep(self.random.uniform(0.5, 1.5) * self.pause)
                self._kill(process)
            if process.returncode != -signal.SIGKILL:
                return process.returncode

    def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        if self.parents and self.random.random() < self.parents / (self.parents + self.children):
            process.kill()
            process.wait()
            self.parents -= 1
        elif self.children and (found := _children(process.pid)):
            os.kill(self.random.choice(found), signal.SIGKILL)
            self.children -= 1


def _children(process: int) -> list[int]:
    try:
        return list(map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split()))
    except OSError:
        return []


def told(folder: Path) -> Iterator[dict[str, Any]]:
    for path in sorted(folder.glob("*.outcomes.jsonl.gz")):
        yield from map(json.loads, gzip.decompress(path.read_bytes()).splitlines())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--hostile", type=int, default=200)
    parser.add_argument("--children", type=int, default=50)
    parser.add_argument("--parents", type=int, default=20)
    parser.add_argument("--pause", type=float, default=1.0, help="between two kills, about")
    parser.add_argument("--timeout", default="20")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_archive(folder / "crawl.warc.gz", options.records, options.hostile)
        command = [sys.executable, "-m", "victorpy", "run", str(folder / "crawl.warc.gz"), "--part-pages", "200", "-q"]
        command += ["--timeout", options.timeout, "-j", "2", "-o"]
        subprocess.run([*command, str(folder / "quiet")], check=True)
        kills = (options.children, options.parents)
        torturer = Torturer([*command, str(folder / "tortured")], options.seed, *kills, options.pause)
        status = torturer.run()
        quiet, tortured = list(told(folder / "quiet")), list(told(folder / "tortured"))
    print(f"status {status}; not killed: {torturer.children} children, {torturer.parents} parents")
    print("quiet   ", dict(Counter(page["status"] for page in quiet)))
    print("tortured", dict(Counter(page["status"] for page in tortured)))
    print("accounted for, each once:", [page["record"] for page in tortured] == list(range(1, options.records + 1)))
    pairs = zip(quiet, tortured, strict=True)
    other = [(one["record"], one["status"], two["status"]) for one, two in pairs if one != two]
    good = [number for number, _, _ in other if not is_hostile(number - 1, options.records // options.hostile)]
    print(f"{len(other)} ended in another way: {other[:20]}; of them {len(good)} good pages")
    return int(bool(status))


if __name__ == "__main__":
    sys.exit(main())
