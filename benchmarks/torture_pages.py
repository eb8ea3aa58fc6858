"""A crawl of good pages, altered from our own, with pages among them that crash other cleaners."""

import gzip
import random
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OURS = ("examples/*.html", "tests/blogs/*.html", "annotations/*.anno")
SENTENCE = "Before the ferry leaves, lantern {} is lit on the quay and somebody counts the boats."
HEAD = (
    "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://h{host}.example/{number}\r\n"
    "WARC-Date: 2024-05-06T07:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
    "Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n"
)
HTML = "text/html; charset=utf-8"
MEGABYTE = 1_000_000

CLEANED = frozenset({"ok", "empty"})
SLOW = CLEANED | {"timeout"}

# What `torture_victor.py` does at pages with a mark.
HARM_ENDS = {
    "spin": "timeout",
    "hang": "timeout",
    "stop": "timeout",
    "backtrack": "timeout",
    "eat": "out-of-memory",
    "gobble": "out-of-memory",
}
CRASHES = ("segfault", "abort", "leave", "raise", "recurse")


class Answer(NamedTuple):
    """What a server says."""

    body: bytes
    type: str = HTML
    encoding: str = ""
    kind: str = "response"
    padding: int = 0


class Hostile(NamedTuple):
    """A kind of page, and the ways in which it may end: one, unless that goes by how fast the machine is."""

    answer: Callable[[random.Random], Answer]
    ends: frozenset[str]


def marked(harm: str) -> Hostile:
    """A page that `torture_victor.py` does harm at."""
    page = f"<!--torture:{harm}--><title>{harm}</title><p>{SENTENCE.format(harm)}</p>"
    return Hostile(lambda _: Answer(page.encode()), frozenset([HARM_ENDS.get(harm, "crashed")]))


def always(body: Callable[[], bytes], *ends: str, **said: str) -> Hostile:
    return Hostile(lambda _: Answer(body(), **said), frozenset(ends) or CLEANED)


