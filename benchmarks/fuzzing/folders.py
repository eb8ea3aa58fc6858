"""Models, language models and counts of sites: folders and files of arrays, torn, and changed array by array."""

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from fuzzing.mutation import chance_of, plain
from fuzzing.promises import promise
from fuzzing.reading import (
    FOLDER,
    ROOT,
    SEPARATOR,
    Target,
    chances,
    page_seeds,
    refused,
    small_page,
    written,
)
from victorpy.annotation import anno_files
from victorpy.features.language import folders
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape
from victorpy.foundation.arrays import ArrayFile, read_arrays
from victorpy.labelers import site_counts
from victorpy.labelers.perplexity import Perplexity
from victorpy.models import config, model_folder, training
from victorpy.page.encoding import decode
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment

Arrays = dict[str, Any]


def npz(arrays: Arrays) -> bytes:
    """Not packed, so that what is torn is an array and not its packing."""
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def npy(array: Any) -> bytes:
    content = io.BytesIO()
    np.lib.format.write_array(content, np.asarray(array), allow_pickle=False)
    return content.getvalue()


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _with_digest(card: bytes, digest: str) -> bytes:
    """A card that speaks of these weights, or they would be refused at once."""
    lines = card.splitlines(keepends=True)
    return b"".join(f"weights: {digest}\n".encode() if line.startswith(b"weights:") else line for line in lines)


# Models


def _model_seeds() -> list[bytes]:
    with np.load(ROOT / "models" / "cleaneval" / model_folder.WEIGHTS) as arrays:
        weights = npz(dict(arrays))
    return [(ROOT / "models" / "cleaneval" / model_folder.CARD).read_bytes() + SEPARATOR + weights]


def _check_model(data: bytes) -> None:
    card, _, weights = data.partition(SEPARATOR)
    folder = written("model/weights.npz", weights).parent
    written("model/model.yaml", _with_digest(card, _digest(weights)))
    _check_model_at(folder)


def _check_model_at(folder: Path) -> None:
    model = refused(lambda: model_folder.load(str(folder)))
    if model:
        with np.errstate(all="ignore"):
            promise(len(model.label(small_page())) == len(small_page()), "not one label per block")


_OWN = """\
include: cleaneval
learner: tree
tree: {min-leaf: 2}
"""


def _weights_seeds() -> list[bytes]:
    """Makes a model of what no shipped one has: a decision tree."""
    own = config.read_text(_OWN, ROOT / "configs" / "own.yaml")
    read = map(anno_files.read, sorted((ROOT / "annotations").glob("*.anno"))[:6])
    labeled = [anno_files.AnnotatedPage(*anno_files.labeled_page(page, own.markup)[:2]) for page in read]
    model_folder.save(training.train(labeled, own), FOLDER / "own")
    return chances()


def _check_weights(data: bytes) -> None:
    """The arrays of a model, each with another shape or type or other values."""
    chance = chance_of(data)
    source = chance.choice((ROOT / "models" / "web", ROOT / "models" / "cleaneval", FOLDER / "own"))
    with np.load(source / model_folder.WEIGHTS) as file:
        arrays = dict(file)
    for _ in range(chance.choice((1, 1, 2))):
        _change_one(chance, arrays)
    weights = npz(arrays)
    folder = written("weights/weights.npz", weights).parent
    written("weights/model.yaml", _with_digest((source / model_folder.CARD).read_bytes(), _digest(weights)))
    _check_model_at(folder)


def _change_one(chance: Random, arrays: Arrays) -> None:
    name = chance.choice(sorted(arrays))
    array = arrays.pop(name)
    if chance.random() < 0.1 or array.dtype.names:
        return
    arrays[name] = chance.choice(_ARRAY_CHANGES)(chance, array)


