"""Give a terminal orders: every command, with pages, gold texts, names of files and words that hold control characters.

python benchmarks/terminals.py [COMMAND…] [--kind KIND]

Each command runs on two terminals, one for each of its outputs. It fails if a control character (C0, C1, DEL, an
override of bidirectional text) reaches one of them, or a line that a name has forged, and if it ends with a traceback.
The commands that go on until somebody ends them are not here. Ends with status 1 if anything fails.
"""

import argparse
import errno
import os
import pty
import re
import selectors
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn, TextIO

from tally import tally

from victorpy.cli import main as victor

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from conftest import CONFIG, TEMPLATE  # noqa: E402
from terminal_cases import (  # noqa: E402
    BEFORE,
    CASES,
    ORDERS,
    RAW,
    UP,
    WRONG_WORDS,
    places_of,
    words_of,
    write_hostile_files,
)

FORGED = "FORGED"
KINDS = {
    "escape sequences": ORDERS,
    "C0 and DEL": "".join(map(chr, [*range(1, 9), 11, 12, *range(14, 32), 127])),
    "C1": "".join(map(chr, range(0x80, 0xA0))),
    "overrides": "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
    "bytes that are no UTF-8": "\udc9b31m\udc85\udcff",
    "line ends": f"x\n{FORGED}x\r{FORGED}",
}
OUTPUTS = {1: "stdout", 2: "stderr"}


# Programs read this from stdout as it is: the path of what was written, and CSV, which quotes line ends.
FOR_PROGRAMS = re.compile("(train|learn labeler|lm train|report) |.* --csv")


class Shown(NamedTuple):
    output: str
    text: str


def shown_by(words: list[str]) -> list[Shown]:
    """What a command writes to its terminals."""
    terminals = {number: pty.openpty() for number in OUTPUTS}
    child = os.fork()
    if not child:
        _run(words, {number: slave for number, (_, slave) in terminals.items()})
    for _, slave in terminals.values():
        os.close(slave)
    texts = _read({master: number for number, (master, _) in terminals.items()})
    os.waitpid(child, 0)
    return [Shown(OUTPUTS[number], text.decode("utf-8", "surrogateescape")) for number, text in texts.items()]


def _run(words: list[str], slaves: dict[int, int]) -> NoReturn:
    status = 1
    try:
        for number, slave in slaves.items():
            os.dup2(slave, number)
        sys.stdout, sys.stderr = _writer(1, "strict"), _writer(2, "backslashreplace")
        status = victor.main(words)
    except SystemExit as stop:
        status = int(stop.code or 0)
    finally:
        sys.stdout.flush()
        os._exit(status)


def _writer(number: int, errors: str) -> TextIO:
    return os.fdopen(number, "w", encoding="utf-8", errors=errors, closefd=False, buffering=1)


def _read(masters: dict[int, int]) -> dict[int, bytes]:
    """All that comes, until whoever can write has ended."""
    texts = dict.fromkeys(masters.values(), b"")
    with selectors.DefaultSelector() as selector:
        for master in masters:
            selector.register(master, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select():
                piece = _piece(key.fd)
                texts[masters[key.fd]] += piece
                if not piece:
                    selector.unregister(key.fd)
                    os.close(key.fd)
    return texts


def _piece(master: int) -> bytes:
    try:
        return os.read(master, 1 << 16)
    except OSError as error:
        # So Linux says that no one can write any more.
        if error.errno == errno.EIO:
            return b""
        raise


def problems(said: str, shown: Shown) -> list[str]:
    found = [f"{ord(sign):04x}" for sign in RAW.findall(shown.text.replace(UP, ""))]
    is_data = shown.output == "stdout" and FOR_PROGRAMS.match(said)
    forged = [] if is_data else re.findall(rf"[\r\n]{FORGED}", shown.text)
    return [*found, *map(repr, forged), *(["a traceback"] if "Traceback (most recent" in shown.text else [])]


def commands(chosen: list[str]) -> Iterator[tuple[str, Callable[[dict[str, str]], list[str]]]]:
    for name in chosen:
        for case in (*CASES[name], *WRONG_WORDS.values()):
            yield f"{name} {case}", lambda places, name=name, case=case: words_of(name, case, places)


def tried(folder: Path, orders: str, chosen: list[str]) -> Iterator[tuple[str, Shown]]:
    """The commands with files whose names and texts hold the orders."""
    config = folder.parent / "small.yaml"
    places = places_of(folder.parent / "model", config, orders)
    write_hostile_files(folder, config, orders)
    if not (folder.parent / "model").exists():
        shown_by(["train", "-q", "annotations", "-c", str(config), "-m", str(folder.parent / "model")])
    for name in BEFORE.keys() & set(chosen):
        shown_by(words_of("", BEFORE[name], places))
    for said, words in commands(chosen):
        yield from ((said, shown) for shown in shown_by(words(places)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commands", nargs="*", help=f"{', '.join(CASES)} (all)")
    parser.add_argument("--kind", choices=KINDS, action="append", help="of control characters; repeatable (all)")
    options = parser.parse_args()
    counted = failed = silent = 0
    with TemporaryDirectory() as place:
        Path(place, "small.tpl").write_text(TEMPLATE)
        Path(place, "small.yaml").write_text(CONFIG)
        for number, (kind, orders) in enumerate((kind, KINDS[kind]) for kind in options.kind or KINDS):
            folder = Path(place, str(number))
            folder.mkdir()
            with chdir(folder):
                for said, shown in tried(folder, orders, options.commands or [*CASES]):
                    found = problems(said, shown)
                    counted, failed, silent = counted + 1, failed + bool(found), silent + (not shown.text)
                    if found:
                        print(f"{kind}: victor {said}: {shown.output}: {' '.join(found[:8])}", flush=True)
    print(f"{silent} outputs said nothing")
    tally("outputs of commands on a terminal, control characters in pages, texts, names, words", counted, failed)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
