"""The features of a page as a pandas table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from victorpy.features.table import Columns
from victorpy.page.blocks import Label, Page

if TYPE_CHECKING:
    import pandas


def feature_table(page: Page, columns: Columns, *, is_bucketed: bool = False) -> "pandas.DataFrame":
    """A row for each block: its text, and the value (or the bucket's name) of every feature."""
    import pandas  # noqa: PLC0415

    table: dict[str, Any] = {
        name: function(page) for name, function in zip(columns.names, columns.functions, strict=True)
    }
    if is_bucketed:
        names = (list(bucketing.names()) for bucketing in columns.bucketings)
        table = {
            name: [meanings[code] for code in codes]
            for name, meanings, codes in zip(columns.names, names, columns.codes(page).tolist(), strict=True)
        }
    return pandas.DataFrame(table | {"text": page.texts}, index=pandas.RangeIndex(len(page), name="block"))


def crfpp_table(table: "pandas.DataFrame", labels: Sequence[Label | None] = ()) -> str:
    """The table of CRF++: a line for each block, with its number, its features and, if it is labeled, its label."""
    ends = ([f"{label.value}"] if label else [] for label in labels) if labels else ([] for _ in range(len(table)))
    rows = zip(table.itertuples(name=None), ends, strict=True)
    return "".join(f"{' '.join(map(str, (*row, *end)))}\n" for row, end in rows)
