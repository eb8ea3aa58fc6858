"""Language model folders: `lm.yaml`, readable by people, and `ngrams.npz`, plain arrays. Never pickle."""

import re
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import UsageError, VictorError
from victorpy.features.language.ngrams import LANGUAGE_FORMAT, LanguageModel, LanguageModelCard, NgramTable
from victorpy.foundation.arrays import ArrayFile, packed, read_arrays
from victorpy.foundation.paired_files import digest_of, read_pair, write_pair
from victorpy.foundation.resources import find
from victorpy.foundation.yaml_options import dump, read

CARD, NGRAMS = "lm.yaml", "ngrams.npz"
_PARTS = ("keys", "chances", "rests")


def save(model: LanguageModel, folder: Path) -> None:
    content = _ngrams_file(model)
    write_pair(folder / NGRAMS, content, folder / CARD, dump(replace(model.card, weights=digest_of(content))))


def _ngrams_file(model: LanguageModel) -> bytes:
    arrays: dict[str, NDArray[Any]] = {}
    for size, table in enumerate(model.tables, 1):
        is_last = size == len(model.tables)
        arrays[f"keys{size}"] = table.keys
        arrays[f"chances{size}"] = table.chances.astype(np.float16)
        arrays |= {} if is_last else {f"rests{size}": table.rests.astype(np.float16)}
    return packed(arrays)


def load(name: str) -> LanguageModel:
    """The language model of this name or in this folder. It is cached until the folder changes."""
    folder = find("language-models", name)
    _check_is_one(folder)
    return _loaded(folder.resolve(), (folder / CARD).stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _loaded(folder: Path, _: int) -> LanguageModel:
    return read_pair(folder / CARD, partial(_read, folder))


def _read(folder: Path, text: str) -> LanguageModel:
    _check_format(text, folder / CARD)
    card = read(LanguageModelCard, text, folder / CARD)
    return LanguageModel(card, _read_tables(folder / NGRAMS, card), folder.name, digest_of(text.encode()))


def _check_is_one(folder: Path) -> None:
    if (folder / CARD).exists():
        return
    if (folder / "model.yaml").exists():
        raise UsageError(f"a model that labels pages, not a language model: there is no {CARD} in it", folder)
    raise UsageError(f"not a language model: there is no {CARD} in it; 'victor lm train' makes one", folder)


def _check_format(card: str, place: Path) -> None:
    found = re.match(r"victorpy-language-model: (\d{1,9})$", card, re.MULTILINE)
    if not found:
        first = f"victorpy-language-model: {LANGUAGE_FORMAT}"
        raise VictorError(f"not a language model's card: its first line is not '{first}'", place, 1)
    if int(found[1]) != LANGUAGE_FORMAT:
        raise VictorError(
            f"a language model of format {found[1]}, but this victorpy reads format {LANGUAGE_FORMAT}:"
            " train it again, or use the version of victorpy that made it",
            place,
            1,
        )


def _read_tables(path: Path, card: LanguageModelCard) -> tuple[NgramTable, ...]:
    names = {f"{part}{size}" for part in _PARTS for size in range(1, card.shape.order + 1)}
    arrays = read_arrays(path, card.weights, names, ArrayFile(CARD, "n-grams", "a language model"))
    try:
        return tuple(_table_of(arrays, size) for size in range(1, card.shape.order + 1))
    except (KeyError, TypeError, ValueError) as error:
        raise VictorError(f"not the n-grams of a language model: {error}", path) from error


def _table_of(arrays: dict[str, NDArray[Any]], size: int) -> NgramTable:
    chances = arrays[f"chances{size}"]
    rests = arrays.get(f"rests{size}", np.zeros_like(chances))
    table = NgramTable(arrays[f"keys{size}"], chances.astype(np.float32), rests.astype(np.float32))
    if not table.fits:
        raise ValueError(f"the arrays of order {size} are not those of n-grams")
    return table
