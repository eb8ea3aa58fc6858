from itertools import product

import numpy as np
import pytest

from victorpy.models.chain import marginals
from victorpy.models.decoding import Decoding, decoded
from victorpy.models.label_probabilities import likeliest_path
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

PLAIN = Decoding(prior_characters=0.0, min_probability=0.0)


def page_of(texts):
    return segment("".join(f"<p>{text}" for text in texts), markup=Markup(mode="block"))


def labels_of(chances, decoding, page=None):
    page = page or page_of(["word"] * len(chances))
    return decoded(page, np.asarray(chances, float).tobytes(), decoding)[0]


def kept(probabilities, decoding, page=None):
    """Of each block: is it kept, where all content is paragraphs?"""
    chances = [[probability, 0, 0, 0, 1 - probability] for probability in probabilities]
    return [label.is_content for label in labels_of(chances, decoding, page)]


def expected_f1(keeps, probabilities, weights):
    kept = (keeps * weights).sum()
    return 2 * (keeps * probabilities * weights).sum() / (kept + (probabilities * weights).sum())


@pytest.mark.parametrize("seed", range(5))
def test_no_other_set_of_blocks_has_a_better_expected_f1(seed):
    random = np.random.default_rng(seed)
    probabilities, weights = random.random(8), random.integers(1, 100, 8)
    everything = (np.array(keeps) for keeps in product([False, True], repeat=8))
    page = page_of("a" * weight for weight in weights)

    best = max(expected_f1(keeps, probabilities, weights) for keeps in everything)

    keeps = np.array(kept(probabilities, PLAIN, page))
    assert expected_f1(keeps, probabilities, weights) == pytest.approx(best)


def test_a_page_that_is_hardly_content_keeps_nothing():
    assert not any(kept([0.1] * 20, Decoding()))
    assert all(kept([0.1] * 20, PLAIN))


SAID = "What the page says of itself."


def test_a_text_is_kept_again_only_where_both_copies_are_sure():
    page = page_of([SAID, "Something else, much longer.", SAID])

    def keeps(first, second, least=0.9):
        return kept([first, 0.99, second], Decoding(repeat_probability=least), page)

    assert keeps(0.99, 0.8) == [True, True, False]
    assert keeps(0.8, 0.99) == [True, True, False]
    assert keeps(0.95, 0.95) == [True, True, True]
    assert keeps(0.99, 0.8, least=0.0) == [True, True, True]


def test_short_texts_and_those_that_nobody_keeps_may_come_again():
    page = page_of([SAID, "Price", SAID, "Price"])
    decoding = Decoding(prior_characters=0.0, repeat_probability=0.9)

    assert kept([0.001, 0.85, 0.85, 0.85], decoding, page) == [False, True, True, True]


def test_a_threshold_keeps_copies_like_all_others():
    decoding = Decoding(method="threshold", repeat_probability=1.0)

    assert all(kept([0.6, 0.6], decoding, page_of([SAID, SAID])))


@pytest.mark.parametrize("probabilities", [[], [0.0, 0.0]])
def test_nothing_is_kept_of_nothing(probabilities):
    assert not any(kept(probabilities, Decoding()))


def probabilities_of(chances, bias):
    page = page_of(["word"] * len(chances))
    return decoded(page, np.array(chances, float).tobytes(), Decoding(bias=bias))[1]


def test_bias_moves_the_odds_of_content():
    precise, plain, complete = (probabilities_of([[0.1, 0.1, 0.1, 0.1, 0.6]], bias)[0] for bias in (-1.0, 0.0, 1.0))

    assert precise < plain < complete
    assert plain == pytest.approx(0.4)


@pytest.mark.parametrize("bias", [-100.0, 100.0])
def test_the_strongest_bias_still_gives_probabilities(bias):
    found = probabilities_of([[1.0, 0, 0, 0, 0], [0, 0, 0, 0, 1.0]], bias)

    assert all(0 <= probability <= 1 for probability in found)


def test_a_kept_block_gets_its_likeliest_kind():
    chances = [[0.1, 0.6, 0.0, 0.0, 0.3], [0.4, 0.3, 0.0, 0.0, 0.3], [0.2, 0.1, 0.0, 0.0, 0.7]]

    labels = labels_of(chances, Decoding(method="threshold", threshold=0.5))

    assert labels == [Label.HEADER, Label.PARAGRAPH, Label.OTHER]


LIKELIEST = Decoding(method="likeliest")


def test_of_the_likeliest_labels_more_are_expected_to_be_right_than_of_the_likeliest_sequence():
    random = np.random.default_rng(3)
    scores, transitions = random.normal(size=(40, len(LABELS))), random.normal(size=(len(LABELS), len(LABELS)))
    chances = marginals(scores, transitions)

    by_block, by_path = (
        sum(chances[block, LABELS.index(label)] for block, label in enumerate(labels))
        for labels in (labels_of(chances, LIKELIEST), likeliest_path(scores, transitions))
    )

    assert by_block > by_path


@pytest.mark.parametrize(("bias", "label"), [(-0.5, Label.OTHER), (0.0, Label.HEADER), (100.0, Label.HEADER)])
def test_bias_moves_the_likeliest_labels(bias, label):
    assert labels_of([[0.1, 0.45, 0.05, 0.05, 0.35]], Decoding(method="likeliest", bias=bias)) == [label]


def test_as_many_probabilities_as_blocks_are_needed():
    with pytest.raises(ValueError, match="as many probabilities as blocks"):
        decoded(page_of(["word"]), b"", Decoding())
