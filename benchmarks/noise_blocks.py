#!/usr/bin/env python3
"""The table 1 of the paper on noise blocks, measured on google-news: classifiers of blocks by shallow figures.

    noise_blocks.py DATA/google-news [--every N] [--output docs/noise-blocks.md]

Each page is in one of ten folds, and is judged by what the other nine teach. Everything is weighted by words.
"""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from victorpy.annotation.alignment import project
from victorpy.annotation.gold_texts import GOLD_FORMATS, likely_format
from victorpy.annotation.importing import pairs
from victorpy.evaluation.block_classifiers import (
    LEAST_WORDS,
    information_gain,
    one_rule,
    weighted_score,
    zero_rule,
)
from victorpy.features.block_weights import NAMES as WEIGHTS
from victorpy.features.shallow import NAMES as SHALLOW
from victorpy.features.shallow_quotients import NAMES as COUNTS
from victorpy.features.table import matrix
from victorpy.page.markup import BLOCKS
from victorpy.sources.decoded_pages import decoded_page

FOLDS = 10
NAMES = (*SHALLOW, *COUNTS, *WEIGHTS)
WORDS, LINKS = "shallow.words", "shallow.link-density"
DENSITY, LENGTH = "shallow.text-density", "shallow.word-length"
# The rows of the paper's table 1, with its precision, recall and F. It names support vector machines, and has no row.
PUBLISHED: Mapping[str, Sequence[float]] = {
    "ZeroR (baseline, predict content)": (40.7, 63.8, 49.7),
    "Only average word length": (80.2, 77.0, 77.5),
    "Only link density": (88.5, 87.8, 87.4),
    "1R: text density": (87.8, 87.9, 87.9),
    "C4.8: link density": (91.1, 91.1, 91.0),
    "C4.8: number of words": (91.1, 90.8, 90.9),
    "C4.8: number of words + link density": (92.2, 92.2, 92.2),
    "C4.8: text density + link density": (93.9, 93.8, 93.9),
    "C4.8: all shallow text features": (95.1, 95.0, 95.1),
    "SVM: number of words + link density": (),
    "SVM: all shallow text features": (),
}

