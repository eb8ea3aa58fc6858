"""The weights of a model, and the information that its features give about labels, as pandas tables."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import UsageError, VictorError
from victorpy.features.buckets import Codes
from victorpy.features.table import Columns
from victorpy.models.crf import CRF, Conjunction
from victorpy.models.model_folder import Model
from victorpy.models.templates import Reference, Template
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Floats

if TYPE_CHECKING:
    import pandas

OUTSIDE = "outside"

_OTHER = LABELS.index(Label.OTHER)


# Weights


def weights(model: Model) -> "pandas.DataFrame":
    """Every weight except 0: the template, its values, the label, the weight."""
    import pandas  # noqa: PLC0415

    rows = [
        (template_text(table.template), ", ".join(values), label.value, weight)
        for table in template_tables(crf_of(model))
        for values, row in _rows(table, model)
        for label, weight in zip(model.labels, row.tolist(), strict=True)
        if weight
    ]
    return pandas.DataFrame(rows, columns=["template", "value", "label", "weight"])


def strongest(weights: "pandas.DataFrame", count: int) -> "pandas.DataFrame":
    """For each label the `count` greatest weights for it, and the `count` greatest against it."""
    import pandas  # noqa: PLC0415

    ordered = weights.sort_values("weight", ascending=False, kind="stable")
    sides = [
        side
        for label in Label
        for of_label in [ordered[ordered["label"] == label.value]]
        for side in (of_label[of_label["weight"] > 0].head(count), of_label[of_label["weight"] < 0].tail(count))
    ]
    return pandas.concat(sides, ignore_index=True)[["label", "template", "value", "weight"]]


def transitions(model: Model) -> "pandas.DataFrame":
    """The weight of every pair of labels: a row for the label before, a column for the one that follows."""
    import pandas  # noqa: PLC0415

    names = [label.value for label in model.labels]
    return pandas.DataFrame(crf_of(model).transitions, index=pandas.Index(names, name="from"), columns=names)


def crf_of(model: Model) -> CRF:
    if not isinstance(model.template_model, CRF):
        raise UsageError("this model is a decision tree: it has no template weights to show", model.name)
    return model.template_model


def template_tables(crf: CRF) -> Iterator[Conjunction]:
    """The weights of every template, including those with a single reference, in order."""
    conjunctions = iter(crf.conjunctions)
    for template in crf.layout.templates.unigrams:
        yield next(conjunctions) if len(template) > 1 else Conjunction(template, _single(crf, template[0]))


def _single(crf: CRF, reference: Reference) -> Floats:
    counts = crf.layout.counts
    features = list(counts)
    begin = sum(counts[name] + 1 for name in features[: features.index(reference.feature)])
    place = crf.layout.rows.index(reference.row) * len(crf.layout.labels)
    return crf.singles[begin : begin + counts[reference.feature] + 1, place : place + len(crf.layout.labels)]


def template_text(template: Template) -> str:
    return " ".join(map(str, template))


def value_names(columns: Columns) -> dict[str, list[str]]:
    """The names of the codes of each feature, with the code of rows outside the page last."""
    buckets = zip(columns.names, columns.bucketings, strict=True)
    return {name: [*bucketing.names(), OUTSIDE] for name, bucketing in buckets}


def _rows(table: Conjunction, model: Model) -> Iterator[tuple[list[str], Floats]]:
    """The rows of the table with a weight, each with the values of its references."""
    names = value_names(model.columns)
    for codes, row in zip(*_learned(table, crf_of(model)), strict=True):
        pairs = zip(table.template, codes.tolist(), strict=True)
        yield [names[reference.feature][code] for reference, code in pairs], row


def _learned(table: Conjunction, crf: CRF) -> tuple[NDArray[np.int64], Floats]:
    """The rows of the table with a weight: the codes of the references, and the weights."""
    keys = np.arange(len(table.weights)) if table.keys is None else table.keys
    rows = table.weights[: len(keys)]
    is_learned = rows.any(axis=1)
    codes = np.unravel_index(keys[is_learned], crf.layout.sizes(table.template))
    return np.stack(codes, axis=1), rows[is_learned]


# Features without information


def unlearned(model: Model) -> "pandas.DataFrame":
    """The features with weights for at most one bucket: the model does not distinguish their values."""
    learned = np.zeros((len(model.columns.names), _MOST_CODES), np.bool_)
    for table in template_tables(crf_of(model)):
        codes, _ = _learned(table, crf_of(model))
        for reference, of_reference in zip(table.template, codes.T, strict=True):
            learned[model.columns.names.index(reference.feature), of_reference] = True
    return _silent(model.columns, learned)


def silent(columns: Columns, pages: Iterable[AnnotatedPage]) -> "pandas.DataFrame":
    """The features with the same bucket in all blocks of the pages, labeled or not."""
    found = np.zeros((len(columns.names), _MOST_CODES), np.bool_)
    for annotated in pages:
        for row, codes in enumerate(columns.codes(annotated.page)):
            found[row, codes] = True
    return _silent(columns, found)


_MOST_CODES = 256


def _silent(columns: Columns, found: NDArray[np.bool_]) -> "pandas.DataFrame":
    """The features with at most one bucket, and the name of that bucket."""
    import pandas  # noqa: PLC0415

    always = {}
    for name, bucketing, codes in zip(columns.names, columns.bucketings, found, strict=True):
        buckets = [bucket for bucket, is_found in zip(bucketing.names(), codes, strict=False) if is_found]
        if len(buckets) < 2:
            always[name] = buckets[0] if buckets else "none"
    return pandas.DataFrame({"always": list(always.values())}, index=pandas.Index(list(always), name="feature"))


# Information gain


class _LabeledCodes(NamedTuple):
    """The codes of all labeled blocks (feature × block), and the number of each block's label."""

    codes: Codes
    labels: NDArray[np.int64]


