"""Why a block has its label, as `victor explain PAGE --block N` says it."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from victorpy.errors import UsageError
from victorpy.models import model_folder
from victorpy.models.explanation import Explanation, explain, strongest_contributions
from victorpy.models.flips import flips
from victorpy.models.model_folder import Model
from victorpy.models.network_influence import figures
from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Page
from victorpy.serve.page_tasks import PageTask

if TYPE_CHECKING:
    import pandas

_ROWS = 12


@lru_cache(maxsize=2)
def _model(name: str) -> Model:
    return model_folder.load(name)


def reasons(own_model: str, task: PageTask, cleaned: Cleaned) -> dict[str, Any]:
    """The label, its rival, and tables of what speaks for and against it."""
    options = task.options
    if options.labeler:
        raise UsageError(f"only models explain their labels, and {options.labeler} is a labeler without training")
    model = _model(options.model or own_model).decoding_by(**options.decoding())
    explanation = explain(model, cleaned.page, task.block)
    return {
        "block": explanation.block,
        "text": explanation.text,
        "label": cleaned.labels[task.block],
        "label_by_model": explanation.label,
        "rival": explanation.rival,
        "network": explanation.network,
        "repeats": explanation.repeats,
        "forced": bool(cleaned.forced and cleaned.forced[task.block]),
        "tables": {name: _rows(_TABLES[name](model, cleaned.page, explanation)) for name in task.tables},
    }


def _labels(_: Model, __: Page, explanation: Explanation) -> "pandas.DataFrame":
    return explanation.labels


def _figures(model: Model, page: Page, explanation: Explanation) -> "pandas.DataFrame":
    return figures(model, page, explanation.block).head(_ROWS)


def _weights(_: Model, __: Page, explanation: Explanation) -> "pandas.DataFrame":
    return strongest_contributions(explanation.contributions, _ROWS)


def _neighbours(_: Model, __: Page, explanation: Explanation) -> "pandas.DataFrame":
    return explanation.neighbours


def _flips(model: Model, page: Page, explanation: Explanation) -> "pandas.DataFrame":
    return flips(model, page, explanation.block).head(_ROWS).set_index("feature")


_TABLES: Mapping[str, Callable[[Model, Page, Explanation], "pandas.DataFrame"]] = {
    "labels": _labels,
    "figures": _figures,
    "weights": _weights,
    "neighbours": _neighbours,
    "flips": _flips,
}


def _rows(table: "pandas.DataFrame") -> list[dict[str, Any]]:
    """The rows of a table as JSON objects: names of the index first."""
    return [{str(name): _plain(value) for name, value in row.items()} for row in table.reset_index().to_dict("records")]


def _plain(value: Any) -> Any:
    """A number with the digits worth showing; JSON has no infinity."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return round(value, 4) if abs(value) < float("inf") else None
    return value if value is None or isinstance(value, int) else str(value)
