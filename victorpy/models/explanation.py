"""Why a model takes a block for what it does, and what would have to change, as pandas tables.

A label's score is the sum of its templates' weights. What the blocks before and behind make of it comes to that: the
logarithm of the messages that forward-backward sends (Rabiner 1989). The sum of the three, made to add up to 1, is the
probability.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from victorpy.errors import UsageError
from victorpy.features import class_words as names
from victorpy.features import wording
from victorpy.features.buckets import Codes
from victorpy.features.table import Columns, matrix
from victorpy.features.vocabulary import WordCounts
from victorpy.models.chain import marginals
from victorpy.models.chances import content
from victorpy.models.inspection import crf_of, template_tables, template_text, value_names
from victorpy.models.model_folder import Model
from victorpy.models.network import OF_NAMES, OF_TEXT, Matrix, Network, Words
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Floats, Ints

if TYPE_CHECKING:
    import pandas


class Explanation(NamedTuple):
    """Why a block is what the model takes it for; `margin` is what speaks for its label, less that for its rival.

    `labels` has a row for each label, whose score is the sum of its column in `contributions`; `neighbours` holds the
    weights of the transitions from the label of the block before and to that of the block behind. `network` is the
    network's probability of content; it has a share in the probabilities of the labels, but in no score. `repeats` is
    the kept block before it whose text a block of noise has, where a model with a `repeat-probability` might have kept
    it otherwise.
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


def explain(model: Model, page: Page, block: int) -> Explanation:
    _check_block(page, block)
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
    )


def _repeated(model: Model, page: Page, labels: Sequence[Label], block: int) -> int | None:
    decoding = model.config.decoding
    if labels[block].is_content or decoding.method != "expected-f1" or not decoding.repeat_probability:
        return None
    same = (number for number in range(block) if page.texts[number] == page.texts[block])
    return next((number for number in same if labels[number].is_content), None)


def _names(model: Model) -> list[str]:
    return [label.value for label in model.labels]


def _check_block(page: Page, block: int) -> None:
    if not 0 <= block < len(page):
        found = f"its blocks are 0 to {len(page) - 1}" if len(page) else "it has no text"
        raise UsageError(f"no block {block} in this page: {found}", page.id)


