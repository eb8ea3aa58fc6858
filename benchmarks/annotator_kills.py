"""Kill `victor annotate` at random moments during input. All labels that the screen showed must be saved.

python benchmarks/annotator_kills.py --kills 100
"""

import argparse
import os
import random
import re
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pexpect
import pyte
from tally import tally

from victorpy.annotation.anno_files import read
from victorpy.annotator import label_journal as journals
from victorpy.annotator.label_store import journal_of
from victorpy.errors import VictorError
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

BLOCKS = 300
HTML = "<title>Boats</title>" + "".join(f"<p>Boat number {number} came in at dawn." for number in range(BLOCKS))
LABELS = {"p": Label.PARAGRAPH, "h": Label.HEADER, "l": Label.LIST, "c": Label.CONTINUATION, "o": Label.OTHER}

State = tuple[Label | None, ...]


class Played(NamedTuple):
    """What the labels were before the first key and after each, and how many blocks the screens showed as labeled."""

    states: list[State]
    shown: list[int]


class Hand:
    """Presses keys, and knows what should come of each."""

    def __init__(self, labels: State, cursor: int, chance: random.Random):
        self.states, self.cursor, self.chance = [labels], cursor, chance
        self.past: list[tuple[int, State]] = []

    def key(self) -> str:
        """Mostly a label; sometimes undo, save, or another block."""
        key = self.chance.choices([*LABELS, "u", "s", "j", "k"], [8, 8, 8, 8, 8, 3, 2, 2, 2])[0]
        labels = self.states[-1]
        if key in LABELS:
            self.past.append((self.cursor, labels))
            labels = (*labels[: self.cursor], LABELS[key], *labels[self.cursor + 1 :])
            if labels == self.past[-1][1]:
                self.past.pop()
        elif key == "u" and self.past:
            self.cursor, labels = self.past.pop()
        self.cursor += (key in LABELS or key == "j") - (key == "k")
        self.cursor = max(0, min(self.cursor, BLOCKS - 1))
        self.states.append(labels)
        return key


def labels_on_disk(anno: Path) -> State:
    """As the next start will find them; fails if a file cannot be read."""
    texts = segment(HTML).texts
    saved = read(anno).labels if anno.exists() else (None,) * len(texts)
    content = journal_of(anno).read_bytes() if journal_of(anno).exists() else b""
    left = journals.read(content)
    if left is None:
        if content:
            raise ValueError(f"a journal that cannot be read: {content[:80]!r}")
        return tuple(saved)
    if not left.is_whole:
        raise ValueError("a journal that is damaged")
    return tuple(journals.recovery(left, texts, saved).labels)


def play_and_kill(folder: Path, before: State, cursor: int, chance: random.Random) -> Played:
    """One life of the program: it starts, keys are played, and at some moment it is gone."""
    hand = Hand(before, cursor, chance)
    program = pexpect.spawn(
        sys.executable, ["-m", "victorpy", "annotate", "page.html"], cwd=folder, dimensions=(24, 100), timeout=20
    )
    program.delaybeforesend = None
    output = bytearray()
    if chance.random() < 0.9:  # the others are killed while they start
        while not re.search(rb"/\d+ labeled", output):
            output += program.read_nonblocking(1 << 16, timeout=20)
    end = time.monotonic() + chance.uniform(0, 1.5)
    pace = chance.choice([0.002, 0.01, 0.03, 0.1])
    while time.monotonic() < end:
        if output:
            program.send(hand.key())
        output += _waiting(program, pace)
    os.kill(program.pid, signal.SIGKILL)
    output += _rest(program)
    return Played(hand.states, _counts(bytes(output)))


def _waiting(program: pexpect.spawn, seconds: float) -> bytes:
    try:
        return program.read_nonblocking(1 << 16, timeout=seconds)
    except (pexpect.TIMEOUT, pexpect.EOF):
        return b""


def _rest(program: pexpect.spawn) -> bytes:
    rest = b""
    while True:
        try:
            rest += program.read_nonblocking(1 << 16, timeout=5)
        except pexpect.EOF:
            program.close(force=True)
            return rest


def _counts(output: bytes) -> list[int]:
    """What each of the screens said of the number of labeled blocks."""
    screen = pyte.Screen(100, 24)
    stream = pyte.ByteStream(screen)
    counts: list[int] = []
    # A screen is drawn in one go, and begins by hiding the cursor.
    for part in re.split(rb"(?=\x1b\[\?25l)", output):
        stream.feed(part)
        found = re.search(r"(\d+)/\d+ labeled", "\n".join(screen.display))
        if found:
            counts.append(int(found[1]))
    return counts


def acknowledged(played: Played) -> int:
    """The number of keys that the screens have surely answered: the fewest that explain all counts in their order."""
    key = 0
    sizes = [sum(label is not None for label in state) for state in played.states]
    for count in played.shown:
        while sizes[key] != count:
            key += 1
    return key


class Lives(NamedTuple):
    """How many keys were played and answered, and how many kills left something lost or unreadable."""

    keys: int = 0
    answered: int = 0
    lost: int = 0
    unreadable: int = 0


def life(folder: Path, chance: random.Random, so_far: Lives) -> Lives:
    """Plays on from where the last kill left the page, which begins anew when it is nearly full."""
    anno = folder / "page.anno"
    before = labels_on_disk(anno)
    if before.count(None) < 50:
        _remove(anno)
        before = (None,) * BLOCKS
    played = play_and_kill(folder, before, _cursor(anno), chance)
    sure = acknowledged(played)
    so_far = so_far._replace(keys=so_far.keys + len(played.states) - 1, answered=so_far.answered + sure)
    try:
        is_lost = labels_on_disk(anno) not in played.states[sure:]
    except (VictorError, ValueError) as error:
        print(error, file=sys.stderr)
        _remove(anno)
        return so_far._replace(unreadable=so_far.unreadable + 1)
    return so_far._replace(lost=so_far.lost + is_lost)


def _remove(anno: Path) -> None:
    anno.unlink(missing_ok=True)
    journal_of(anno).unlink(missing_ok=True)


def _cursor(anno: Path) -> int:
    """Where the next start puts the cursor."""
    if not journal_of(anno).exists():
        return 0
    left = journals.read(journal_of(anno).read_bytes())
    return left.cursor if left else 0


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    chance, so_far = random.Random(options.seed), Lives()
    with TemporaryDirectory() as folder:
        Path(folder, "page.html").write_text(HTML)
        for _ in range(options.kills):
            so_far = life(Path(folder), chance, so_far)
    print(f"{so_far.keys} keys played, {so_far.answered} of them answered on the screen")
    print(f"kills that lost an answered label: {so_far.lost}; that left an unreadable file: {so_far.unreadable}")
    tally("kills of `victor annotate` during input", options.kills, so_far.lost + so_far.unreadable)
    sys.exit(bool(so_far.lost or so_far.unreadable))


if __name__ == "__main__":
    main()
