"""Who chooses the inputs: Atheris, led by what code they reach, or chance alone."""

import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NoReturn

from fuzzing.mutation import LONGEST, mutated
from fuzzing.reading import Target

LONGEST_SECONDS = 5.0
MOST_MEMORY = 500 << 20
_GIVEN_UP = 30.0
# Nothing that is fuzzed may take the machine with it.
_ALL_MEMORY = 6 << 30
_MOST_KEPT = 400


class HangError(BaseException):
    """No Exception, because nobody may take it for one of his own."""


class SlowError(AssertionError):
    """More time than so few bytes should take."""


class LargeError(AssertionError):
    """More memory than so few bytes should take."""


class Session:
    """Runs one target on input after input, counts, and keeps one input of each kind of trouble."""

    def __init__(self, name: str, target: Target, folder: Path, seconds: float):
        self.name, self.target, self.folder, self.seconds = name, target, folder, seconds
        self.executions, self.found = 0, dict[str, str]()
        signal.signal(signal.SIGPROF, _give_up)
        resource.setrlimit(resource.RLIMIT_AS, (_ALL_MEMORY, _ALL_MEMORY))
        self.seeds = target.seeds()
        for seed in self.seeds[:1] * 2:
            target.check(seed)  # whatever is only made once
        self.begun = time.process_time()

    @property
    def spent(self) -> float:
        return time.process_time() - self.begun

    def run(self, data: bytes) -> None:
        self.executions += 1
        memory, begun = _memory(), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, _GIVEN_UP)
        try:
            self.target.check(data)
            signal.setitimer(signal.ITIMER_PROF, 0)
            _check_costs(time.process_time() - begun, _memory() - memory)
        except (Exception, HangError) as error:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._keep(data, error)

    def _keep(self, data: bytes, error: BaseException) -> None:
        kind = f"{type(error).__name__} {_place(error)} {str(error)[:60] if isinstance(error, AssertionError) else ''}"
        if kind in self.found:
            return
        self.found[kind] = name = f"{self.name}-{zlib.crc32(kind.encode('utf-8', 'replace')):08x}"
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / f"{name}.input").write_bytes(data)
        told = "".join(traceback.format_exception(error))[-6_000:]
        (self.folder / f"{name}.txt").write_text(f"{kind}\n{told}", "utf-8", "backslashreplace")
        print(f"{self.name}: {kind}", file=sys.stderr, flush=True)


def _give_up(_: int, __: FrameType | None) -> NoReturn:
    raise HangError(f"no end after {_GIVEN_UP:g} s")


def _memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def _check_costs(seconds: float, memory: int) -> None:
    if seconds > LONGEST_SECONDS:
        raise SlowError(f"{seconds:.1f} s of processor time")
    if memory > MOST_MEMORY:
        raise LargeError(f"{memory >> 20} MB")


def _place(error: BaseException) -> str:
    """The last line of ours on the way to the trouble."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "victorpy/" in frame.filename]
    ours = [frame for frame in frames if "fuzzing/" not in frame.filename] or frames
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "nowhere"


def by_chance(session: Session, seed: int) -> None:
    """Inputs from the seeds alone; the same ones for the same seed."""
    chance = Random(seed)
    for data in session.seeds:
        session.run(data)
    while session.spent < session.seconds:
        session.run(_next(session, chance, chance.choice(session.seeds)))


def _next(session: Session, chance: Random, data: bytes) -> bytes:
    if session.target.is_chance:
        return chance.randbytes(16)
    return mutated(chance, data, session.target.fragments, session.seeds)


def by_coverage(atheris: Any, session: Session, seed: int, kept: Path | None, finish: Callable[[], None]) -> NoReturn:
    """Inputs that reached what none before them had reached are changed further; ends the process.

    They are `kept` for the next session.
    """
    corpus = Path(tempfile.mkdtemp(prefix="victorpy-corpus-"))
    given = _fill(corpus, session, kept, Random(seed))

    def one_input(data: bytes) -> None:
        if session.spent >= session.seconds:
            _keep_new(corpus, given, kept)
            finish()
            os._exit(1 if session.found else 0)
        session.run(data)

    def change(data: bytes, most: int, seed: int) -> bytes:
        chance = Random(seed)
        changed: bytes = atheris.Mutate(data, most) if chance.random() < 0.3 else _next(session, chance, data)
        return changed[:most]

    session.folder.mkdir(parents=True, exist_ok=True)
    options = {"seed": seed + 1, "max_len": LONGEST, "len_control": 0, "timeout": 900, "rss_limit_mb": 4_000}
    options |= {"artifact_prefix": f"{session.folder}/{session.name}-", "verbosity": 0}
    arguments = [sys.argv[0], *(f"-{name}={value}" for name, value in options.items()), str(corpus)]
    atheris.Setup(arguments, one_input, custom_mutator=change)
    atheris.Fuzz()
    raise AssertionError("libFuzzer does not return")


def _fill(corpus: Path, session: Session, kept: Path | None, chance: Random) -> set[str]:
    """The seeds, and some of what earlier sessions have kept: to run all of it may take longer than is left."""
    for number, data in enumerate(session.seeds):
        (corpus / f"{number}").write_bytes(data)
    found = sorted(kept.iterdir()) if kept and kept.exists() else []
    for path in chance.sample(found, min(len(found), _MOST_KEPT)):
        shutil.copy(path, corpus)
    return {path.name for path in corpus.iterdir()}


def _keep_new(corpus: Path, given: set[str], kept: Path | None) -> None:
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
        for path in corpus.iterdir():
            if path.name not in given:
                shutil.move(path, kept / path.name)
    shutil.rmtree(corpus)
