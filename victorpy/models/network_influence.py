"""The influence of each figure and word on a network's decision for a block, as a pandas table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from victorpy.features import class_words, wording
from victorpy.features.table import matrix
from victorpy.features.vocabulary import WordCounts
from victorpy.models.label_probabilities import content
from victorpy.models.model_folder import Model
from victorpy.models.network import OF_CLASSES, OF_TEXT, Matrix, Network, Words
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints

if TYPE_CHECKING:
    import pandas

# The tables of embeddings, by the names of words in the table of figures.
_TABLES = {"word": OF_CLASSES, "text-word": OF_TEXT}


def figures(model: Model, page: Page, block: int) -> "pandas.DataFrame":
    """For each figure of the block the probability of content if it had its mean value; for each known word of the
    classes around the block and of its text the probability without the word. The greatest changes come first.
    """
    import pandas  # noqa: PLC0415

    network = model.scoped_network
    if network is None:
        return pandas.DataFrame(columns=["value", "usual", "probability", "change"])
    inputs = matrix(page, network.features, model.config.regexp)
    of_block = _NetworkInputs(network, inputs, page.lengths, network.words(page), block)
    words = of_block.word_counts()
    table = {
        "value": [*inputs[:, block].tolist(), *words.values()],
        "usual": [*network.mean_figures.tolist(), *[0.0] * len(words)],
        "probability": [*map(of_block.without_figure, range(len(inputs))), *map(of_block.without_word, words)],
    }
    found = pandas.DataFrame(table, index=pandas.Index([*network.features, *words], name="feature"))
    found["change"] = found["probability"] - of_block.probability()
    return found.sort_values("change", key=abs, ascending=False, kind="stable")


class _NetworkInputs(NamedTuple):
    """The inputs of a network for a page, and the number of the block to explain."""

    network: Network
    figures: Matrix
    lengths: Ints
    words: Words
    block: int

    def probability(self) -> float:
        """The probability that the block is content."""
        return float(content(self.network.marginals(self.figures, self.lengths, self.words))[self.block])

    def without_figure(self, row: int) -> float:
        changed = self.figures.copy()
        changed[row, self.block] = self.network.mean_figures[row]
        return self._replace(figures=changed).probability()

    def without_word(self, word: str) -> float:
        kind, _, name = word.partition(".")
        zeroed = {table: self._without_row(table, name) for table in _TABLES[kind]}
        changed = replace(self.network, weights={**self.network.weights, **zeroed})
        return self._replace(network=changed).probability()

    def _without_row(self, table: str, word: str) -> Matrix:
        rows = self.network.weights[table].copy()
        rows[self.network.tables[table].index(word)] = 0
        return rows

    def word_counts(self) -> dict[str, float]:
        """The counts of known words in classes (`word.X`) and in the text of the block (`text-word.X`), sorted."""
        found = Counter[str]()
        for kind, (known, counts) in self._counts().items():
            for of_table in counts:
                of_block = of_table.blocks == self.block
                rows = zip(of_table.words[of_block].tolist(), of_table.counts[of_block].tolist(), strict=True)
                for word, count in rows:
                    found[f"{kind}.{known[word]}"] += count
        return {word: float(found[word]) for word in sorted(found)}

    def _counts(self) -> dict[str, tuple[Sequence[str], Sequence[WordCounts]]]:
        network, (classes, text) = self.network, self.words
        of_classes = class_words.counts(classes, network.known_classes) if classes else ()
        of_text = [wording.counts(text, network.known_text)] if text else ()
        return {"word": (network.class_words, of_classes), "text-word": (network.text_words, of_text)}
