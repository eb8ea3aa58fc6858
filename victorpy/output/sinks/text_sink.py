"""The sink for texts: one after another."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from victorpy.foundation.compression import packing
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import DELIMITED
from victorpy.output.outcome import Outcome

# A large page is not encoded at once, so that its text is not twice in memory.
_CHARACTERS = 1 << 20


@contextmanager
def opened(
    format: str, file: IO[bytes], name: str, _: FormatOptions = DEFAULT_OPTIONS
) -> Iterator[Callable[[Outcome], None]]:
    """An empty line separates two pages, unless the format shows where a page ends."""
    with packing(file, name) as packer:
        gap = b""

        def write(outcome: Outcome) -> None:
            nonlocal gap
            if outcome.text:
                packer.write(gap)
                for start in range(0, len(outcome.text), _CHARACTERS):
                    packer.write(outcome.text[start : start + _CHARACTERS].encode("utf-8", "replace"))
                gap = b"" if format in DELIMITED else b"\n"

        yield write
