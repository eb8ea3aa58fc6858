"""What a child process runs: it receives chunks of tasks and sends back one result at a time."""

import mmap
import os
import pickle
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from victorpy import _core
from victorpy.foundation.processes.lifeline import Lifeline
from victorpy.foundation.processes.limits import NO_MEMORY, Crash, attempt

READY = b""


def serve(
    function: Callable[[Any], Any], connection: "Connection[Any, Any]", lifeline: Lifeline, megabytes: int | None
) -> None:
    """Work until the parent closes the connection. The parent handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if callable(signal.getsignal(number)):  # the handler of the parent
            signal.signal(number, signal.SIG_DFL)
    lifeline.hold()
    _core.exit_without_memory(NO_MEMORY)
    if megabytes is not None:
        _cap_memory(megabytes)
    with suppress(EOFError, ConnectionError):
        connection.send_bytes(READY)
        while True:
            for task in _received(connection):
                connection.send_bytes(_answer(partial(_pickled_result, function), task))


def _received(connection: "Connection[Any, Any]") -> list[bytes]:
    """Read the whole chunk before working on it, because the parent waits until it is sent."""
    try:
        return [connection.recv_bytes() for _ in range(connection.recv())]
    except MemoryError:
        os._exit(NO_MEMORY)


def _answer(function: Callable[[bytes], bytes], task: bytes) -> bytes:
    result = attempt(function, task)
    if not isinstance(result, Crash):
        return result
    if result.status == "out-of-memory":
        # The memory that is left is fragmented, so the next page would get less than its limit.
        os._exit(NO_MEMORY)
    return pickle.dumps(result)


def _pickled_result(function: Callable[[Any], Any], task: bytes) -> bytes:
    return pickle.dumps(function(pickle.loads(task)))


def _cap_memory(megabytes: int) -> None:
    """Limit the address space, because that is what the system can refuse. Only Linux reports its current size."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415  # not on Windows

    soft = min(_address_space() + megabytes * 1_000_000, sys.maxsize)
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


_STATM = Path("/proc/self/statm")


def _address_space() -> int:
    """How many bytes of address space this process has."""
    try:
        return int(_STATM.read_text("ascii").split()[0]) * mmap.PAGESIZE
    except OSError:  # a system without /proc
        return _lowest_limit()


def _lowest_limit() -> int:
    """The lowest limit of the address space, to 1 MB, under which the system still gives a page."""
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, min(limit for limit in (soft, hard, _MOST_ADDRESSES) if limit != resource.RLIM_INFINITY)
    try:
        while high - low > 1 << 20:
            middle = (low + high) // 2
            resource.setrlimit(resource.RLIMIT_AS, (middle, hard))
            low, high = (low, middle) if _gets_a_page() else (middle, high)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return high


_MOST_ADDRESSES = 1 << 47


def _gets_a_page() -> bool:
    try:
        mmap.mmap(-1, mmap.PAGESIZE).close()
    except (OSError, MemoryError):
        return False
    return True
