"""Learns a language model from text of any length, a piece at a time."""

import gzip
import hashlib
import logging
import re
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
from victorpy.sources import STDIN, Location

log = logging.getLogger("victorpy")

# Characters read at a time.
_PIECE = 1 << 21

# CLEANEVAL's kinds, and its first line.
_MARKERS = re.compile(r"(?m)^[ \t]*(?:<[phl]>|URL:[^\n]*)", re.IGNORECASE)


def texts_of(location: Location) -> Iterator[str]:
    """What stands in a file of text, plain or gzip, in pieces that end at line ends, where lines are not too long."""
    rest = ""
    for piece in _pieces(location):
        head, end, tail = (rest + piece).rpartition("\n")
        if end:
            yield head
            rest = tail
        elif len(tail) > _PIECE:
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
        raise VictorError(f"is not UTF-8: a byte {error.object[error.start]:#04x}", location.path) from error
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
    """The texts that a language model learns from: lines, without CLEANEVAL's markers."""
    folded = (" ".join(line.split()) for line in _MARKERS.sub("", text).split("\n"))
    return [line for line in folded if line]


@dataclass
class _Reader:
    """Counts what passes through it."""

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
    """Learns from pieces of text, in each of which a line is a text."""
    reader = _Reader(shape.unit)
    counted = counts(reader.read(pieces), shape.order)
    if not reader.symbols:
        raise UsageError(f"there are no {shape.unit} in these texts to learn from")
    log.info("%s texts, %s %s", f"{reader.texts:,}", f"{reader.symbols:,}", shape.unit)
    found = estimates(counted, shape.smoothing, shape.min_count, symbols([""], shape.unit).symbols[0])
    data = ReadTexts(reader.texts, reader.symbols, reader.total.hexdigest(), source, licence)
    card = LanguageModelCard(shape=shape, limit=USUAL_LIMITS[shape.unit], data=data, unknown=found.unknown)
    model = language_model(card, found)
    if limit is None and card.limit > model.largest:
        log.warning(
            "so little text that no perplexity is above %d: the limit %g drops nothing", model.largest, card.limit
        )
    return replace(model, card=replace(model.card, limit=checked_limit(model, limit)))
