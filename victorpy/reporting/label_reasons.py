"""Why a model labels a block as it does, in short: what `victor explain PAGE --block N` prints at length."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from victorpy.models.explanation import Explanation, explain, strongest_contributions
from victorpy.models.model_folder import Model
from victorpy.models.network_influence import figures
from victorpy.page.blocks import Label, Page

_FIGURES = 6


class Figure(NamedTuple):
    """A feature of the block: its value, its usual value, and the probability of content if it were as usual."""

    name: str
    value: float
    usual: float
    probability: float


class Weight(NamedTuple):
    """A template of a CRF with its values, and its weight for the label less that for the rival."""

    template: str
    value: str
    margin: float


class LabelReason(NamedTuple):
    """The label, the one nearest to it, the probability of each label, and what matters most: to a network its figures,
    to a CRF its weights."""

    label: Label
    rival: Label
    probabilities: dict[str, float]
    figures: list[Figure]
    weights: list[Weight]
    repeats: int | None


def label_reason(model: Model, page: Page, block: int) -> LabelReason:
    found = explain(model, page, block)
    probabilities = {str(name): float(value) for name, value in found.labels["probability"].items()}
    return LabelReason(
        label=found.label,
        rival=found.rival,
        probabilities=probabilities,
        figures=_figures(model, page, block) if model.network else [],
        weights=[] if model.network else _weights(found),
        repeats=found.repeats,
    )


def _weights(found: Explanation) -> list[Weight]:
    table = strongest_contributions(found.contributions, _FIGURES).reset_index()
    columns = (table[name].tolist() for name in ("template", "value", "margin"))
    return [Weight(*row) for row in zip(*columns, strict=True)]


def _figures(model: Model, page: Page, block: int) -> list[Figure]:
    table = figures(model, page, block).head(_FIGURES).reset_index()
    columns = (table[name].tolist() for name in ("feature", "value", "usual", "probability"))
    return [Figure(*row) for row in zip(*columns, strict=True)]


def most_doubtful(probabilities: Sequence[float] | None, first: Iterable[int], count: int) -> list[int]:
    """The blocks to explain: the given ones, then those whose probability is nearest to one half."""
    if probabilities is None:
        return []
    by_doubt = sorted(range(len(probabilities)), key=lambda block: abs(probabilities[block] - 0.5))
    return list(dict.fromkeys([*first, *by_doubt]))[:count]
