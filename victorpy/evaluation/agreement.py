"""Measure how far annotators agree beyond chance, and list where they disagree."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.annotation.anno_files import Annotation, read
from victorpy.annotation.realignment import Changes, realigned
from victorpy.annotation.text_scores import UNKNOWN, words_of
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.statistics import Codes, Floats, confusion_matrix
from victorpy.page.blocks import LABELS, Label
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

if TYPE_CHECKING:
    import pandas as pd

Numbers = NDArray[Any]

log = logging.getLogger("victorpy")

# The code of a unit without a label.
MISSING = -1

_MOST_NAMED = 5
_CODES: Mapping[Label | None, int] = {None: MISSING, **{label: code for code, label in enumerate(LABELS)}}
_ALL, _CONTENT = "all labels", "content or other"

# The distinctions: for each label, the side that it is on.
_DISTINCTIONS: Mapping[str, Codes] = {
    _ALL: np.arange(len(LABELS)),
    _CONTENT: np.array([int(label.is_content) for label in LABELS]),
    **{
        f"{label} or not": (np.arange(len(LABELS)) == code).astype(int)
        for code, label in enumerate(LABELS)
        if label.is_content
    },
}


# Coefficients of an array of units × annotators, with a weight for each unit


def observed(codes: Codes, weights: Numbers | None = None) -> float:
    """The share of agreeing pairs of annotators, unit by unit."""
    pairs = coincidences(codes, weights)
    return float(pairs.trace() / pairs.sum()) if pairs.any() else UNKNOWN


def alpha(codes: Codes, weights: Numbers | None = None) -> float:
    """Krippendorff's alpha for nominal codes, with gaps (Computing Krippendorff's Alpha-Reliability, 2011)."""
    pairs = coincidences(codes, weights)
    total, sums = pairs.sum(), pairs.sum(0)
    by_chance = total**2 - (sums**2).sum()
    return float(1 - (total - 1) * (total - pairs.trace()) / by_chance) if by_chance else UNKNOWN


def coincidences(codes: Codes, weights: Numbers | None = None) -> Floats:
    """How often each pair of codes occurs in a unit; a unit of weight 2 counts twice."""
    given = (codes[:, :, None] == np.arange(codes.max(initial=MISSING) + 1)).sum(1)
    sizes = given.sum(1)
    shares = np.divide(1.0, sizes - 1, out=np.zeros(len(codes)), where=sizes > 1) * _weights(codes, weights)
    weighted = given * shares[:, None]
    pairs: Floats = given.T @ weighted - np.diag(weighted.sum(0))
    return pairs


def kappa(codes: Codes, weights: Numbers | None = None) -> float:
    """Cohen's kappa; for more than two annotators, the mean over their pairs (Light 1971)."""
    found = [_kappa(codes[:, list(pair)], _weights(codes, weights)) for pair in combinations(range(codes.shape[1]), 2)]
    known = [value for value in found if not np.isnan(value)]
    return float(np.mean(known)) if known else UNKNOWN


def _kappa(codes: Codes, weights: Numbers) -> float:
    has_both = (codes != MISSING).all(1)
    rows, columns = codes[has_both].T
    table = confusion_matrix(rows, columns, weights[has_both].astype(float), codes.max(initial=0) + 1)
    total = table.sum()
    by_chance = table.sum(0) @ table.sum(1)
    return float((total * table.trace() - by_chance) / (total**2 - by_chance)) if by_chance < total**2 else UNKNOWN


def _weights(codes: Codes, weights: Numbers | None) -> Numbers:
    return np.ones(len(codes)) if weights is None else weights


# Pages


class ComparedPage(NamedTuple):
    """A page with the labels of several annotators, one label per block and annotator."""

    id: str
    texts: Sequence[str]
    labels: Sequence[Sequence[Label | None]]

    @property
    def codes(self) -> Codes:
        """Block × annotator."""
        return np.array([[_CODES[label] for label in labels] for labels in self.labels], int).T

    @property
    def words(self) -> Codes:
        return np.array([len(words_of(text)) for text in self.texts], int)


def compared(first: Annotation, second: Annotation) -> tuple[ComparedPage, Changes]:
    """The first annotator's blocks with both labels, found by the texts of blocks. A field counts as its base."""
    labels, changes = realigned(second.texts, second.labels, first.texts)
    return ComparedPage(first.id, first.texts, (_bases(first.labels), _bases(labels))), changes


def _bases(labels: Iterable[Label | None]) -> list[Label | None]:
    return [label and label.base for label in labels]


def pairs_of(first: str, second: str) -> dict[str, tuple[Path, Path]]:
    """Two files, or the files of two folders with the same name or, failing that, the same page id."""
    folders = [Path(name).is_dir() for name in (first, second)]
    ours, theirs = (
        {page.id: Path(page.path) for page in find_pages([name], ANNOTATION_SUFFIXES)} for name in (first, second)
    )
    if not any(folders):
        return {next(iter(ours)): (Path(first), Path(second))}
    if not all(folders):
        raise UsageError("expected two files or two folders, got a file and a folder", f"{first}, {second}")
    pairs = _paired(ours, theirs)
    taken = {path for pair in pairs.values() for path in pair}
    for folder, files in ((first, ours), (second, theirs)):
        _warn_of_unpaired(folder, [name for name, path in files.items() if path not in taken])
    if not pairs:
        raise UsageError(
            f"no page here has the name or the id of a page in {second}, such as {next(iter(theirs))}", first
        )
    return dict(sorted(pairs.items()))


