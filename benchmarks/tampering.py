"""Change the files of a finished run, of its input or of its model in many ways: `victor verify` must notice each.

python benchmarks/tampering.py

Ends with status 1 if a change is not noticed, or one of those in UNNOTICED is. A change counts as noticed if
verification ends with a status other than 0 and says why, without a traceback.
"""

import argparse
import gzip
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from runs import make_archive
from tally import tally

from victorpy.cli import main as victor

ROOT = Path(__file__).parents[1]
PART, OUTCOMES = "run/00001-0002.jsonl.gz", "run/00001-0002.outcomes.jsonl.gz"
OTHER = {PART: "run/00001-0001.jsonl.gz", OUTCOMES: "run/00001-0001.outcomes.jsonl.gz"}
JOURNAL, MANIFEST, PLAN = "run/shards/00001.jsonl", "run/manifest.json", "run/run.json"
INPUT, CARD, WEIGHTS = "crawl.warc.gz", "mine/model.yaml", "mine/weights.npz"

Change = Callable[[Path], object]

# Changes of which verification says nothing, and why.
UNNOTICED = {
    f"{PART}: a link to the same content": "the content is the same",
    f"{OUTCOMES}: a link to the same content": "the content is the same",
    f"{JOURNAL}: half a line at the end": "a killed process leaves such; the next one writes over it",
    f"{PLAN}: white space": "the same data",
    "a file of another name": "only names of parts belong to a run",
    "a draft of run.json": "a killed process leaves such; it is removed",
    "probabilities changed, with all digests": "outcomes have digests of texts and labels only",
}


def flipped(place: Callable[[int], int]) -> Callable[[bytes], bytes]:
    def flip(content: bytes) -> bytes:
        at = place(len(content))
        return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]

    return flip