def text(megabytes: int) -> bytes:
    return b"<p>" + (SENTENCE.format(7) + " ").encode() * (megabytes * MEGABYTE // (len(SENTENCE) + 1))


@cache
def bomb(wbits: int, tail: bytes = b"") -> bytes:
    """4 GB of spaces: what is packed once stands in it many times."""
    packer = zlib.compressobj(9, zlib.DEFLATED, wbits)
    head = packer.compress(b"<p>The quay.") + packer.flush(zlib.Z_FULL_FLUSH)
    piece = packer.compress(b" " * (16 * MEGABYTE)) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + piece * 250 + tail


def garbage(chance: random.Random) -> Answer:
    return Answer(b"\x89PNG\r\n\x1a\n" + chance.randbytes(20_000))


def cut_gzip(chance: random.Random) -> Answer:
    packed = gzip.compress(good_page(chance, 0).encode(), mtime=0)
    return Answer(packed[: len(packed) // 2], encoding="gzip")


def wrong_charset(chance: random.Random) -> Answer:
    body = f"<title>Přívoz</title><p>Příliš žluťoučký kůň {SENTENCE.format('č')}</p>".encode("cp1250")
    return Answer(body, f"text/html; charset={chance.choice(['utf-8', 'utf-16', 'big5', 'no-such', 'ascii', 'utf-7'])}")


def with_nul(chance: random.Random) -> Answer:
    page = good_page(chance, 1).encode()
    return Answer(page.replace(b" ", b"\0 ", 50) + b"\0" * 5_000)


def attributes(count: int) -> bytes:
    return b"<p>The quay.<p " + b" ".join(b"a%d" % number for number in range(count)) + b">The ferry."


# Each is due as often as the others.
HOSTILE: Mapping[str, Hostile] = {
    "100,000 unclosed divs": always(lambda: b"<div>quay " * 100_000, *SLOW),
    "200,000 links": always(lambda: b"<a href=/>quay</a> " * 200_000, *SLOW),
    "100,000 deep": always(lambda: b"<div>" * 100_000 + b"quay" + b"</div>" * 100_000, *SLOW),
    "colspan of 2**53": always(
        lambda: b"<table><tr><td colspan=9007199254740992 rowspan=9007199254740992>quay</table>"
    ),
    "8 MB attribute": always(lambda: b"<p class='" + b"quay " * 1_600_000 + b"'>The ferry leaves.", *SLOW),
    "200,000 attributes": always(lambda: attributes(200_000), *SLOW),
    "gzip bomb": always(lambda: bomb(31), "dropped", encoding="gzip"),
    "deflate bomb": always(lambda: bomb(-15), "dropped", encoding="deflate"),
    "cut off gzip": Hostile(cut_gzip, CLEANED),
    "no gzip": always(lambda: b"<p>The ferry leaves at seven.", encoding="gzip"),
    "binary": Hostile(garbage, frozenset({"undecodable"})),
    "wrong charset": Hostile(wrong_charset, CLEANED | {"undecodable"}),
    "NUL bytes": Hostile(with_nul, CLEANED | {"undecodable"}),
    "only NUL bytes": always(lambda: b"\0" * 10_000, "undecodable", "empty"),
    "nothing": always(lambda: b"", "empty"),
    "20,000 header lines": Hostile(lambda chance: Answer(good_page(chance, 2).encode(), padding=20_000), CLEANED),
    "200,000 header lines": Hostile(lambda _: Answer(b"<p>The quay.", padding=200_000), frozenset({"unreadable"})),
    "revisit": always(lambda: b"", "unreadable", kind="revisit"),
    **{f"hook: {harm}": marked(harm) for harm in (*HARM_ENDS, *CRASHES)},
}
# Larger than what else there is by so much that it is there a few times only.
LARGE = {
    "50 MB text": always(lambda: text(50), "ok", "timeout", "out-of-memory"),
    "100 MB text": always(lambda: text(100), "dropped"),
}


class Record(NamedTuple):
    """What stands in the crawl: a hostile page by its kind, or a good one."""

    number: int
    kind: str = ""


def planned(count: int, hostile: int, large: int, among: Sequence[str], chance: random.Random) -> list[Record]:
    """Which record is what: hostile pages of these kinds anywhere, good ones for the rest."""
    kinds = [*LARGE] * large
    kinds += [among[number % len(among)] for number in range(hostile - len(kinds))]
    chance.shuffle(kinds)
    places = dict(zip(chance.sample(range(1, count + 1), len(kinds)), kinds, strict=True))
    return [Record(number, places.get(number, "")) for number in range(1, count + 1)]


def write_crawl(path: Path, records: Sequence[Record], seed: int) -> None:
    """Record by record, as crawlers do."""
    with path.open("wb") as file:
        for record in records:
            file.write(packed(record, seed))


def packed(record: Record, seed: int) -> bytes:
    chance = random.Random(f"{seed} {record.number}")
    kinds = {**HOSTILE, **LARGE}
    answer = kinds[record.kind].answer(chance) if record.kind else Answer(good_page(chance, record.number).encode())
    return gzip.compress(warc(record.number, answer), 1, mtime=0)


def warc(number: int, answer: Answer) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {answer.type}"]
    lines += [f"Content-Encoding: {answer.encoding}"] if answer.encoding else []
    lines += [f"X-Padding-{line}: quay" for line in range(answer.padding)]
    block = "\r\n".join([*lines, "", ""]).encode() + answer.body
    head = HEAD.format(kind=answer.kind, host=number % 50, number=number, length=len(block))
    return head.encode() + block + b"\r\n\r\n"


def write_damaged(path: Path, count: int, seed: int, *, is_damaged: bool = True) -> None:
    """An archive in whose middle a gzip member breaks off; others follow."""
    members = [packed(Record(number), seed) for number in range(1, count + 1)]
    middle = members[count // 2]
    members[count // 2] = middle[: len(middle) // 2] if is_damaged else middle
    path.write_bytes(b"".join(members))


def good_page(chance: random.Random, number: int) -> str:
    """One of our pages, with a sentence of its own before some of its paragraphs."""
    page = chance.choice(_originals())
    return re.sub(r"<p\b[^>]*>", lambda found: f"{found[0]}{_sentence(chance, number)}", page)


def _sentence(chance: random.Random, number: int) -> str:
    return SENTENCE.format(f"{number}.{chance.randint(1, 999)}") + " " if chance.random() < 0.3 else ""


@cache
def _originals() -> list[str]:
    paths = [path for pattern in OURS for path in sorted(ROOT.glob(pattern))]
    return [_page(path.read_text("utf-8", "replace")) for path in paths]


def _page(content: str) -> str:
    """Itself, or what an annotation holds behind the labels."""
    head, mark, page = content.partition("\n#html\n")
    return page if mark else head
