"""Trains a language model on text of any length, piece by piece."""

import gzip
import hashlib
import logging
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import IO, Any

from victorpy.errors import UsageError, VictorError
from victorpy.features.language.counting import counts
from victorpy.features.language.ngrams import (
    USUAL_LIMITS,
    LanguageModel,
    LanguageModelCard,
    NgramShape,
    ReadTexts,
    checked_limit,
    language_model,
)
from victorpy.features.language.smoothing import estimates
from victorpy.features.language.symbols import Symbols, Unit, symbols
from victorpy.page.plain_text import MARKERS
from victorpy.sources import STDIN, Location

log = logging.getLogger("victorpy")

# How many characters are read at a time.
_PIECE = 1 << 21


def texts_of(location: Location) -> Iterator[str]:
    """The content of a text file, plain or gzip, in pieces. A piece ends at a line end unless the line is too long."""
    rest = ""
    for piece in _pieces(location):
        head, end, tail = (rest + piece).rpartition("\n")
        if end:
            yield head
            rest = tail
        elif len(tail) > _PIECE:
            if "\0" in tail:  # /dev/zero has no end
                raise VictorError(f"not a text: NULs, and no line end in {_PIECE:,} characters", location.path)
            yield tail
            rest = ""
        else:
            rest = tail
    if rest:
        yield rest


def _pieces(location: Location) -> Iterator[str]:
    try:
        with _opened(location.path) as file:
            yield from iter(lambda: file.read(_PIECE), "")
    except UnicodeDecodeError as error:
        raise VictorError(f"not UTF-8: byte {error.object[error.start]:#04x}", location.path) from error
    except (EOFError, zlib.error) as error:
        raise VictorError("damaged gzip", location.path) from error
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror or error}", location.path) from error


def _opened(path: str) -> IO[str]:
    if path == STDIN:
        return open(sys.stdin.fileno(), encoding="utf-8-sig", closefd=False)
    with open(path, "rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    opening: Any = gzip.open if is_packed else open
    opened: IO[str] = opening(path, "rt", encoding="utf-8-sig")
    return opened


def lines(text: str) -> list[str]:
    """The texts that a language model learns from: lines without CLEANEVAL's markers."""
    folded = (" ".join(line.split()) for line in MARKERS.sub("", text).split("\n"))
    return [line for line in folded if line]


@dataclass
class _CountingReader:
    """Reads symbols, and counts the texts and symbols that it has read."""

    unit: Unit
    texts: int = 0
    symbols: int = 0
    total: Any = field(default_factory=hashlib.sha256)

    def read(self, pieces: Iterable[str]) -> Iterator[Symbols]:
        for piece in pieces:
            texts = lines(piece)
            found = symbols(texts, self.unit)
            self.total.update("\n".join([*texts, ""]).encode("utf-8", "surrogatepass"))
            self.texts += len(texts)
            self.symbols += len(found.symbols) - len(texts)
            yield found


def learn(
    pieces: Iterable[str], shape: NgramShape, limit: float | None = None, source: str = "", licence: str = ""
) -> LanguageModel:
    """Learns from pieces of text. Each line is a text."""
    reader = _CountingReader(shape.unit)
    counted = counts(reader.read(pieces), shape.order)
    if not reader.symbols:
        raise UsageError(f"no {shape.unit} in these texts to learn from")
    log.info("%s texts, %s %s", f"{reader.texts:,}", f"{reader.symbols:,}", shape.unit)
    found = estimates(counted, shape.smoothing, shape.min_count, symbols([""], shape.unit).symbols[0])
    data = ReadTexts(reader.texts, reader.symbols, reader.total.hexdigest(), source, licence)
    card = LanguageModelCard(shape=shape, limit=USUAL_LIMITS[shape.unit], data=data, unknown=found.unknown)
    model = language_model(card, found)
    if limit is None and card.limit > model.largest:
        log.warning(
            "too little text: no perplexity is above %d, so the limit %g drops nothing", model.largest, card.limit
        )
    return replace(model, card=replace(model.card, limit=checked_limit(model, limit)))