OF_CONTENT: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda _: b"",
    "cut in half": lambda content: content[: len(content) // 2],
    "a byte less": lambda content: content[:-1],
    "first bit flipped": flipped(lambda _: 0),
    "a bit in the middle flipped": flipped(lambda size: size // 2),
    "last bit flipped": flipped(lambda size: size - 1),
    "a byte more": lambda content: content + b"\n",
    "zeros": lambda content: bytes(len(content)),
}


def rewritten(name: str, change: Callable[[bytes], bytes]) -> Change:
    return lambda work: (work / name).write_bytes(change((work / name).read_bytes()))


def of_lines(change: Callable[[list[bytes]], list[bytes]]) -> Change:
    return rewritten(JOURNAL, lambda content: b"".join(change(content.splitlines(keepends=True))))


def of_entry(number: int, change: Callable[[dict[str, Any]], object]) -> Change:
    """Changes what an entry of the journal says."""

    def changed(lines: list[bytes]) -> list[bytes]:
        entry = json.loads(lines[number])
        change(next(iter(entry.values())))
        return [*lines[:number], json.dumps(entry).encode() + b"\n", *lines[number:][1:]]

    return of_lines(changed)


def of_json(name: str, change: Callable[[dict[str, Any]], object]) -> Change:
    def changed(content: bytes) -> bytes:
        data = json.loads(content)
        change(data)
        return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()

    return rewritten(name, changed)


def linked(name: str) -> Change:
    def link(work: Path) -> None:
        (work / name).rename(work / "elsewhere")
        (work / name).symlink_to(work / "elsewhere")

    return link


def as_folder(name: str) -> Change:
    return lambda work: ((work / name).unlink(), (work / name).mkdir())


def swapped(name: str) -> Change:
    def swap(work: Path) -> None:
        one, other = (work / name).read_bytes(), (work / OTHER[name]).read_bytes()
        (work / name).write_bytes(other)
        (work / OTHER[name]).write_bytes(one)

    return swap


def of_written_files() -> Iterator[tuple[str, Change]]:
    for name in (PART, OUTCOMES):
        for title, change in OF_CONTENT.items():
            yield f"{name}: {title}", rewritten(name, change)
        yield f"{name}: removed", lambda work, name=name: (work / name).unlink()
        yield f"{name}: a folder", as_folder(name)
        yield f"{name}: a link to the same content", linked(name)
        yield f"{name}: packed anew", rewritten(name, lambda content: gzip.compress(gzip.decompress(content), 1))
        yield f"{name}: a line more", rewritten(name, lambda content: content + gzip.compress(b"{}\n"))
        yield f"{name}: that of another part", lambda work, name=name: shutil.copy(work / OTHER[name], work / name)
        yield f"{name}: swapped with another part", swapped(name)


def of_journal() -> Iterator[tuple[str, Change]]:
    yield f"{JOURNAL}: removed", lambda work: (work / JOURNAL).unlink()
    for title in ("emptied", "cut in half", "first bit flipped", "zeros"):
        yield f"{JOURNAL}: {title}", rewritten(JOURNAL, OF_CONTENT[title])
    yield f"{JOURNAL}: half a line at the end", rewritten(JOURNAL, lambda content: content + b'{"part": {"na')
    yield f"{JOURNAL}: no end", of_lines(lambda lines: lines[:-1])
    yield f"{JOURNAL}: no input", of_lines(lambda lines: lines[1:])
    yield f"{JOURNAL}: a part less", of_lines(lambda lines: [lines[0], *lines[2:]])
    yield f"{JOURNAL}: a part twice", of_lines(lambda lines: [*lines[:2], *lines[1:]])
    yield f"{JOURNAL}: parts in another order", of_lines(lambda lines: [lines[0], lines[2], lines[1], *lines[3:]])
    yield f"{JOURNAL}: another digest of a part", of_entry(1, lambda part: part.update(sha256="0" * 64))
    yield f"{JOURNAL}: another digest of outcomes", of_entry(1, lambda part: part.update(outcomes="0" * 64))
    yield f"{JOURNAL}: another first record", of_entry(1, lambda part: part.update(first=2))
    yield f"{JOURNAL}: another last record", of_entry(1, lambda part: part.update(last=part["last"] + 1))
    yield f"{JOURNAL}: other statuses", of_entry(1, lambda part: part.update(statuses={"empty": 5}))
    yield f"{JOURNAL}: another name of a part", of_entry(1, lambda part: part.update(name="../crawl.warc.gz"))
    yield f"{JOURNAL}: another digest of the input", of_entry(0, lambda found: found.update(sha256="0" * 64))
    yield f"{JOURNAL}: another size of the input", of_entry(0, lambda found: found.update(size=1))
    yield f"{JOURNAL}: fewer records", of_entry(-1, lambda end: end.update(records=1))
    yield f"{JOURNAL}: damage that was not", of_entry(-1, lambda end: end.update(damage="cut off"))


def of_facts() -> Iterator[tuple[str, Change]]:
    for title in ("emptied", "cut in half", "a byte more", "zeros"):
        yield f"{MANIFEST}: {title}", rewritten(MANIFEST, OF_CONTENT[title])
    yield f"{MANIFEST}: removed", lambda work: (work / MANIFEST).unlink()
    yield f"{MANIFEST}: another count", of_json(MANIFEST, lambda data: data.update(pages=1))
    yield f"{MANIFEST}: a shard less", of_json(MANIFEST, lambda data: data["shards"].pop())
    yield f"{PLAN}: removed", lambda work: (work / PLAN).unlink()
    for title in ("emptied", "cut in half", "first bit flipped", "zeros"):
        yield f"{PLAN}: {title}", rewritten(PLAN, OF_CONTENT[title])
    yield f"{PLAN}: white space", rewritten(PLAN, OF_CONTENT["a byte more"])
    yield f"{PLAN}: another version", of_json(PLAN, lambda data: data.update(victorpy="0.0.1"))
    yield f"{PLAN}: another model", of_json(PLAN, lambda data: data["settings"].update(model="cleaneval"))
    yield f"{PLAN}: another digest of the model", of_json(PLAN, lambda data: data["cleaner"].update(digest="0" * 64))
    yield f"{PLAN}: other settings", of_json(PLAN, lambda data: data["settings"].update({"part-pages": 7}))
    yield f"{PLAN}: no settings", of_json(PLAN, lambda data: data.pop("settings"))
    yield f"{PLAN}: another fact", of_json(PLAN, lambda data: data.update({"part-pages": 7}))
    yield f"{PLAN}: other inputs", of_json(PLAN, lambda data: data["settings"].update(inputs=["other.warc.gz"]))
    yield f"{PLAN}: another folder", of_json(PLAN, lambda data: data.update(folder="/"))


def of_things_beside() -> Iterator[tuple[str, Change]]:
    yield "a part too many", lambda work: shutil.copy(work / PART, work / "run" / "00009-0001.jsonl.gz")
    yield "a file of another name", lambda work: (work / "run" / "notes.txt").write_text("mine")
    yield "a draft of run.json", lambda work: (work / "run" / ".run.json-1").write_text("{")
    for name in (INPUT, CARD, WEIGHTS):
        yield f"{name}: removed", lambda work, name=name: (work / name).unlink()
        for title in ("emptied", "cut in half", "a bit in the middle flipped", "a byte more", "zeros"):
            yield f"{name}: {title}", rewritten(name, OF_CONTENT[title])
    yield f"{CARD}: another bias", rewritten(CARD, lambda card: card.replace(b"bias: -", b"bias: "))
    yield (
        f"{WEIGHTS}: those of another model",
        lambda work: shutil.copy(_model("cleaneval") / "weights.npz", work / WEIGHTS),
    )


def forged(change: Callable[[bytes], bytes]) -> Change:
    """Changes the records of a part, and writes everything anew that follows from them but the digests of texts."""

    def forge(work: Path) -> None:
        path = work / PART
        path.write_bytes(gzip.compress(change(gzip.decompress(path.read_bytes()))))
        digest = sha256(path.read_bytes()).hexdigest()
        of_entry(2, lambda part: part.update(sha256=digest))(work)
        of_json(MANIFEST, lambda data: data["shards"][0]["parts"][1].update(sha256=digest))(work)

    return forge


def of_forgers() -> Iterator[tuple[str, Change]]:
    less = forged(lambda records: records.replace(b'"probability":0.9', b'"probability":0.8'))
    yield "probabilities changed, with all digests", less
    yield "texts changed, with all digests", forged(lambda records: records.replace(b"the", b"The"))
    yield "a record less, with all digests", forged(lambda records: records.partition(b"\n")[2])


def changes() -> dict[str, Change]:
    return dict([*of_written_files(), *of_journal(), *of_facts(), *of_things_beside(), *of_forgers()])


def _model(name: str) -> Path:
    return ROOT / "models" / name


def make_run(work: Path) -> None:
    pages = [page.read_bytes() for page in sorted((ROOT / "examples").glob("*.html"))]
    make_archive(work / INPUT, pages, 12)
    shutil.copytree(_model("web"), work / "mine")
    status, said = _ran(work, "run", INPUT, "-m", "./mine", "-o", "run", "--part-pages", "5")
    if status or _ran(work, "verify", "run", "--sample", "50")[0]:
        raise SystemExit(f"the run is not sound before anything is changed: {said}")


def _ran(work: Path, *words: str) -> tuple[int, str]:
    said = io.StringIO()
    with chdir(work), redirect_stderr(said), redirect_stdout(said):
        try:
            return victor.main([*words]), said.getvalue()
        except SystemExit as end:
            return int(end.code or 0), said.getvalue()


def _files(work: Path) -> list[tuple[Path, bool, bytes]]:
    paths = sorted(path for path in work.rglob("*") if path.is_file())
    return [(path, path.is_symlink(), path.read_bytes()) for path in paths]


def is_noticed(whole: Path, change: Change) -> bool:
    """Is the change of a copy noticed? The copy takes the place of the run, because `run.json` names the folder."""
    work = whole.with_name("work")
    shutil.copytree(whole, work, symlinks=True)
    try:
        before = _files(work)
        change(work)
        if _files(work) == before:
            raise SystemExit("a change that changes nothing")
        status, said = _ran(work, "verify", "run", "--sample", "50")
        return status != 0 and said.startswith("victor: ")
    finally:
        shutil.rmtree(work)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only changes whose name holds this")
    only = parser.parse_args().only
    tried, wrong = {name: change for name, change in changes().items() if only in name}, []
    with TemporaryDirectory() as folder:
        work, whole = Path(folder, "work"), Path(folder, "whole")
        work.mkdir()
        make_run(work)
        work.rename(whole)
        for name, change in tried.items():
            found = is_noticed(whole, change)
            if found is (name in UNNOTICED):
                wrong.append(name)
                print(f"{name}: {'noticed' if found else 'not noticed'}", flush=True)
    print(f"{len(UNNOTICED.keys() & tried.keys())} of the changes cannot be noticed")
    tally("changes of a finished run, its input and its model", len(tried), len(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
