"""Where outcomes go: files of many pages, each opened, written to outcome by outcome, and closed."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import IO

from victorpy.batch import Outcome
from victorpy.formats import EXTENSIONS, FORMATS
from victorpy.sinks import parquet, texts, warc

Write = Callable[[Outcome], None]

# Opens what goes into a file; the file's name says how it is to be packed. The same outcomes give the same bytes.
Sink = Callable[[IO[bytes], str], AbstractContextManager[Write]]

SINKS: Mapping[str, Sink] = {
    **{format: partial(texts.opened, format) for format in FORMATS},
    "parquet": parquet.opened,
    "warc": warc.opened,
}


def ending(format: str, packing: str) -> str:
    """How the name of a file of this format ends; Parquet packs itself."""
    return EXTENSIONS[format] + ("" if format == "parquet" else packing)
