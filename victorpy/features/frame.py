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
    """The table of CRF++: a line for each block, with its number, its features and, in training, its label.

    In training, blocks without a label are left out, because CRF++ wants the same columns in all lines.
    """
    rows = (" ".join(map(str, row)) for row in table.itertuples(name=None))
    if not labels:
        return "".join(f"{row}\n" for row in rows)
    return "".join(f"{row} {label.value}\n" for row, label in zip(rows, labels, strict=True) if label)