def _paired(ours: Mapping[str, Path], theirs: Mapping[str, Path]) -> dict[str, tuple[Path, Path]]:
    same = {name: (ours[name], theirs[name]) for name in ours if name in theirs}
    return same | _same_ids(*({name: side[name] for name in side if name not in same} for side in (ours, theirs)))


def _same_ids(ours: Mapping[str, Path], theirs: Mapping[str, Path]) -> dict[str, tuple[Path, Path]]:
    """Pairs of files with the same page id, if no other file has it."""
    if not ours or not theirs:
        return {}
    by_id, their_id = (
        {id: paths[0] for id, paths in _by_id(side).items() if len(paths) == 1} for side in (ours, theirs)
    )
    names = {path: name for name, path in ours.items()}
    return {names[path]: (path, their_id[id]) for id, path in by_id.items() if id in their_id}


def _by_id(files: Mapping[str, Path]) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in files.values():
        if id := read(path).id:
            found.setdefault(id, []).append(path)
    return found


def _warn_of_unpaired(folder: str, names: Sequence[str]) -> None:
    if names:
        shown = ", ".join([*names[:_MOST_NAMED], *["…"] * (len(names) > _MOST_NAMED)])
        log.warning("%s: %d pages that the other annotator does not have are left out: %s", folder, len(names), shown)


def compared_files(pairs: Mapping[str, tuple[Path, Path]]) -> list[ComparedPage]:
    """Read the pairs; warn of pages with different blocks, and refuse pages without a common block."""
    pages = []
    for name, (ours, theirs) in pairs.items():
        page, changes = compared(read(ours), read(theirs))
        if page.texts and changes.new == len(page.texts):
            raise VictorError(f"not the same page: no block in common with {theirs}", ours)
        if not changes.is_none:
            log.warning("%s and %s have different blocks, paired by their texts: %s", ours, theirs, changes)
        pages.append(page._replace(id=name))
    return pages


# Tables


def agree(first: str, second: str) -> list[ComparedPage]:
    """The pages of two annotators (files or folders); pass them to the tables below."""
    return compared_files(pairs_of(first, second))


def agreement(pages: Sequence[ComparedPage]) -> "pd.DataFrame":
    """One row per distinction and weight: coefficients from -1 to 1, or why there are none."""
    import pandas as pd  # noqa: PLC0415

    codes, words = _all_codes(pages), _all_words(pages)
    weights = {"blocks": np.ones(len(codes), int), "words": words}
    rows = [
        {"distinction": name, "weight": weight, **_figures(_sided(codes, sides), weights[weight])}
        for name, sides in _DISTINCTIONS.items()
        for weight in weights
    ]
    return pd.DataFrame(rows).set_index(["distinction", "weight"])


def page_agreement(pages: Sequence[ComparedPage]) -> "pd.DataFrame":
    """One row per page: coefficients of all labels, with equal weights."""
    import pandas as pd  # noqa: PLC0415

    rows = [{"page": page.id, **_figures(page.codes, np.ones(len(page.texts), int))} for page in pages]
    return pd.DataFrame(rows, columns=["page", *_figures(np.empty((0, 2), int), np.empty(0, int))]).set_index("page")


def _figures(codes: Codes, weights: Numbers) -> dict[str, Any]:
    has_pair = (codes != MISSING).sum(1) > 1
    return {
        "units": int(weights[has_pair].sum()),
        "observed": observed(codes, weights),
        "kappa": kappa(codes, weights),
        "alpha": alpha(codes, weights),
        "why not": _why_not(codes[has_pair], weights[has_pair]),
    }


def _why_not(codes: Codes, weights: Numbers) -> str:
    """Why coefficients are undefined; empty if they are defined."""
    if not len(codes):
        return "no block has two labels"
    if not weights.any():
        return "no words in these blocks"
    return "all blocks have the same label" if len(np.unique(codes[weights > 0])) == 1 else ""


def _sided(codes: Codes, sides: Codes) -> Codes:
    return np.where(codes == MISSING, MISSING, sides[codes])


def _all_codes(pages: Sequence[ComparedPage]) -> Codes:
    return np.concatenate([page.codes for page in pages])


def _all_words(pages: Sequence[ComparedPage]) -> Codes:
    return np.concatenate([page.words for page in pages])


def confusion(pages: Sequence[ComparedPage], weight: str = "blocks") -> "pd.DataFrame":
    """Labels of the first annotator (rows) × labels of the second; `-` stands for no label."""
    import pandas as pd  # noqa: PLC0415

    names = [label.value for label in LABELS] + ["-"]
    rows, columns = _all_codes(pages).T
    weights = _all_words(pages) if weight == "words" else np.ones_like(rows)
    # MISSING is -1: the last row, and the last column.
    counts = confusion_matrix(rows, columns, weights, len(names))
    return pd.DataFrame(counts, pd.Index(names, name="A \\ B"), names)


def disagreements(pages: Iterable[ComparedPage]) -> "pd.DataFrame":
    """The blocks with different labels of the two annotators."""
    import pandas as pd  # noqa: PLC0415

    rows = [
        (page.id, block, str(first), str(second), text)
        for page in pages
        for block, (first, second, text) in enumerate(zip(*page.labels, page.texts, strict=True))
        if first and second and first is not second
    ]
    return pd.DataFrame(rows, columns=["page", "block", "A", "B", "text"]).set_index(["page", "block"])
