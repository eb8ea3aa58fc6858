"""Where outcomes go: each sink opens a file, writes one outcome after another, and closes the file."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import IO

from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import parquet_sink, text_sink, warc_sink

Write = Callable[[Outcome], None]

# Takes the file and its name, which says how the file is packed. The same outcomes give the same bytes.
Sink = Callable[[IO[bytes], str], AbstractContextManager[Write]]

SINKS: Mapping[str, Sink] = {
    **{format: partial(text_sink.opened, format) for format in FORMATS.keys() - BUNDLED},
    "parquet": parquet_sink.opened,
    "warc": warc_sink.opened,
}


def ending(format: str, packing: str) -> str:
    """The end of a file's name. Parquet packs itself."""
    return EXTENSIONS[format] + ("" if format == "parquet" else packing)
