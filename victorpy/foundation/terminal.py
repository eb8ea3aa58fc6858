"""Texts on a terminal: control characters of pages and names are shown as escapes, so that they give it no orders."""

import io
import re
from codecs import getincrementaldecoder
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# C0 without tab and newline, DEL, C1, what changes the direction of text, and bytes of names that are not UTF-8.
_ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped(text: str) -> str:
    """The text without characters that a terminal obeys or cannot show: ESC becomes the four characters `\\x1b`."""
    if text.isascii() and text.isprintable():
        return text
    return _ORDERS.sub(_escape, text)


def escaped_line(text: str) -> str:
    """The same for a text that must stay in its line."""
    return escaped(text).replace("\n", "\\n")


def _escape(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


class _Onto:
    """A stream that writes to another one."""

    def __init__(self, stream: TextIO):
        self.stream = stream

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        self.stream.flush()

    def fileno(self) -> int:
        return self.stream.fileno()


class EscapingText(_Onto, io.TextIOBase):
    """A text stream whose texts, and the UTF-8 bytes for its `buffer`, are escaped."""

    def __init__(self, stream: TextIO):
        super().__init__(stream)
        self._buffer = _EscapingBytes(stream)

    @property
    def buffer(self) -> IO[bytes]:
        return cast(IO[bytes], self._buffer)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors

    def write(self, text: str) -> int:
        self.stream.write(escaped(text))
        return len(text)

    def isatty(self) -> bool:
        return self.stream.isatty()


class _EscapingBytes(_Onto, io.RawIOBase):
    """Pieces of UTF-8, which may end inside a character."""

    def __init__(self, stream: TextIO):
        super().__init__(stream)
        self._decoder = getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: "ReadableBuffer") -> int:
        content = bytes(data)
        self.stream.write(escaped(self._decoder.decode(content)))
        return len(content)


def bare(stream: Any) -> TextIO:
    """The stream for a program that draws on the terminal by itself. It must escape what it shows."""
    return cast(TextIO, stream.stream if isinstance(stream, EscapingText) else stream)
