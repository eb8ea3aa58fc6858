"""Score labelings and cleaned texts: one row of figures per page, and the tables made from them."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from victorpy.annotation import text_scores
from victorpy.errors import UsageError, VictorError, suggestion
from victorpy.evaluation.statistics import Bootstrap, confusion_matrix, interval, resampled_column_means, share
from victorpy.foundation.processes import Crash, mapped
from victorpy.labelers import Labeling
from victorpy.labelers.shortened_blocks import shortened
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.omission import Omission

Weight = Literal["blocks", "words"]
Row = dict[str, Any]

log = logging.getLogger("victorpy")

SUMMARY_BOOTSTRAP = Bootstrap(samples=1000)

_MOST_NAMED = 5
_CODES = {label: code for code, label in enumerate(LABELS)}
_OTHER = _CODES[Label.OTHER]

FIGURES: Mapping[str, str] = {
    "accuracy": "share of blocks with the right label",
    "content_accuracy": "share of blocks rightly labeled as content or noise",
    "accuracy_words": "accuracy, each block weighted by its words",
    "content_accuracy_words": "content against noise, each block weighted by its words",
    "markup_only": "the original's measure (3), as far as it is known: blocks that start and end in the same places",
    "text": "the original's measure (4): words without markers by edit distance",
    "total": "the original's measure (5): mean of both",
    "text_markup": "words and segment markers together by edit distance",
    "markup": "segment markers alone, by their kind, by edit distance",
    "word_f1": "words as multisets: F1",
    "word_precision": "share of the printed words that are in the gold",
    "word_recall": "share of the gold words that are printed",
    "seq_f1": "tokens and markers aligned in order: F1",
    "seq_precision": "share of the printed tokens that are aligned",
    "seq_recall": "share of the gold tokens that are aligned",
    "tag_f1": "aligned markers of the same kind: F1",
    "tag_precision": "share of the printed markers that are aligned to one of their kind",
    "tag_recall": "share of the gold markers that are aligned to one of their kind",
    "segment_f1": "aligned markers of any kind: F1",
    "segment_precision": "share of the printed markers that are aligned to any",
    "segment_recall": "share of the gold markers that are aligned to any",
    "text_f1": "tokens without markers aligned in order: F1",
    "levenshtein": "similarity of the characters by Levenshtein's distance, without markers",
}


class ScoredPage(NamedTuple):
    """A page with its gold labels (None for a block without one) and the labels that a labeler gave it.

    `omissions` are parts of blocks that the labeler leaves out of its text.
    """

    id: str
    page: Page
    gold: Sequence[Label | None]
    predicted: Sequence[Label]
    kind: str = ""
    group: str = ""
    gold_text: str | None = None
    omissions: Sequence[Omission] = ()


class Texts(NamedTuple):
    """The printed text of a page, and its gold text."""

    id: str
    printed: str
    gold: str
    kind: str = ""
    group: str = ""


class Mistakes(NamedTuple):
    """The texts of a page that were wrongly kept, and those wrongly dropped."""

    id: str
    value: float
    kept: list[str]
    dropped: list[str]


SIZES = ("blocks", "words", "printed_words", "gold_words", "printed_tokens", "gold_tokens")
_LABEL_FIGURES = ("accuracy", "content_accuracy", "accuracy_words", "content_accuracy_words")
_COLUMNS = ("kind", "group", *SIZES, *FIGURES)
# These need alignments, which take nearly all of the time.
_ALIGNMENT_FIGURES = frozenset(
    name for name in FIGURES if name == "text_f1" or name.partition("_")[0] in {"seq", "tag", "segment"}
)
_ORIGINAL_FIGURES = frozenset(text_scores.Original._fields)
# What the shares of a measure are shares of.
_SIZE_OF = {"word": "words", "seq": "tokens"}


def scores_table(pages: Iterable[ScoredPage], jobs: int = 1, figures: Collection[str] = FIGURES) -> pd.DataFrame:
    """One row per page (index `id`): kind, group, sizes, and FIGURES as shares from 0 to 1, NaN where undefined.

    Figures that take long to compute are NaN unless `figures` has them.
    """
    pages = list(pages)
    rows = zip(_text_rows(list(map(texts_of, pages)), jobs, figures), map(_label_row, pages), strict=True)
    return _table({**texts, **labels} for texts, labels in rows)


def table_of_texts(texts: Iterable[Texts], jobs: int = 1, figures: Collection[str] = FIGURES) -> pd.DataFrame:
    """The same table for texts alone; figures of labels are NaN."""
    return _table(_text_rows(list(texts), jobs, figures))


def _table(rows: Iterable[Row]) -> pd.DataFrame:
    table = pd.DataFrame(list(rows), columns=["id", *_COLUMNS]).set_index("id")
    twice = table.index[table.index.duplicated()]
    if len(twice):
        raise VictorError(f"two pages have the id '{twice[0]}'")
    return table.astype({**dict.fromkeys(SIZES, "Int64"), **dict.fromkeys(FIGURES, "float64")})


def folder_texts(printed: Path, gold: Path, kinds: Mapping[str, str] | None = None) -> list[Texts]:
    """Each gold text with the printed text of the same name."""
    ours, theirs = texts_in(printed), texts_in(gold)
    if not ours.keys() & theirs.keys():
        raise UsageError(f"no text here has the name of a text in {gold}, such as {next(iter(theirs))}", printed)
    _warn(printed, "left out for lack of a gold text", ours.keys() - theirs.keys())
    _warn(printed, "missing, scored as empty", theirs.keys() - ours.keys())
    known = kinds or {}
    return [
        Texts(id, _read(ours[id]) if id in ours else "", _read(path), known.get(id, "")) for id, path in theirs.items()
    ]


def texts_in(folder: Path) -> dict[str, Path]:
    """The *.txt files of a folder and its subfolders, by their ids."""
    if not folder.is_dir():
        raise UsageError("no such folder", folder)
    found = {path.relative_to(folder).with_suffix("").as_posix(): path for path in sorted(folder.rglob("*.txt"))}
    if not found:
        raise UsageError("no texts (*.txt) in this folder", folder)
    return found


def check_gold_texts(ids: Sequence[str], texts: Collection[str], folder: Path) -> None:
    """Refuse pages that have no gold text."""
    missing = [id for id in ids if id not in texts]
    if missing:
        raise UsageError(f"no gold text for {len(missing)} of {len(ids)} pages, such as {missing[0]}.txt", folder)


def _warn(folder: Path, problem: str, ids: Collection[str]) -> None:
    if ids:
        shown = ", ".join([*sorted(ids)[:_MOST_NAMED], *["…"] * (len(ids) > _MOST_NAMED)])
        log.warning("%s: %s: %d texts: %s", folder, problem, len(ids), shown)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError as error:
        raise VictorError(f"cannot be read: {error.strerror}", path) from error


def texts_of(page: ScoredPage) -> Texts:
    """The text that the labels print, with the gold text; blocks without a gold label are left out of both."""
    if page.gold_text is not None:
        printed = _printed(page.page, page.predicted, page.omissions)
        return Texts(page.id, printed, page.gold_text, page.kind, page.group)
    predicted = [label if gold else Label.OTHER for label, gold in zip(page.predicted, page.gold, strict=True)]
    gold = [label or Label.OTHER for label in page.gold]
    printed = _printed(page.page, predicted, page.omissions)
    return Texts(page.id, printed, _printed(page.page, gold), page.kind, page.group)


def _printed(page: Page, labels: Sequence[Label], omissions: Sequence[Omission] = ()) -> str:
    left, labeling = shortened(page, Labeling([*labels], omissions=omissions))
    return cleaneval(Cleaned(left, labeling.labels))


def _text_rows(texts: Sequence[Texts], jobs: int, figures: Collection[str]) -> Iterator[Row]:
    for pair, row in mapped(partial(_text_row, frozenset(figures)), texts, jobs):
        if isinstance(row, Crash):
            raise VictorError(f"could not be scored: {row.reason}", pair.id)
        yield row


def _text_row(figures: frozenset[str], texts: Texts) -> Row:
    printed, gold = texts.printed, texts.gold
    return {
        "id": texts.id,
        "kind": texts.kind,
        "group": texts.group,
        "printed_words": len(text_scores.words_of(printed)),
        "gold_words": len(text_scores.words_of(gold)),
        "printed_tokens": len(text_scores.tokens_of(printed)),
        "gold_tokens": len(text_scores.tokens_of(gold)),
        **_named("word", text_scores.words(printed, gold)),
        **(text_scores.original(printed, gold)._asdict() if figures & _ORIGINAL_FIGURES else {}),
        **(_of_alignment(printed, gold) if figures & _ALIGNMENT_FIGURES else {}),
        **({"levenshtein": text_scores.levenshtein(printed, gold)} if "levenshtein" in figures else {}),
    }


def _of_alignment(printed: str, gold: str) -> dict[str, float]:
    found = text_scores.aligned(printed, gold)
    return {
        **_named("seq", found.seq),
        **_named("tag", found.tag),
        **_named("segment", found.segment),
        "text_f1": found.text.f1,
    }


def _named(measure: str, score: text_scores.Score) -> dict[str, float]:
    return {f"{measure}_{part}": value for part, value in score._asdict().items()}


class _LabeledBlocks(NamedTuple):
    """Columns of the blocks that have a gold label; labels are places in LABELS."""

    gold: NDArray[np.int_]
    predicted: NDArray[np.int_]
    words: NDArray[np.int_]

    def weights(self, weight: Weight) -> NDArray[np.int_]:
        return self.words if weight == "words" else np.ones_like(self.words)


def _labeled_blocks(pages: Iterable[ScoredPage]) -> _LabeledBlocks:
    rows = [
        (_CODES[gold], _CODES[label], len(text_scores.words_of(text)))
        for page in pages
        for gold, label, text in zip(page.gold, page.predicted, page.page.texts, strict=True)
        if gold
    ]
    return _LabeledBlocks(*np.array(rows, int).reshape(-1, 3).T)


def _label_row(page: ScoredPage) -> Row:
    known = _labeled_blocks([page])
    is_right = known.gold == known.predicted
    is_right_side = (known.gold == _OTHER) == (known.predicted == _OTHER)
    ones = known.weights("blocks")
    return {
        "blocks": len(ones),
        "words": known.words.sum(),
        "accuracy": _mean(is_right, ones),
        "content_accuracy": _mean(is_right_side, ones),
        "accuracy_words": _mean(is_right, known.words),
        "content_accuracy_words": _mean(is_right_side, known.words),
    }


def _mean(values: NDArray[Any], weights: NDArray[Any]) -> float:
    """The weighted mean of the known values; NaN without any weight."""
    is_known = ~np.isnan(values.astype(float))
    total = weights[is_known].sum()
    return float((values[is_known] * weights[is_known]).sum() / total) if total else text_scores.UNKNOWN


def confusion(pages: Iterable[ScoredPage], weight: Weight = "blocks") -> pd.DataFrame:
    """Gold labels (rows) × predicted labels (columns): the number of blocks or words."""
    known = _labeled_blocks(pages)
    counts = confusion_matrix(known.gold, known.predicted, known.weights(weight), len(LABELS))
    names = [label.value for label in LABELS]
    return pd.DataFrame(counts, pd.Index(names, name="gold"), pd.Index(names, name="predicted"))


def label_scores(pages: Iterable[ScoredPage], weight: Weight = "blocks") -> pd.DataFrame:
    """One row per label: precision, recall, f1, support; NaN for a division by 0."""
    counts = confusion(pages, weight).to_numpy().astype(float)
    right, predicted, support = counts.diagonal(), counts.sum(0), counts.sum(1)
    columns = {
        "precision": share(right, predicted),
        "recall": share(right, support),
        "f1": share(2 * right, predicted + support),
        "support": support.astype(int),
    }
    return pd.DataFrame(columns, pd.Index([label.value for label in LABELS], name="label"))


def summary(table: pd.DataFrame, by: str | None = None, bootstrap: Bootstrap = SUMMARY_BOOTSTRAP) -> pd.DataFrame:
    """One row per figure: macro mean, its bootstrap interval over pages, and the micro mean where one exists.

    With `by`, the rows are repeated for each value of that column.
    """
    if by is None:
        return _summary(table, bootstrap)
    parts = {"all": table, **{str(name): part for name, part in table.groupby(by)}}
    return pd.concat({name: _summary(part, bootstrap) for name, part in parts.items()}, names=[by])


def _summary(table: pd.DataFrame, bootstrap: Bootstrap) -> pd.DataFrame:
    values = table[list(FIGURES)].to_numpy()
    low, high = zip(*(interval(means, bootstrap) for means in resampled_column_means(values, bootstrap).T), strict=True)
    columns = {
        "mean": [_mean(column, np.ones(len(column))) for column in values.T],
        "low": low,
        "high": high,
        "micro": [_micro(table, figure) for figure in FIGURES],
        "pages": (~np.isnan(values)).sum(0),
    }
    return pd.DataFrame(columns, pd.Index(list(FIGURES), name="figure"))


def _micro(table: pd.DataFrame, figure: str) -> float:
    """The figure over all pages as one; NaN for a figure that is not a share of blocks, words or tokens."""
    measure, _, part = figure.rpartition("_")
    if figure in _LABEL_FIGURES:
        size = "words" if figure.endswith("_words") else "blocks"
        return _mean(table[figure].to_numpy(), table[size].fillna(0).to_numpy(float))
    if measure not in _SIZE_OF or table.empty:
        return text_scores.UNKNOWN
    printed, gold = table[f"printed_{_SIZE_OF[measure]}"].sum(), table[f"gold_{_SIZE_OF[measure]}"].sum()
    if not printed and not gold:
        return 1.0
    common = (table[f"{measure}_recall"] * table[f"gold_{_SIZE_OF[measure]}"]).sum()
    return float(getattr(text_scores.score(common, printed, gold), part))


def worst(pages: Iterable[ScoredPage], table: pd.DataFrame, figure: str = "word_f1", count: int = 10) -> list[Mistakes]:
    """The pages with the lowest values, lowest first, with their wrongly labeled blocks."""
    by_id = {page.id: page for page in pages}
    return [
        Mistakes(id, value, _blocks(by_id[id], is_kept=True), _blocks(by_id[id], is_kept=False))
        for id, value in _lowest(table, figure, count)
    ]


def worst_texts(
    texts: Iterable[Texts], table: pd.DataFrame, figure: str = "word_f1", count: int = 10
) -> list[Mistakes]:
    """The same for texts, with the stretches of words that only one of the two has."""
    by_id = {page.id: page for page in texts}
    return [
        Mistakes(id, value, *text_scores.difference(by_id[id].printed, by_id[id].gold))
        for id, value in _lowest(table, figure, count)
    ]


def _lowest(table: pd.DataFrame, figure: str, count: int) -> list[tuple[str, float]]:
    if figure not in FIGURES:
        raise UsageError(f"no figure '{figure}' (known: {', '.join(FIGURES)}){suggestion(figure, FIGURES)}")
    lowest = table[figure].dropna().sort_values(kind="stable")[:count]
    return list(zip(map(str, lowest.index), lowest.tolist(), strict=True))


def _blocks(page: ScoredPage, *, is_kept: bool) -> list[str]:
    """The blocks wrongly kept, or wrongly dropped."""
    return [
        text
        for text, gold, label in zip(page.page.texts, page.gold, page.predicted, strict=True)
        if gold and label.is_content is is_kept and gold.is_content is not is_kept
    ]