PAGE = """\
# Noise blocks: table 1

Made by `python benchmarks/noise_blocks.py DATA/google-news{every}`; do not edit it by hand.

{pages} pages of google-news, {blocks} blocks, {words} words, of which {share:.1f} % are content. Blocks end at
block-level tags; a block is content if the gold text holds it. The paper used 621 pages with labels that people gave
to each block.

| classifier | paper: precision | recall | F | ours: precision | recall | F |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
{table}
Means over both classes, weighted by words, in percent, from {folds} folds. ZeroR predicts the class of most words.
1R has intervals of at least {least:,} words. C4.8 is scikit-learn's tree by entropy, with leaves of at least
{least:,} words. It sees the figure of the block, of the block before and of the block after it; the rows of all
features also have the quotients to the block before and all counts. The paper evaluates support vector machines
(SMO), too, but prints no figures. Ours are scikit-learn's `LinearSVC`, linear as SMO is by default, of the same
figures, standardized.

## Information gain

H(C) − H(C|A) in bits of each figure A of a block, by itself, in twenty parts of about equal words (H(C) is
{entropy:.3f}):

| figure | gain |
| --- | ---: |
{gains}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth page")
    parser.add_argument("--output", type=Path, default=Path("docs/noise-blocks.md"))
    options = parser.parse_args()
    blocks = Blocks([*labeled(options.data, options.every)])
    every = f" --every {options.every}" if options.every > 1 else ""
    options.output.write_text(page(blocks, every), "utf-8")


Labeled = tuple[np.ndarray, np.ndarray]


def labeled(data: Path, every: int) -> Iterator[Labeled]:
    """For each page the figures (figure × block), and which blocks are content."""
    for pair in pairs(str(data / "html"), str(data / "gold"))[::every]:
        found, gold = decoded_page(pair.page).page(BLOCKS), pair.gold.read_text("utf-8")
        if found is not None and len(found):
            labels = project(found, GOLD_FORMATS[likely_format(gold, pair.gold.name)](gold)).labels
            yield matrix(found, NAMES), np.array([bool(label and label.is_content) for label in labels])


class Blocks:
    """All blocks of all pages: figures of a block and of its neighbours, class, words and fold."""

    def __init__(self, pages: Sequence[Labeled]):
        self.pages = len(pages)
        self.figures = np.concatenate([figures for figures, _ in pages], axis=1).astype(float)
        around = [np.concatenate([shifted(figures, 1), shifted(figures, -1)]) for figures, _ in pages]
        self.neighbours = np.concatenate(around, axis=1).astype(float)
        self.are_content = np.concatenate([content for _, content in pages])
        self.words = np.maximum(self.figures[NAMES.index(WORDS)], 0)
        self.folds = np.concatenate(
            [np.full(len(content), number % FOLDS) for number, (_, content) in enumerate(pages)]
        )

    def figure(self, name: str) -> np.ndarray:
        return self.figures[NAMES.index(name)]

    def table(self, names: Sequence[str]) -> np.ndarray:
        """The figures of each block and of its neighbours, a row for each block."""
        rows = [NAMES.index(name) for name in names]
        return np.concatenate(
            [self.figures[rows], self.neighbours[rows], self.neighbours[[len(NAMES) + row for row in rows]]]
        ).T

    def scores(self, predictions: "Predictions") -> str:
        """The scores of what each fold gets from the other folds."""
        found = np.zeros(len(self.folds), bool)
        for fold in range(FOLDS):
            is_tested = self.folds == fold
            found[is_tested] = predictions(~is_tested, is_tested)
        return " | ".join(f"{100 * figure:.1f}" for figure in weighted_score(found, self.are_content, self.words))


# From the blocks to learn from, and those to judge, to the judgements.
Predictions = Callable[[np.ndarray, np.ndarray], np.ndarray]


def shifted(figures: np.ndarray, by: int) -> np.ndarray:
    """The figures of the block before (1) or behind (-1); 0 beyond the page."""
    moved = np.zeros_like(figures)
    if by > 0:
        moved[:, 1:] = figures[:, :-1]
    else:
        moved[:, :-1] = figures[:, 1:]
    return moved


def by_rule(blocks: Blocks, name: str = "") -> Predictions:
    """ZeroR, or 1R of a figure."""
    values = blocks.figure(name or WORDS)

    def predictions(known: np.ndarray, tested: np.ndarray) -> np.ndarray:
        classes, words = blocks.are_content[known], blocks.words[known]
        rule = one_rule(values[known], classes, words) if name else zero_rule(classes, words)
        return rule.predictions(values[tested])

    return predictions


def by_tree(blocks: Blocks, names: Sequence[str]) -> Predictions:
    table = blocks.table(names)

    def predictions(known: np.ndarray, tested: np.ndarray) -> np.ndarray:
        words = blocks.words[known]
        least = min(0.5, LEAST_WORDS / words.sum())
        tree = DecisionTreeClassifier(criterion="entropy", min_weight_fraction_leaf=least, random_state=0)
        tree.fit(table[known], blocks.are_content[known], sample_weight=words)
        return tree.predict(table[tested])

    return predictions


def by_support_vectors(blocks: Blocks, names: Sequence[str]) -> Predictions:
    table = blocks.table(names)

    def predictions(known: np.ndarray, tested: np.ndarray) -> np.ndarray:
        words = blocks.words[known]
        machine = make_pipeline(StandardScaler(), LinearSVC(dual=False, random_state=0))
        machine.fit(table[known], blocks.are_content[known], linearsvc__sample_weight=words / words.mean())
        return machine.predict(table[tested])

    return predictions


def rows(blocks: Blocks) -> Mapping[str, Predictions]:
    ways = (
        by_rule(blocks),
        by_rule(blocks, LENGTH),
        by_rule(blocks, LINKS),
        by_rule(blocks, DENSITY),
        by_tree(blocks, [LINKS]),
        by_tree(blocks, [WORDS]),
        by_tree(blocks, [WORDS, LINKS]),
        by_tree(blocks, [DENSITY, LINKS]),
        by_tree(blocks, [*SHALLOW, *COUNTS]),
        by_support_vectors(blocks, [WORDS, LINKS]),
        by_support_vectors(blocks, [*SHALLOW, *COUNTS]),
    )
    return dict(zip(PUBLISHED, ways, strict=True))


def page(blocks: Blocks, every: str) -> str:
    table = ""
    for name, way in rows(blocks).items():
        published = " | ".join(f"{figure:.1f}" for figure in PUBLISHED[name]) or "– | – | –"
        table += f"| {name} | {published} | {blocks.scores(way)} |\n"
    gains = {name: information_gain(blocks.figure(name), blocks.are_content, blocks.words) for name in NAMES}
    share = blocks.words[blocks.are_content].sum() / blocks.words.sum()
    entropy = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    return PAGE.format(
        every=every,
        pages=blocks.pages,
        blocks=f"{len(blocks.words):,}",
        words=f"{int(blocks.words.sum()):,}",
        share=100 * share,
        table=table,
        folds=FOLDS,
        least=LEAST_WORDS,
        entropy=entropy,
        gains="".join(
            f"| `{name}` | {gains[name]:.3f} |\n" for name in sorted(gains, key=gains.__getitem__, reverse=True)
        ),
    )


if __name__ == "__main__":
    main()
