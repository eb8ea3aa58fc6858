"""Annotated pages -> what the learned labelers of the survey need, with scikit-learn and our language models."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import VictorError
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import LanguageModel, NgramShape
from victorpy.foundation.words import RUNNING_WORD
from victorpy.labelers.survey import Setting
from victorpy.labelers.survey.block_features import ALL_FEATURES, LETTER_FEATURES, block_features
from victorpy.labelers.survey.fiasco import TargetNodeModel, with_neighbours
from victorpy.labelers.survey.hofmann import KINDS, BlockTreeModel
from victorpy.labelers.survey.learned_models import LearnedPages
from victorpy.labelers.survey.target_nodes import node_features, target_nodes
from victorpy.page.blocks import Label
from victorpy.page.elements import Flags, Floats, Ints

# Keywords are in one page of so many at least, and in so many times more dirty texts of pages than clean ones.
_RAREST, _PREVAILING, _KEYWORDS = 0.03, 3.0, 200
_LEAST_LEAF, _MOST_LEAVES = 30, 64
_CLEAN_ORDER = 3


@dataclass(frozen=True)
class Lessons:
    """The pages with labeled blocks, and where they are from."""

    pages: Sequence[AnnotatedPage]
    source: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        kinds = {label.is_content for page in self.pages for label in page.labels if label}
        if len(kinds) < 2:
            raise VictorError("nothing to learn from: the labeled blocks must include both content and noise")

    @property
    def facts(self) -> LearnedPages:
        total = sha256()
        for page in self.pages:
            lines = (f"{label}\t{text}\n" for label, text in zip(page.labels, page.page.texts, strict=True))
            total.update("".join(lines).encode("utf-8", "replace"))
        blocks = sum(label is not None for page in self.pages for label in page.labels)
        return LearnedPages(len(self.pages), blocks, total.hexdigest(), self.source, self.licence)


def target_node_model(lessons: Lessons, setting: Setting = "best", summary: str = "") -> TargetNodeModel:
    """FIASCO's support vector machine. As is best, nodes count by the root of their length, and neighbours help."""
    from sklearn.svm import LinearSVC  # noqa: PLC0415

    neighbours = 0 if setting == "letter" else 1
    keywords = dirty_keywords(lessons.pages)
    inputs, is_clean, lengths = _judged_nodes(lessons.pages, frozenset(keywords), neighbours)
    means, scales = inputs.mean(axis=0), np.maximum(inputs.std(axis=0), 1e-6)
    weights = np.ones(len(lengths)) if setting == "letter" else np.sqrt(lengths / lengths.mean())
    machine = LinearSVC(dual=False).fit((inputs - means) / scales, is_clean, sample_weight=weights)
    return TargetNodeModel(
        summary=summary,
        data=lessons.facts,
        neighbours=neighbours,
        keywords=tuple(keywords),
        means=_rounded(means),
        scales=_rounded(scales),
        weights=_rounded(machine.coef_[0]),
        bias=round(float(machine.intercept_[0]), 6),
    )


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(np.round(values, 6).tolist())


def dirty_keywords(pages: Sequence[AnnotatedPage]) -> list[str]:
    """The words that prevail in dirty text: in many more pages there than in clean text."""
    clean, dirty = Counter[str](), Counter[str]()
    for page in pages:
        clean.update(_words_of(page, is_clean=True))
        dirty.update(_words_of(page, is_clean=False))
    least = max(2, _RAREST * len(pages))
    prevailing = [
        word for word, count in dirty.items() if count >= least and count + 1 > _PREVAILING * (clean[word] + 1)
    ]
    return sorted(prevailing, key=lambda word: (-dirty[word] * np.log((dirty[word] + 1) / (clean[word] + 1)), word))[
        :_KEYWORDS
    ]


def _words_of(page: AnnotatedPage, *, is_clean: bool) -> set[str]:
    texts = zip(page.page.texts, page.labels, strict=True)
    return {
        word
        for text, label in texts
        if label and label.is_content is is_clean
        for word in RUNNING_WORD.findall(text.lower())
    }


