"""Where outcomes go: each sink opens a file, writes one outcome after another, and closes the file."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import IO, Protocol

from victorpy.foundation.deferred import Deferred
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS
from victorpy.output.outcome import Outcome

Write = Callable[[Outcome], None]


class Sink(Protocol):
    """Takes the file and its name, which says how the file is packed. The same outcomes give the same bytes."""

    def __call__(
        self, file: IO[bytes], name: str, options: FormatOptions = DEFAULT_OPTIONS, /
    ) -> AbstractContextManager[Write]: ...


def _at(place: str) -> Deferred:
    return Deferred(f"output.sinks.{place}")


SINKS: Mapping[str, Sink] = {
    **{format: partial(_at("text_sink:opened"), format) for format in FORMATS.keys() - BUNDLED},
    "parquet": _at("parquet_sink:opened"),
    "warc": _at("warc_sink:opened"),
}


def ending(format: str, packing: str) -> str:
    """The end of a file's name. Parquet packs itself."""
    return EXTENSIONS[format] + ("" if format == "parquet" else packing)
