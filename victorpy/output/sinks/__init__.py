"""Where outcomes go: files of many pages, each opened, written to outcome by outcome, and closed."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import IO

from victorpy.output.formats import EXTENSIONS, FORMATS
from victorpy.output.outcome import Outcome
from victorpy.output.sinks import parquet_sink, text_sink, warc_sink

Write = Callable[[Outcome], None]

# Opens what goes into a file; the file's name says how it is to be packed. The same outcomes give the same bytes.
Sink = Callable[[IO[bytes], str], AbstractContextManager[Write]]

SINKS: Mapping[str, Sink] = {
    **{format: partial(text_sink.opened, format) for format in FORMATS},
    "parquet": parquet_sink.opened,
    "warc": warc_sink.opened,
}


def ending(format: str, packing: str) -> str:
    """How the name of a file of this format ends; Parquet packs itself."""
    return EXTENSIONS[format] + ("" if format == "parquet" else packing)
