"""The standard streams of a command: none is missing, pipes get UTF-8, and terminals get no orders from pages."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO, cast

from victorpy.foundation.terminal import EscapingText


@contextmanager
def standard_streams() -> Iterator[None]:
    """Opens closed streams, and escapes what goes to a terminal, and all messages.

    After a mistake of ours the streams stay so, because Python prints its traceback.
    """
    _open_closed()
    before = sys.stdout, sys.stderr
    codec = sys.stdout.encoding, sys.stdout.errors
    sys.stdout, sys.stderr = _output(sys.stdout), _escaping(sys.stderr)
    try:
        yield
    except Exception:
        raise
    except BaseException:
        _restore(before, codec)
        raise
    _restore(before, codec)


def _open_closed() -> None:
    """Whatever uses a closed stream gets an error, and no other file gets its number."""
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _output(stream: TextIO) -> TextIO:
    if isinstance(stream, EscapingText):
        return stream
    is_terminal = stream.isatty()
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding=stream.encoding if is_terminal else "utf-8", errors="backslashreplace")
    return _escaping(stream) if is_terminal else stream


def _escaping(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, EscapingText) else cast(TextIO, EscapingText(stream))


def _restore(streams: tuple[TextIO, TextIO], codec: tuple[str, str | None]) -> None:
    sys.stdout, sys.stderr = streams
    with suppress(OSError):  # the error of the last write has been reported
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding=codec[0], errors=codec[1])
