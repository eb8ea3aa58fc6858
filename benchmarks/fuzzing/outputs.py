"""What comes out of hostile pages, read again by whoever reads such files."""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

from fuzzing import pages
from fuzzing.mutation import chance_of
from fuzzing.promises import promise
from fuzzing.reading import FOLDER, Target, page_seeds, written
from victorpy.annotation import gold_texts
from victorpy.labelers.everything import Everything
from victorpy.output.cleaned import CLEANED
from victorpy.output.destination import Destination
from victorpy.output.escapes import in_one_line, printable
from victorpy.output.formats import EXTENSIONS
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import SINKS, ending
from victorpy.pipeline.batch import Job, outcomes
from victorpy.sources import SOURCES, PageColumns, RawPage, archive_records
from victorpy.sources.archive_pages import read as read_warc

_BREAKERS = (
    "]]>",
    '"',
    "<doc",
    "</doc>\n<doc>",
    "\r\n\r\n",
    "/",
    "../",
    ".",
    "..",
    "%",
    " ",
    "'",
    "--",
    "<p>",
    "a" * 300,
)


def _check_sinks(data: bytes) -> None:
    """Pages under any names, and behind them one that is as it should be."""
    chance = chance_of(data)
    format = chance.choice((*_READERS, *_READERS, "text"))
    own = RawPage(id="last", path="x", data=b"<p>The ferry leaves at seven.", url="https://x.example/")
    given = [*_raw_pages(chance, data), own]
    found = [*outcomes(given, Job("", format, labeler=Everything()))]
    promise(len(found) == len(given), "not one outcome per page")
    name = f"x{ending(format, chance.choice(('', '.gz', '.zst')))}"
    content = io.BytesIO()
    with SINKS[format](content, name) as write:
        for outcome in found:
            write(outcome)
    path = written(name, content.getvalue())
    if format in _READERS:
        _READERS[format](path, [outcome for outcome in found if outcome.text or format in {"jsonl", "parquet"}])


def _raw_pages(chance: Random, data: bytes) -> list[RawPage]:
    middle = chance.randint(0, len(data))
    parts = chance.choice(((data,), (data[:middle], data[middle:])))
    return [RawPage(id=_name(chance), path=_name(chance), data=part, **_told(chance)) for part in parts]


def _told(chance: Random) -> Mapping[str, Any]:
    names = ("url", "record", "date")
    return {name: _name(chance) for name in names if chance.random() < 0.7}


def _name(chance: Random) -> str:
    makers = (pages.sign, lambda _: chance.choice(_BREAKERS), lambda _: "x", pages.number)
    return "".join(chance.choice(makers)(chance) for _ in range(chance.choice((0, 1, 2, 5))))


def _rows(path: Path, source: str) -> list[RawPage]:
    rows = [*SOURCES[source].read(str(path), PageColumns("text", "url", "id"), 1 << 30)]
    promise(all(isinstance(row, RawPage) for row in rows), f"{source}: not read again: {rows[-1:]}")
    return rows


def _of_jsonl(path: Path, found: Sequence[Outcome]) -> None:
    rows = _rows(path, "jsonl")
    promise([row.id for row in rows] == [printable(outcome.id) for outcome in found], "jsonl: other pages")
    promise(all(row.data is not None for row in rows), "jsonl: a page without a text")


def _of_parquet(path: Path, found: Sequence[Outcome]) -> None:
    texts = [row.data for row in _rows(path, "parquet")]
    promise(texts == [printable(outcome.text).encode() for outcome in found], "parquet: other texts")


def _of_warc(path: Path, found: Sequence[Outcome]) -> None:
    kept = [(record.kind, b"".join(record.content)) for record in archive_records.records(str(path))]
    promise(kept == [("conversion", outcome.text.encode()) for outcome in found], "warc: other records")
    promise([*read_warc(str(path))] == [], "warc: FastWARC finds it damaged")


def _of_cleaneval(path: Path, found: Sequence[Outcome]) -> None:
    """One page after another: a line begins each passage, and no other does."""
    segments = gold_texts.cleaneval(_unpacked(path))
    lines = [line for outcome in found for line in outcome.text.split("\n") if line and not line.startswith("URL: ")]
    marks = [line[:3] for line in lines]
    addresses = sum(outcome.text.startswith("URL: ") for outcome in found[1:])
    promise(addresses or [f"<{segment.label}>" for segment in segments] == marks, "cleaneval: other passages")


def _of_doc(path: Path, found: Sequence[Outcome]) -> None:
    lines = _unpacked(path).splitlines()
    begins = [line for line in lines if line.startswith("<doc")]
    ends = [line for line in lines if line == "</doc>"]
    promise(len(begins) == len(ends) == len(found), "doc: other pages")
    for begin, outcome in zip(begins, found, strict=True):
        told = ElementTree.fromstring(f"{begin}</doc>").attrib
        promise(told.get("id", "") == in_one_line(outcome.id), "doc: another id")
    marks = ("<doc", "</doc>", "<p> ", "<h> ", "<l> ")
    promise(all(not line or line.startswith(marks) for line in lines), "doc: a line is two")


def _of_vertical(path: Path, found: Sequence[Outcome]) -> None:
    root = ElementTree.fromstring(f"<all>{_unpacked(path)}</all>")
    promise(
        [doc.get("id", "") for doc in root] == [in_one_line(outcome.id) for outcome in found], "vertical: other pages"
    )
    promise(all((p.text or "").strip() for doc in root for p in doc), "vertical: a passage without text")
    promise(all(len(p) == 0 for doc in root for p in doc), "vertical: markup in a passage")


def _unpacked(path: Path) -> str:
    from victorpy.foundation.compression import unpacked  # noqa: PLC0415

    with path.open("rb") as file:
        return unpacked(file).read().decode()


_READERS: Mapping[str, Callable[[Path, Sequence[Outcome]], None]] = {
    "cleaneval": _of_cleaneval,
    "doc": _of_doc,
    "jsonl": _of_jsonl,
    "parquet": _of_parquet,
    "vertical": _of_vertical,
    "warc": _of_warc,
}


def _check_names(data: bytes) -> None:
    """Every page of a name of its own gets a file of its own inside of the folder."""
    chance = chance_of(data)
    ids = [data.decode("utf-8", chance.choice(("replace", "surrogateescape"))), *(_name(chance) for _ in range(3))]
    folder, format = FOLDER / "names" / "folder", chance.choice([*EXTENSIONS])
    for path in sorted(FOLDER.glob("names/**/*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    found = [Outcome(id=id, path=id, status=CLEANED[0], text=f"{number}") for number, id in enumerate(ids)]
    failed = Destination(str(folder), format, is_folder=True).write(found)
    there = [path for path in (FOLDER / "names").rglob("*") if not path.is_dir()]
    promise(len(there) == len(ids) - failed, "not a file for each page that was written")
    promise(all(path.is_relative_to(folder) for path in there), "a file outside of the folder")


OUTPUTS: dict[str, Target] = {
    "sinks": Target(_check_sinks, page_seeds, kind="pages"),
    "names": Target(_check_names, lambda: [b"a", b"a/b", b"../a", b"%2E/\0", b"."]),
}