_ARRAY_CHANGES: tuple[Callable[[Random, Any], Any], ...] = (
    lambda _, array: array[: len(array) // 2] if array.ndim else np.zeros(3),
    lambda _, array: array.reshape(-1),
    lambda _, array: array[..., None],
    lambda _, array: array.reshape(-1)[:1].reshape(()) if array.size else np.array(0),
    lambda _, array: np.zeros((0, *array.shape[1:]), array.dtype),
    lambda chance, array: array.astype(
        chance.choice(("S4", "U4", "f2", "c16", "?", ">i8", ">f8") if array.dtype.kind not in "SUM" else ("S40",))
    ),
    lambda chance, array: np.full(array.shape, chance.choice((-1, 7, 1 << 20, -(1 << 40), (1 << 63) - 1))),
    lambda chance, array: np.full(array.shape, chance.choice((np.nan, np.inf, -np.inf, 1e300, 1e38))),
    lambda _, array: np.zeros(array.shape, [("a", "f4"), ("b", "i2")]),
    lambda _, array: np.zeros(array.shape, "M8[s]"),
    lambda _, array: np.roll(array, 1),
    lambda _, array: np.sort(array.reshape(-1))[::-1].reshape(array.shape) if array.dtype.kind != "U" else array,
    lambda _, array: np.asfortranarray(array),
)


# Language models


def _language_model_seeds() -> list[bytes]:
    card, arrays = _own_language_model("words")
    return [card + SEPARATOR + npz(arrays)]


def _own_language_model(unit: Any) -> tuple[bytes, Arrays]:
    folder = FOLDER / f"lm-seed-{unit}"
    if not folder.exists():
        text = "The ferry leaves at seven.\nNobody waits for the ferry at seven.\n"
        folders.save(learn([text * 3], NgramShape(unit, 2)), folder)
    with np.load(folder / folders.NGRAMS) as arrays:
        return (folder / folders.CARD).read_bytes(), dict(arrays)


def _check_language_model(data: bytes) -> None:
    card, _, ngrams = data.partition(SEPARATOR)
    _check_ngrams_of(card, ngrams)


def _check_ngrams(data: bytes) -> None:
    chance = chance_of(data)
    card, arrays = _own_language_model(chance.choice(("words", "characters")))
    for _ in range(chance.choice((1, 1, 2))):
        _change_one(chance, arrays)
    _check_ngrams_of(card, npz(arrays))


def _check_ngrams_of(card: bytes, ngrams: bytes) -> None:
    written("lm/ngrams.npz", ngrams)
    folder = written("lm/lm.yaml", _with_digest(card, _digest(ngrams))).parent
    folders._loaded.cache_clear()
    model = refused(lambda: folders.load(str(folder)))
    if model:
        with np.errstate(all="ignore"):
            model.surprise(["The ferry leaves at seven.", "", "渡轮"])
        refused(lambda: Perplexity(str(folder)).labeling(small_page()), has_place=False)


# Sites, and arrays by themselves


def _counted() -> Any:
    counting = site_counts.SiteCounter(BLOCKS, megabytes=1)
    for number, page in enumerate(page_seeds()[:20]):
        counting.add(segment(decode(page).text, f"{number}", markup=BLOCKS), "x.example")
    return counting.sites()


def _site_seeds() -> list[bytes]:
    path = FOLDER / "seed.sites"
    site_counts.save(_counted(), path)
    return [path.read_bytes()]


def _check_site(data: bytes) -> None:
    path = written("x.sites", data)
    known = refused(lambda: site_counts.load(path))
    if known:
        seen = known.with_counts_of(small_page(), "x.example").site_counts
        promise(len(seen.texts) == len(small_page()), "not one count per block")


def _array_seeds() -> list[bytes]:
    cells = np.zeros((4, 8), np.uint16)
    arrays = (cells, cells.astype(">u2"), np.zeros(3), np.array("text"), np.zeros((2, 2), [("a", "i4"), ("b", "U3")]))
    header = b"{'descr': '<u2', 'fortran_order': False, 'shape': (4, 8), }\n"
    long = len(header).to_bytes(4, "little") + header + cells.tobytes()
    return [*map(npy, arrays), b"\x93NUMPY\2\0" + long, b"\x93NUMPY\3\0" + long]


def _check_array(data: bytes) -> None:
    """In a file of sites, with a sound header, and among the arrays of a model."""
    _check_site(_zipped({site_counts.HEADER: b"victorpy-sites: 1\n", site_counts.CELLS: data}))
    arrays = _zipped({"text.npy": data})
    path = written("arrays.npz", arrays)
    refused(lambda: read_arrays(path, _digest(arrays), {"text"}, ArrayFile("card", "arrays", "a file")))


def _zipped(members: Mapping[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return content.getvalue()


FOLDERS: dict[str, Target] = {
    "model": Target(_check_model, _model_seeds, plain),
    "weights": Target(_check_weights, _weights_seeds, is_chance=True),
    "language-model": Target(_check_language_model, _language_model_seeds, plain),
    "ngrams": Target(_check_ngrams, chances, is_chance=True),
    "site": Target(_check_site, _site_seeds, plain),
    "array": Target(_check_array, _array_seeds, plain),
}
