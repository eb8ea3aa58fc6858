"""Where outcomes go: each sink opens a file, writes one outcome after another, and closes the file."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import IO, Protocol

from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import parquet_sink, text_sink, warc_sink

Write = Callable[[Outcome], None]


class Sink(Protocol):
    """Takes the file and its name, which says how the file is packed. The same outcomes give the same bytes."""

    def __call__(
        self, file: IO[bytes], name: str, options: FormatOptions = DEFAULT_OPTIONS, /
    ) -> AbstractContextManager[Write]: ...


SINKS: Mapping[str, Sink] = {
    **{format: partial(text_sink.opened, format) for format in FORMATS.keys() - BUNDLED},
    "parquet": parquet_sink.opened,
    "warc": warc_sink.opened,
}


def ending(format: str, packing: str) -> str:
    """The end of a file's name. Parquet packs itself."""
    return EXTENSIONS[format] + ("" if format == "parquet" else packing)
