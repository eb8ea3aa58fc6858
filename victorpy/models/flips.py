"""Changes of a single feature that change the label of a block, as a pandas table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from victorpy.features.buckets import Codes
from victorpy.features.table import Columns
from victorpy.models.explanation import check_block
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Page

if TYPE_CHECKING:
    import pandas


def flips(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """All changes of one feature to another bucket that give the block another label, the nearest first.

    A change is near if it takes few steps from bucket to bucket, then if it makes the new label likely. Each change
    labels the whole page again. The templates of neighbours use the changed value; all other features stay the same.
    """
    import pandas  # noqa: PLC0415

    check_block(page, block)
    label = model.labeling(page).detailed_labels[block]
    found = []
    for change in _changes(model.columns, model.columns.codes(page), block):
        changed = _with_codes(model, change.codes)
        other = changed.labeling(page).detailed_labels[block]
        if other is not label:
            probabilities = changed.detailed_marginals(page)[block]
            found.append((*change[:3], change.steps, other.value, probabilities[model.labels.index(other)]))
    columns = ["feature", "value", "instead", "steps", "label", "probability"]
    table = pandas.DataFrame(found, columns=columns)
    return table.sort_values(["steps", "probability"], ascending=[True, False], kind="stable", ignore_index=True)


class _BucketChange(NamedTuple):
    """Another bucket of one feature of a block, and the codes of the page with it."""

    feature: str
    value: str
    instead: str
    steps: int
    codes: Codes


def _changes(columns: Columns, codes: Codes, block: int) -> Iterator[_BucketChange]:
    for row, (feature, bucketing) in enumerate(zip(columns.names, columns.bucketings, strict=True)):
        names, now = list(bucketing.names()), int(codes[row, block])
        for code in range(bucketing.count):
            if code != now:
                changed = codes.copy()
                changed[row, block] = code
                yield _BucketChange(feature, names[now], names[code], abs(code - now), changed)


@dataclass(frozen=True, eq=False)
class _FixedColumns(Columns):
    """Columns that give every page the same codes."""

    fixed_codes: Any = None

    def codes(self, page: Page) -> Codes:  # noqa: ARG002
        codes: Codes = self.fixed_codes
        return codes


def _with_codes(model: Model, codes: Codes) -> Model:
    return replace(model, columns=_FixedColumns((), (), fixed_codes=codes))