def information_gain(columns: Columns, pages: Iterable[AnnotatedPage]) -> "pandas.DataFrame":
    """The bits of information in each feature's bucket about the label of its block, and about content or noise.

    Shares are parts of the entropy of the labels. If all blocks have the same label, the share is NaN.
    """
    import pandas  # noqa: PLC0415

    codes, labels = _labeled_codes(columns, pages)
    bits = {"gain": labels, "content_gain": (labels == _OTHER).astype(np.int64)}
    table: dict[str, Any] = {}
    for name, outcomes in bits.items():
        gains = np.array([mutual_information(of_feature, outcomes) for of_feature in codes])
        most = mutual_information(outcomes, outcomes)
        table |= {name: gains, f"{name}_share": gains / most if most else np.full(len(gains), np.nan)}
    found = pandas.DataFrame(table, index=pandas.Index(columns.names, name="feature"))
    return found.sort_values("gain", ascending=False, kind="stable")


def _labeled_codes(columns: Columns, pages: Iterable[AnnotatedPage]) -> _LabeledCodes:
    parts, labels = [], list[int]()
    for page in pages:
        parts.append(columns.codes(page.page)[:, [label is not None for label in page.labels]])
        labels += [LABELS.index(label.base) for label in page.labels if label is not None]
    if not labels:
        raise VictorError("no block of these pages has a label")
    return _LabeledCodes(np.concatenate(parts, axis=1), np.array(labels))


def mutual_information(some: NDArray[np.integer[Any]], others: NDArray[np.integer[Any]]) -> float:
    """The mutual information of two columns of small numbers, in bits (Shannon 1948)."""
    width = int(others.max()) + 1
    joint = np.bincount(some.astype(np.int64) * width + others).astype(float)
    both = np.pad(joint, (0, -len(joint) % width)).reshape(-1, width) / len(others)
    apart = both.sum(axis=1, keepdims=True) * both.sum(axis=0, keepdims=True)
    occurs = both > 0
    return max(0.0, float((both[occurs] * np.log2(both[occurs] / apart[occurs])).sum()))