def _judged_nodes(
    pages: Iterable[AnnotatedPage], keywords: frozenset[str], neighbours: int
) -> tuple[Floats, Flags, Floats]:
    """Features, class and length of the target nodes that hold labeled text. Most of its characters decide."""
    features, classes, sizes = [], [], []
    for page in pages:
        if not len(page.page):
            continue
        nodes = target_nodes(page.page)
        is_labeled, is_content = _flags(page.labels)
        count = len(nodes.elements)
        labeled = np.bincount(nodes.of_block, page.page.lengths * is_labeled, count)
        clean = np.bincount(nodes.of_block, page.page.lengths * is_content, count)
        known = labeled > 0
        features.append(with_neighbours(node_features(page.page, keywords), neighbours)[known])
        classes.append(2 * clean[known] > labeled[known])
        sizes.append(labeled[known])
    return np.concatenate(features), np.concatenate(classes), np.concatenate(sizes)


def _flags(labels: Sequence[Label | None]) -> tuple[Flags, Flags]:
    is_labeled = np.array([label is not None for label in labels], np.bool_)
    return is_labeled, np.array([label is not None and label.is_content for label in labels], np.bool_)


def block_tree_model(lessons: Lessons, setting: Setting = "best", summary: str = "") -> BlockTreeModel:
    """Hofmann's decision tree. As is best, blocks count by the root of their length, and there are more features."""
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    names = LETTER_FEATURES if setting == "letter" else ALL_FEATURES
    inputs, kinds, lengths = _judged_blocks(lessons.pages)
    weights = np.ones(len(lengths)) if setting == "letter" else np.sqrt(lengths / lengths.mean())
    learner = DecisionTreeClassifier(
        criterion="entropy", min_samples_leaf=_LEAST_LEAF, max_leaf_nodes=_MOST_LEAVES, random_state=0
    )
    learner.fit(inputs[:, [ALL_FEATURES.index(name) for name in names]], kinds, sample_weight=weights)
    return BlockTreeModel(summary=summary, data=lessons.facts, features=names, nodes=_rows(learner))


def _judged_blocks(pages: Iterable[AnnotatedPage]) -> tuple[Floats, Ints, Floats]:
    features, kinds, lengths = [], [], []
    for page in pages:
        known = [place for place, label in enumerate(page.labels) if label is not None]
        if known:
            features.append(block_features(page.page)[known])
            kinds += [_kind(page.labels[place]) for place in known]
            lengths.append(page.page.lengths[known])
    return np.concatenate(features), np.array(kinds, np.intp), np.concatenate(lengths).astype(float)


def _kind(label: Label | None) -> int:
    """Continuations are paragraphs."""
    return KINDS.index(label) if label in KINDS else KINDS.index(Label.PARAGRAPH)


def _rows(learner: object) -> tuple[tuple[float, ...], ...]:
    """The nodes of the tree, as BlockTreeModel has them."""
    tree, known = learner.tree_, learner.classes_  # type: ignore[attr-defined]
    shares = np.zeros((tree.node_count, len(KINDS)))
    values = tree.value[:, 0, :]
    shares[:, known] = values / values.sum(axis=1, keepdims=True)
    columns = (np.maximum(tree.feature, -1), tree.threshold, tree.children_left, tree.children_right)
    table = np.round(np.column_stack((*columns, shares)), 4)
    return tuple(map(tuple, table.tolist()))


def clean_and_dirty_models(lessons: Lessons, order: int = _CLEAN_ORDER) -> tuple[LanguageModel, LanguageModel]:
    """StupidOS's two language models: n-grams of characters of the content and of the noise, a block a line."""
    shape = NgramShape("characters", order, min_count=2)
    clean, dirty = (
        learn(_lines(lessons.pages, is_clean=is_clean), shape, None, lessons.source, lessons.licence)
        for is_clean in (True, False)
    )
    return clean, dirty


def _lines(pages: Iterable[AnnotatedPage], *, is_clean: bool) -> Iterable[str]:
    for page in pages:
        texts = zip(page.page.texts, page.labels, strict=True)
        yield "\n".join(" ".join(text.split()) for text, label in texts if label and label.is_content is is_clean)
