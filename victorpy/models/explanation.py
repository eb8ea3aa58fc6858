"""The reasons for the label of a block, as pandas tables.

A label's score is the sum of the weights of its templates. The blocks before and behind add the logarithms of the
messages of forward-backward (Rabiner 1989). The three sums, normalized, are the probability.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from victorpy.errors import UsageError
from victorpy.features.buckets import Codes
from victorpy.features.table import matrix
from victorpy.models.chain import marginals
from victorpy.models.inspection import crf_of, template_tables, template_text, value_names
from victorpy.models.label_probabilities import content
from victorpy.models.model_folder import Model
from victorpy.models.scopes import AUTO
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Floats

if TYPE_CHECKING:
    import pandas


class Explanation(NamedTuple):
    """The reasons for the label of a block. A `margin` is the weight for its label, less the weight for the rival.

    `labels` has a row for each label. Its score is the sum of its column in `contributions`. `neighbours` has the
    weights of the transitions from the label of the block before and to that of the block behind. `network` is the
    network's probability of content: part of the probabilities of labels, but not of scores. `repeats` is the earlier
    kept block with the same text, if a `repeat-probability` may have removed this one. `scopes` are the shares of the
    scopes that the network takes to suit the page, if none is asked for.
    """

    block: int
    text: str
    label: Label
    rival: Label
    labels: "pandas.DataFrame"
    contributions: "pandas.DataFrame"
    neighbours: "pandas.DataFrame"
    network: float | None = None
    repeats: int | None = None
    scopes: Mapping[str, float] | None = None


def explain(model: Model, page: Page, block: int) -> Explanation:
    check_block(page, block)
    codes, labels = model.columns.codes(page), model.labeling(page).detailed_labels
    table, by_network = _labels(model, page, block), model.network_marginals(page)
    rival = Label(str(table["probability"].drop(labels[block].value).idxmax()))
    return Explanation(
        block,
        page.texts[block],
        labels[block],
        rival,
        table,
        _with_margin(_contributions(model, codes, block), labels[block], rival),
        _with_margin(_neighbours(model, labels, block), labels[block], rival),
        None if by_network is None else float(content(by_network)[block]),
        _repeated(model, page, labels, block),
        guessed_scopes(model, page),
    )


def guessed_scopes(model: Model, page: Page) -> dict[str, float] | None:
    """The share of each scope under which the network labels a page, if it guesses them; the largest first."""
    network = model.scoped_network
    if network is None or not network.guesses or not len(page):
        return None
    shares = network.scope_shares(matrix(page, network.features, model.config.regexp), page.lengths)
    found = {scope: float(share) for scope, share in zip(network.scopes, shares, strict=True) if scope != AUTO}
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _repeated(model: Model, page: Page, labels: Sequence[Label], block: int) -> int | None:
    decoding = model.config.decoding
    if labels[block].is_content or decoding.method != "expected-f1" or not decoding.repeat_probability:
        return None
    same = (number for number in range(block) if page.texts[number] == page.texts[block])
    return next((number for number in same if labels[number].is_content), None)


def _names(model: Model) -> list[str]:
    return [label.value for label in model.labels]


def check_block(page: Page, block: int) -> None:
    if not 0 <= block < len(page):
        found = f"its blocks are 0 to {len(page) - 1}" if len(page) else "it has no text"
        raise UsageError(f"no block {block} in this page: {found}", page.id or None)


def _labels(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """For each label its score, the messages of the blocks before and behind, the total, and the probability.

    With a network, the probability according to the CRF alone is a column of its own.
    """
    import pandas  # noqa: PLC0415

    scores = model.scores(page)
    before, behind = _messages(scores, model.template_model.transitions, block)
    by_crf = {"crf": marginals(scores, model.template_model.transitions)[block]} if model.network else {}
    table = {
        "score": scores[block],
        "before": before,
        "behind": behind,
        "total": scores[block] + before + behind,
        **by_crf,
        "probability": model.detailed_marginals(page)[block],
    }
    return pandas.DataFrame(table, index=pandas.Index(_names(model), name="label"))


def _messages(scores: Floats, transitions: Floats, block: int) -> tuple[Floats, Floats]:
    """The logarithmic messages of all blocks before and behind to each label; the best of each is 0.

    A block without scores of its own, at the end or the start of the others, has their message as its marginal.
    """
    silent = np.zeros((1, len(transitions)))
    before = marginals(np.concatenate((scores[:block], silent)), transitions)[-1]
    behind = marginals(np.concatenate((silent, scores[block + 1 :])), transitions)[0]
    return _logarithms(before), _logarithms(behind)


def _logarithms(messages: Floats) -> Floats:
    best: Floats = np.log(np.maximum(messages / messages.max(), np.finfo(float).tiny))
    return best


def _contributions(model: Model, codes: Codes, block: int) -> "pandas.DataFrame":
    """For every template its values at the block, and their weight for each label."""
    import pandas  # noqa: PLC0415

    layout, names = model.template_model.layout, value_names(model.columns)
    around = layout.padded(codes)[:, block : block + 2 * layout.reach + 1]
    rows = dict(zip(layout.counts, around, strict=True))
    found, weights = [], []
    for table in template_tables(crf_of(model)):
        values = [names[name][rows[name][layout.reach + row]] for name, row in table.template]
        found.append((template_text(table.template), ", ".join(values)))
        weights.append(table.scores(layout.template_codes(table.template, around))[0])
    index = pandas.MultiIndex.from_tuples(found, names=["template", "value"])
    return pandas.DataFrame(np.array(weights), index=index, columns=_names(model))


def _neighbours(model: Model, labels: Sequence[Label], block: int) -> "pandas.DataFrame":
    import pandas  # noqa: PLC0415

    weights, sides = model.template_model.transitions, dict[tuple[str, int, str], Floats]()
    if block > 0:
        before = labels[block - 1]
        sides["before", block - 1, before.value] = weights[model.labels.index(before)]
    if block + 1 < len(labels):
        behind = labels[block + 1]
        sides["behind", block + 1, behind.value] = weights[:, model.labels.index(behind)]
    index = pandas.MultiIndex.from_tuples(list(sides), names=["neighbour", "block", "label"])
    return pandas.DataFrame(
        np.array(list(sides.values())).reshape(-1, len(weights)), index=index, columns=_names(model)
    )


def _with_margin(table: "pandas.DataFrame", label: Label, rival: Label) -> "pandas.DataFrame":
    return table.assign(margin=table[label.value] - table[rival.value])


def strongest_contributions(contributions: "pandas.DataFrame", count: int) -> "pandas.DataFrame":
    """The `count` strongest contributions, one row for all others, and the sum."""
    import pandas  # noqa: PLC0415

    order = contributions["margin"].abs().sort_values(ascending=False, kind="stable").index
    ordered = contributions.loc[order]
    most, rest = ordered.iloc[:count], ordered.iloc[count:]
    rows = {(f"{len(rest)} others", ""): rest.sum()} if len(rest) else {}
    rows["sum", ""] = contributions.sum()
    below = pandas.DataFrame(rows).T.rename_axis(most.index.names)
    return pandas.concat([most, below])
