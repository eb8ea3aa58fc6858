"""A `victor` that harms itself: at marked pages, and, as a parent, at some moment of writing to the disk.

TORTURE_DIES_AT=12 python benchmarks/torture_victor.py run …

kills itself at the twelfth time that it makes sure of something on the disk or renames it; -12: right after that.
"""

import ctypes
import os
import pickle
import re
import resource
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import Any, NoReturn

import numpy as np

from victorpy import _core
from victorpy.cli import main
from victorpy.pipeline import cleaner

DIES_AT = "TORTURE_DIES_AT"
_MARK = re.compile(r"<!--torture:(\w+)-->")


def spin() -> NoReturn:
    while True:
        pass


def backtrack() -> None:
    """Holds the interpreter's lock all the time, so that no thread of the process gets a word in."""
    re.match(r"(a+)+$", "a" * 60 + "b")


def recurse() -> None:
    """Beyond the stack, in C."""
    sys.setrecursionlimit(1_000_000_000)
    nest: list[Any] = []
    for _ in range(200_000):
        nest = [nest]
    pickle.dumps(nest)


def eat() -> NoReturn:
    """In small pieces."""
    eaten = []
    while True:
        eaten.append(bytearray(1_000_000))


def fail() -> NoReturn:
    raise RuntimeError("a fault of ours")


HARM: dict[str, Callable[[], object]] = {
    "segfault": partial(ctypes.string_at, 0),
    "abort": os.abort,
    "leave": partial(os._exit, 0),
    "raise": fail,
    "recurse": recurse,
    "spin": spin,
    "hang": partial(time.sleep, 1_000_000),
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "backtrack": backtrack,
    "eat": eat,
    "gobble": lambda: np.ones(10**11),
}


class HarmedCore:
    """The core, but reading a page with a mark does harm."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_core, name)

    def of_bytes(self, data: bytes, *rest: Any) -> Any:
        found = _MARK.search(data[:100].decode("utf-8", "replace"))
        if found:
            HARM[found[1]]()
        return _core.of_bytes(data, *rest)


def die_at(number: int) -> None:
    """Of the calls that make sure of something on the disk."""
    calls, parent = count(1), os.getpid()
    for name in ("fsync", "replace", "link"):
        setattr(os, name, partial(_done_or_dead, getattr(os, name), calls, abs(number), parent, number < 0))


def _done_or_dead(
    call: Callable[..., Any], calls: Any, number: int, parent: int, is_after: bool, *words: Any, **named: Any
) -> Any:
    is_last = os.getpid() == parent and next(calls) == number
    if is_last and not is_after:
        os.kill(os.getpid(), signal.SIGKILL)
    result = call(*words, **named)
    if is_last:
        os.kill(os.getpid(), signal.SIGKILL)
    return result


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    cleaner._core = HarmedCore()
    if DIES_AT in os.environ:
        die_at(int(os.environ[DIES_AT]))
    sys.exit(main.main())
