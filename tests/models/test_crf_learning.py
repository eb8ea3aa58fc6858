"""What CRFsuite learned, and what we made of it, say the same."""

import numpy as np
import pytest

from victorpy.models.crf import Layout
from victorpy.models.crf_learning import (
    CodedPage,
    _compiled,
    _estimator,
    attributes,
    learn,
    read_weights,
    sequences,
)
from victorpy.models.learning_options import CRFOptions
from victorpy.models.templates import parse
from victorpy.page.blocks import LABELS, Label

COUNTS = {"a": 3, "b": 11, "c": 250, "d": 250}
SINGLES = "a[{-1,0,1}]\nb[{-2,0}]\nc[0]\n"
CONJUNCTIONS = "a[-1] b[2]\nc[0] d[0]\nc[0] a[1] d[-1]\n"


def layout(text: str) -> Layout:
    return Layout(COUNTS, parse(text, "x.tpl", COUNTS))


def random_pages(seed: int = 0, count: int = 12) -> list[CodedPage]:
    random = np.random.default_rng(seed)
    pages = []
    for _ in range(count):
        blocks = random.integers(1, 40)
        codes = np.array([random.integers(0, size, blocks) for size in COUNTS.values()], np.uint8)
        labels = [LABELS[number % 5] for number in (codes[0] + codes[1]).tolist()]
        pages.append(CodedPage(codes, labels))
    return pages


@pytest.mark.parametrize("text", [SINGLES + "B", SINGLES + CONJUNCTIONS + "B"], ids=["singles", "conjunctions"])
def test_compiled_labels_and_marginals_are_those_of_crfsuite(text, tmp_path):
    pages, unseen = random_pages(), random_pages(seed=1)
    estimator = _estimator(CRFOptions(max_iterations=30), tmp_path / "model")
    pairs = [pair for page in pages for pair in sequences(page, layout(text))]
    estimator.fit(*map(list, zip(*pairs, strict=True)))
    crf = _compiled(read_weights((tmp_path / "model").read_bytes()), layout(text))

    for page in [*pages, *unseen]:
        items = attributes(page.codes, layout(text))
        theirs = [[chances[label.value] for label in LABELS] for chances in estimator.predict_marginals_single(items)]
        assert crf.marginals(page.codes) == pytest.approx(np.array(theirs), abs=1e-9)
        assert [LABELS[label] for label in crf.best_path(page.codes)] == list(estimator.predict_single(items))


def test_without_label_bigrams_every_block_stands_by_itself():
    crf = learn(random_pages(), layout(SINGLES), CRFOptions(max_iterations=30))
    codes = random_pages(seed=1)[0].codes

    assert not crf.transitions.any()
    assert crf.best_path(codes) == crf.scores(codes).argmax(axis=1).tolist()


def test_a_sparse_conjunction_of_which_nothing_was_learned_says_nothing():
    text = SINGLES + "c[0] d[0] b[0]\n"

    crf = learn(random_pages(), layout(text), CRFOptions(max_iterations=5, min_freq=3))

    assert np.isfinite(crf.scores(random_pages(seed=1)[0].codes)).all()
    assert len(crf.conjunctions[0].weights) == 1


def test_learning_twice_gives_the_same_weights():
    first, second = (learn(random_pages(), layout(SINGLES + "B"), CRFOptions(max_iterations=20)) for _ in range(2))

    assert (first.singles == second.singles).all()
    assert (first.transitions == second.transitions).all()


def test_blocks_without_a_label_are_not_learned_from():
    page = random_pages()[0]
    labels = [*page.labels[:5], None, None, *page.labels[7:9], None]
    codes = page.codes[:, : len(labels)]

    stretches = list(sequences(CodedPage(codes, labels), layout(SINGLES + "B")))

    assert [names for _, names in stretches] == [[*page.labels[:5]], [*page.labels[7:9]]]


def test_a_label_that_no_page_has_is_never_given():
    pages = [
        CodedPage(page.codes, [Label.PARAGRAPH if label and label.is_content else Label.OTHER for label in page.labels])
        for page in random_pages()
    ]

    crf = learn(pages, layout(SINGLES + "B"), CRFOptions(max_iterations=30))
    likeliest = {label for page in pages for label in crf.marginals(page.codes)[:, :4].argmax(axis=1).tolist()}

    assert set(crf.best_path(pages[0].codes)) <= {LABELS.index(Label.PARAGRAPH), LABELS.index(Label.OTHER)}
    assert likeliest == {LABELS.index(Label.PARAGRAPH)}