def _labels(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """Each label's score, what the blocks before and behind add to it, all together, and its probability.

    Where a network has its share in the probability, what the CRF by itself says stands before it.
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
    """What all blocks before, and all behind, say to each label; the best of each is 0.

    A block whose own scores say nothing, at the end (or at the begin) of the others, has their message as its marginal.
    """
    silence = np.zeros((1, len(transitions)))
    before = marginals(np.concatenate((scores[:block], silence)), transitions)[-1]
    behind = marginals(np.concatenate((silence, scores[block + 1 :])), transitions)[0]
    return _logarithms(before), _logarithms(behind)


def _logarithms(chances: Floats) -> Floats:
    best: Floats = np.log(np.maximum(chances / chances.max(), np.finfo(float).tiny))
    return best


def _contributions(model: Model, codes: Codes, block: int) -> "pandas.DataFrame":
    """For every template the values it finds at the block, and what they say for each label."""
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
    """The so many that matter most, the others in one row, and the sum of all."""
    import pandas  # noqa: PLC0415

    order = contributions["margin"].abs().sort_values(ascending=False, kind="stable").index
    ordered = contributions.loc[order]
    most, rest = ordered.iloc[:count], ordered.iloc[count:]
    rows = {(f"{len(rest)} others", ""): rest.sum()} if len(rest) else {}
    rows["sum", ""] = contributions.sum()
    below = pandas.DataFrame(rows).T.rename_axis(most.index.names)
    return pandas.concat([most, below])


# What would make it another


def flips(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """All ways to give the block another label by another bucket of one of its features, the nearest first.

    Nearest are the fewest steps from bucket to bucket, and of equally many what makes the new label likeliest. For each
    change the page is labeled anew; its neighbours look at the changed block as well, and the other features stay.
    """
    import pandas  # noqa: PLC0415

    _check_block(page, block)
    label = model.labeling(page).detailed_labels[block]
    found = []
    for change in _changes(model.columns, model.columns.codes(page), block):
        changed = _of_codes(model, change.codes)
        other = changed.labeling(page).detailed_labels[block]
        if other is not label:
            chances = changed.detailed_marginals(page)[block]
            found.append((*change[:3], change.steps, other.value, chances[model.labels.index(other)]))
    columns = ["feature", "value", "instead", "steps", "label", "probability"]
    table = pandas.DataFrame(found, columns=columns)
    return table.sort_values(["steps", "probability"], ascending=[True, False], kind="stable", ignore_index=True)


class _Change(NamedTuple):
    """Another bucket of one feature at one block, and the codes of the page that come of it."""

    feature: str
    value: str
    instead: str
    steps: int
    codes: Codes


def _changes(columns: Columns, codes: Codes, block: int) -> Iterator[_Change]:
    for row, (feature, bucketing) in enumerate(zip(columns.names, columns.bucketings, strict=True)):
        names, now = list(bucketing.names()), int(codes[row, block])
        for code in range(bucketing.count):
            if code != now:
                changed = codes.copy()
                changed[row, block] = code
                yield _Change(feature, names[now], names[code], abs(code - now), changed)


@dataclass(frozen=True, eq=False)
class _Told(Columns):
    """Says of any page what it was told."""

    told: Any = None

    def codes(self, page: Page) -> Codes:  # noqa: ARG002
        told: Codes = self.told
        return told


def _of_codes(model: Model, codes: Codes) -> Model:
    """The same model, which takes any page for one of these codes."""
    return replace(model, columns=_Told((), (), told=codes))


def figures(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """What each figure of the block does to the network: the probability of content were it as it is on average; and
    each known word of the names around the block, and of its text: the probability were it not known.

    What matters most comes first.
    """
    import pandas  # noqa: PLC0415

    network = model.network
    if network is None:
        return pandas.DataFrame(columns=["value", "usual", "probability", "change"])
    seen = _Seen(network, matrix(page, network.features, model.config.regexp), page.lengths, network.reads(page), block)
    counted = seen.counted()
    table = {
        "value": [*seen.figures[:, block].tolist(), *counted.values()],
        "usual": [*network.usual.tolist(), *[0.0] * len(counted)],
        "probability": [*map(seen.without_figure, range(len(seen.figures))), *map(seen.without_word, counted)],
    }
    rows = [*network.features, *counted]
    of_features = pandas.DataFrame(table, index=pandas.Index(rows, name="feature"))
    of_features["change"] = of_features["probability"] - seen.chance()
    return of_features.sort_values("change", key=abs, ascending=False, kind="stable")


class _Seen(NamedTuple):
    """What a network sees of a page, and the block that is asked about."""

    network: Network
    figures: Matrix
    lengths: Ints
    words: Words
    block: int

    def chance(self) -> float:
        """That the block is content."""
        return float(content(self.network.marginals(self.figures, self.lengths, self.words))[self.block])

    def without_figure(self, row: int) -> float:
        changed = self.figures.copy()
        changed[row, self.block] = self.network.usual[row]
        return self._replace(figures=changed).chance()

    def without_word(self, word: str) -> float:
        """As if the network did not know it."""
        kind, _, name = word.partition(".")
        silenced = {table: self._silenced(table, name) for table in _TABLES[kind]}
        changed = replace(self.network, weights={**self.network.weights, **silenced})
        return self._replace(network=changed).chance()

    def _silenced(self, table: str, word: str) -> Matrix:
        rows = self.network.weights[table].copy()
        rows[self.network.tables[table].index(word)] = 0
        return rows

    def counted(self) -> dict[str, float]:
        """How often each known word is in the names around the block and of the page (`word.X`), and in the text
        (`text-word.X`), in order."""
        found = Counter[str]()
        for kind, (known, sides) in self._sides().items():
            for side in sides:
                of_block = side.blocks == self.block
                for word, many in zip(side.words[of_block].tolist(), side.counts[of_block].tolist(), strict=True):
                    found[f"{kind}.{known[word]}"] += many
        return {word: float(found[word]) for word in sorted(found)}

    def _sides(self) -> dict[str, tuple[Sequence[str], Sequence[WordCounts]]]:
        network, (called, text) = self.network, self.words
        of_names = names.counts(called, network.known_names) if called else ()
        of_text = [wording.counts(text, network.known_text)] if text else ()
        return {"word": (network.words, of_names), "text-word": (network.text_words, of_text)}


# The tables of the words that figures are shown for.
_TABLES = {"word": OF_NAMES, "text-word": OF_TEXT}
