"""Networks that are learned, and what they say in numpy."""

import os
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from victorpy.errors import OptionError, UsageError
from victorpy.features.class_words import class_words
from victorpy.features.wording import wording
from victorpy.foundation.processes import apart
from victorpy.models import network_batches, network_descent, network_ranges
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import Words, standardized
from victorpy.models.network_learning import learn
from victorpy.models.network_pages import NetworkPage
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

pytestmark = pytest.mark.process

pytest.importorskip("jax")
pytest.importorskip("optax")

FEATURES = ("letters", "links")
SMALL = NetworkOptions(True, FEATURES, width=8, layers=2, epochs=80, learning_rate=0.03, dropout=0.0)

NAMING = replace(SMALL, class_embedding_size=4, min_word_pages=5, word_dropout=0.1, vocabulary_dropout=0.1, epochs=120)
READING = replace(NAMING, class_embedding_size=0, text_embedding_size=4)
BOTH = replace(NAMING, text_embedding_size=3)


def page_of(seed: int, blocks: int = 20) -> NetworkPage:
    """Long blocks are paragraphs; a short one before a long one is a header; all else is noise."""
    random = np.random.default_rng(seed)
    is_long = random.random(blocks) < 0.4
    is_header = ~is_long & np.append(is_long[1:], False)
    lengths = np.where(is_long, random.integers(80, 300, blocks), random.integers(2, 20, blocks))
    labels = np.where(is_long, LABELS.index(Label.PARAGRAPH), LABELS.index(Label.OTHER))
    labels[is_header] = LABELS.index(Label.HEADER)
    figures = np.stack((lengths, random.random(blocks))).astype(np.float32)
    return NetworkPage(figures, labels.astype(np.int8), lengths.astype(np.int32))


def named_page(seed: int) -> NetworkPage:
    """Only what the elements around a block are called says what it is; figures say nothing."""
    random = np.random.default_rng(seed)
    is_text = random.random(20) < 0.5
    page = segment(named_html(random, is_text), markup=Markup(mode="block"))
    labels = np.where(is_text, LABELS.index(Label.PARAGRAPH), LABELS.index(Label.OTHER)).astype(np.int8)
    return NetworkPage(
        np.zeros((2, 20), np.float32), labels, page.lengths, words=Words(class_words(page), wording(page))
    )


def named_html(random, is_text) -> str:
    kinds = ["story" if text else "menu" for text in is_text]
    html = "".join(f"<div class='{kind}-{random.integers(9)}'><p>Some {kind} words.</p></div>" for kind in kinds)
    return f"<body class='site'>{html}"


@pytest.fixture(scope="module")
def reading():
    """Networks that know words: of names, of text, of both."""
    pages = [named_page(seed) for seed in range(30)]
    return {options: learn(pages, FEATURES, options) for options in (NAMING, READING, BOTH)}


@pytest.fixture(scope="module")
def network():
    return learn([page_of(seed) for seed in range(30)], FEATURES, SMALL)


def right(network, page):
    return (network.marginals(page.figures, page.lengths).argmax(axis=1) == page.labels).mean()


def test_a_network_learns_what_a_block_says_and_what_its_neighbour_says(network):
    assert min(right(network, page_of(seed)) for seed in range(100, 110)) >= 0.9


def test_the_same_pages_give_the_same_network(network):
    again = learn([page_of(seed) for seed in range(30)], FEATURES, SMALL)

    assert all(np.array_equal(array, again.weights[name]) for name, array in network.weights.items())


def chances(network, pages, options):
    """By JAX, whose threads must not stay in the process of other tests: those of each page."""
    return apart(partial(_chances, network, pages, options))


def _chances(network, pages, options):
    return [*_chances_of_pages(network, pages, options)]


def _chances_of_pages(network, pages, options):
    import jax  # noqa: PLC0415

    pages_of_batch = [network_batches.prepared(page, network) for page in pages]
    shape = network_batches.batch_shape([ready.length for ready in pages_of_batch], options)
    batch = network_batches.batch_of(pages_of_batch, shape, network, options, np.random.default_rng(0))
    scores, _ = network_descent.batch_scores(jax, network, batch, options, jax.random.PRNGKey(0))
    found, begin = np.asarray(jax.nn.softmax(scores, -1)), 0
    for ready in pages_of_batch:
        yield found[begin : begin + ready.length]
        begin += ready.length + shape.gap


@pytest.mark.parametrize("blocks", [1, 3, 40, 70])
def test_numpy_says_what_was_learned_with(network, blocks):
    pages = [page_of(7, blocks), page_of(8, 9), page_of(9, blocks)]

    for page, learned_with in zip(pages, chances(network, pages, SMALL), strict=True):
        assert network.marginals(page.figures, page.lengths) == pytest.approx(learned_with, abs=1e-4)


@pytest.mark.parametrize("options", [NAMING, READING, BOTH])
def test_words_tell_what_figures_do_not(reading, options):
    network, page = reading[options], named_page(100)
    chances = network.marginals(page.figures, page.lengths, page.words)

    assert set(network.class_words) == ({"story", "menu", "site"} if options.class_embedding_size else set())
    assert set(network.text_words) == ({"some", "words", "story", "menu"} if options.text_embedding_size else set())
    assert (chances.argmax(axis=1) == page.labels).all()
    assert len(set(network.marginals(page.figures, page.lengths)[5:15].argmax(axis=1))) == 1


@pytest.mark.parametrize("options", [NAMING, READING, BOTH])
def test_numpy_says_of_words_what_was_learned_with(reading, options):
    pages = [named_page(101), named_page(102)]
    network, without = reading[options], replace(options, word_dropout=0.0, vocabulary_dropout=0.0)

    for page, expected in zip(pages, chances(network, pages, without), strict=True):
        assert network.marginals(page.figures, page.lengths, page.words) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("options", [NAMING, READING, BOTH])
def test_the_core_says_of_words_what_numpy_says(reading, options):
    network, random = reading[options], np.random.default_rng(103)
    page = segment(named_html(random, random.random(20) < 0.5), markup=Markup(mode="block"))
    figures = np.zeros((2, len(page)), np.float32)
    expected = network.marginals(figures, page.lengths, network.words(page))

    assert network.of_page(page, figures) == pytest.approx(expected, abs=1e-5)


def test_words_of_few_pages_are_not_known():
    network = learn([named_page(seed) for seed in range(10)], FEATURES, replace(BOTH, min_word_pages=11, epochs=1))

    assert not network.class_words
    assert not network.text_words
    assert network.fits


def test_layers_may_be_narrower_than_the_network():
    narrow, page = replace(SMALL, width=12, layer_width=5), page_of(100)
    network = learn([page_of(seed) for seed in range(30)], FEATURES, narrow)

    assert network.fits
    assert {network.weights[f"{layer}-back"].shape for layer in range(2)} == {(5, 12)}
    assert right(network, page) >= 0.9
    assert network.marginals(page.figures, page.lengths) == pytest.approx(chances(network, [page], narrow)[0], abs=1e-4)


def test_large_figures_are_told_from_one_another():
    """Such as the letters of a page, of which there are thousands on all."""
    random = np.random.default_rng(0)
    figures = np.exp(random.normal(9, 1, (2, 4000))).astype(np.float32)
    page = NetworkPage(figures, np.zeros(4000, np.int8), np.ones(4000, np.int32))

    _, weights = network_ranges.ranges([page], FEATURES, SMALL)
    seen = standardized(figures, weights["means"], weights["scales"])

    assert seen.mean() == pytest.approx(0, abs=0.01)
    assert seen.std() == pytest.approx(1, abs=0.01)


def test_figures_may_be_seen_piece_by_piece():
    """One figure says all: the third of six values is text, and so is the highest third of the other range."""
    curved = replace(SMALL, piecewise=("l*",), bins=3)
    pages = [curved_page(seed) for seed in range(30)]
    network, page = learn(pages, FEATURES, curved), curved_page(100)

    assert network.fits
    assert network.bin_features == ("letters",) * 5 + ("links",) * 3
    assert right(network, page) >= 0.9
    assert network.marginals(page.figures, page.lengths) == pytest.approx(chances(network, [page], curved)[0], abs=1e-4)


def curved_page(seed: int) -> NetworkPage:
    random = np.random.default_rng(seed)
    codes, ranged = random.integers(0, 6, 40), random.random(40) * 1000
    labels = np.where((codes == 2) | (ranged > 700), LABELS.index(Label.PARAGRAPH), LABELS.index(Label.OTHER))
    return NetworkPage(np.stack((codes, ranged)).astype(np.float32), labels.astype(np.int8), np.full(40, 50, np.int32))


def test_pieces_hold_as_many_blocks_each():
    values = np.linspace(-1, 2, 1000, dtype=np.float32)

    assert network_ranges.bin_borders(values, 4) == pytest.approx([-1, -0.25, 0.5, 1.25, 2], abs=0.01)


def test_what_most_blocks_have_takes_one_piece_alone():
    values = np.append(np.zeros(600, np.float32), np.linspace(1, 4, 400, dtype=np.float32))

    assert network_ranges.bin_borders(values, 4) == pytest.approx([0, 1, 2, 3, 4], abs=0.01)


@pytest.mark.parametrize("values", [[], [3.0], [3.0, 3.0]])
def test_a_figure_that_never_changes_has_no_pieces(values):
    assert len(network_ranges.bin_borders(np.array(values, np.float32), 6)) <= 1


def test_figures_are_seen_as_logarithms_with_their_sign():
    figures = np.array([-20, -0.5, 0, 3, 1e6], np.float32)
    seen = standardized(figures[None], np.array([1], np.float32), np.array([0.5], np.float32))
    expected = (np.copysign(np.log1p(abs(figures)), figures) - 1) / 2

    assert seen[:, 0] == pytest.approx(expected.clip(-4, 4), abs=1e-6)


def test_blocks_without_a_label_teach_nothing():
    pages = [page_of(seed) for seed in range(30)]
    other = LABELS.index(Label.OTHER)
    content_only = [page._replace(labels=np.where(page.labels == other, -1, page.labels)) for page in pages]

    network = learn(content_only, FEATURES, SMALL)

    assert (network.marginals(pages[0].figures, pages[0].lengths).argmax(axis=1) != other).all()


def test_a_page_without_blocks_has_no_labels(network):
    assert network.marginals(np.zeros((2, 0), np.float32), np.zeros(0, np.int32)).shape == (0, len(LABELS))


def test_a_page_is_seen_alike_whatever_is_figured_beyond_all_bounds(network):
    page = page_of(3)
    endless = page.figures * np.float32(1e30)

    assert np.isfinite(network.marginals(endless, page.lengths)).all()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"width": 0}, "expected a number from 1 to 1024, got 0"),
        ({"layer_width": 2000}, "expected a number from 0 to 1024, got 2000"),
        ({"share": 2.0}, "expected a number from 0 to 1, got 2"),
        ({"bins": 0}, "expected a number from 1 to 64, got 0"),
        ({"features": ()}, "needs at least one feature"),
    ],
)
def test_what_no_network_can_be_made_of_is_told(changes, message):
    with pytest.raises(OptionError, match=message):
        NetworkOptions(**{"enabled": True, "features": FEATURES, **changes})


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="there threads cannot be bound to processors")
def test_a_thread_that_ends_meanwhile_stops_no_learning(monkeypatch):
    processors, ended = os.sched_getaffinity(0), 2**22 + 1  # Linux has no larger number than 2**22
    monkeypatch.setattr(os, "listdir", lambda _: [str(ended), str(os.getpid())])
    os.sched_setaffinity(0, {min(processors)})

    network_descent._spread_threads(processors)

    assert os.sched_getaffinity(0) == processors


def test_without_jax_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)

    with pytest.raises(UsageError, match=r"pip install 'victor-cleaner\[network\]'"):
        learn([page_of(0)], FEATURES, SMALL)


# Fields


def commented_page(seed: int) -> NetworkPage:
    """Long blocks behind the middle are comments. On every third page nobody knows."""
    page = page_of(seed)
    is_comment = (page.lengths >= 80) & (np.arange(20) >= 10)
    return page._replace(fields={"comment": is_comment.astype(np.int8)} if seed % 3 else {})


@pytest.fixture(scope="module")
def commenting():
    return learn([commented_page(seed) for seed in range(60)], FEATURES, SMALL)


def test_a_network_learns_fields_besides_the_labels(commenting):
    pages = [commented_page(seed) for seed in (100, 101, 103, 104)]
    scores = [commenting.field_scores(page.figures, page.lengths)[:, 0] for page in pages]
    are_right = [(of_page > 0) == page.fields["comment"] for of_page, page in zip(scores, pages, strict=True)]

    assert commenting.fields == ("comment",)
    assert commenting.fits
    assert np.mean(are_right) >= 0.85
    assert min(right(commenting, page) for page in pages) >= 0.9


def test_a_field_that_no_page_has_is_not_learned():
    nowhere = [page_of(seed)._replace(fields={"date": np.zeros(20, np.int8)}) for seed in range(4)]

    assert learn(nowhere, FEATURES, replace(SMALL, epochs=1)).fields == ()


def with_bias(network, bias):
    """The same network, with another bias for its only field."""
    return replace(network, weights={**network.weights, "field-bias": np.array([bias], np.float32)})


def test_the_core_says_of_fields_what_numpy_says(commenting):
    page = segment("<p>One<p>Two<p>Three", markup=Markup(mode="block"))
    figures = np.array([[3, 200, 90], [0, 1, 0.5]], np.float32)
    bias = commenting.weights["field-bias"][0]

    marginals, _ = commenting.with_fields_of_page(page, figures)
    assert marginals == pytest.approx(commenting.marginals(figures, page.lengths), abs=1e-5)
    for block, score in enumerate(commenting.field_scores(figures, page.lengths)[:, 0]):
        over, under = (with_bias(commenting, bias - score + change) for change in (1e-5, -1e-5))
        assert over.with_fields_of_page(page, figures)[1][block] == 4
        assert under.with_fields_of_page(page, figures)[1][block] == 0


def test_weights_of_fields_that_are_none_do_not_fit(commenting):
    assert not replace(commenting, fields=("price",)).fits
    assert not replace(commenting, fields=()).fits


# Scopes


def scoped_page(seed: int, scope: str) -> NetworkPage:
    """Long blocks are content under any scope, and the other blocks under one only."""
    page = page_of(seed)
    is_other = page.labels == LABELS.index(Label.OTHER)
    labels = np.where(is_other & (scope == "page"), LABELS.index(Label.PARAGRAPH), page.labels).astype(np.int8)
    return page._replace(labels=labels, scopes=(scope,) if scope == "page" else ("auto", scope))


@pytest.fixture(scope="module")
def scoped():
    pages = [scoped_page(seed, ("article", "page")[seed % 2]) for seed in range(30)]
    return learn(pages, FEATURES, replace(SMALL, scope_dropout=0.5))


@pytest.mark.parametrize("scope", ["article", "page"])
def test_a_network_learns_what_a_scope_holds(scoped, scope):
    pages = [scoped_page(seed, scope) for seed in range(100, 110)]

    assert scoped.scopes == ("auto", "page", "article")
    assert min(right(scoped.of_scope(scope), page) for page in pages) >= 0.85


def test_auto_is_what_pages_show_that_are_right_for_it(scoped):
    assert min(right(scoped.of_scope("auto"), scoped_page(seed, "article")) for seed in range(100, 110)) >= 0.85


def test_auto_can_be_the_mean_of_the_other_scopes():
    pages = [scoped_page(seed, ("article", "page")[seed % 2]) for seed in range(6)]

    network = learn(pages, FEATURES, replace(SMALL, epochs=2, auto_scope="mean"))

    for table in network.scope_weights:
        auto, page, article = network.weights[table]
        assert np.allclose(auto, (page + article) / 2, atol=1e-6)


def page_that_suits(seed: int, scope: str) -> NetworkPage:
    """Articles have longer blocks."""
    page = scoped_page(seed, scope)._replace(suits=scope)
    return page._replace(figures=page.figures * np.array([[20.0 if scope == "article" else 1.0], [1.0]], np.float32))


def test_auto_can_be_guessed_from_the_page():
    scopes = ("article", "page")
    pages = [page_that_suits(seed, scopes[seed % 2]) for seed in range(20)]
    options = replace(SMALL, epochs=2, auto_scope="guessed", guess_features=("*",))

    network = learn([*pages, page_of(77)], FEATURES, options)

    assert network.fits
    for seed, scope in enumerate(scopes * 3, 100):
        page = page_that_suits(seed, scope)
        shares = dict(zip(network.scopes, network.scope_shares(page.figures, page.lengths), strict=True))
        assert shares[scope] > 0.8
        assert shares["auto"] == 0


def test_where_one_scope_suits_all_pages_nothing_is_left_to_guess():
    pages = [page_that_suits(seed, "article") for seed in range(6)]

    assert not learn(pages, FEATURES, replace(SMALL, epochs=1, auto_scope="guessed", guess_features=("*",))).guesses


def test_the_score_of_comments_can_be_shifted():
    pages, options = [commented_page(seed) for seed in range(6)], replace(SMALL, epochs=1)

    plain, shifted = (learn(pages, FEATURES, replace(options, comment_shift=shift)) for shift in (0, 2))

    assert shifted.weights["field-bias"] == pytest.approx(plain.weights["field-bias"] + 2)


def test_pages_without_scopes_give_a_network_without_scopes(network):
    assert network.scopes == ()


def test_name_dropout_hides_all_names_of_a_page():
    features = ("letters", "near.main")
    options = replace(SMALL, features=features, name_dropout=0.9)
    pages = [page_of(seed)._replace(figures=np.full((2, 20), seed % 2, np.float32)) for seed in range(30)]
    network = learn(pages, features, replace(options, epochs=1))
    ready = [network_batches.prepared(page, network) for page in pages]
    shape = network_batches.batch_shape([20] * 30, options)

    batch = network_batches.batch_of(ready, shape, network, options, np.random.default_rng(0))

    hidden = network.standardized(np.full((2, 1), 64, np.float32))[0, 1]
    is_hidden = [(batch.figures[row : row + 20, 1] == hidden).all() for row in range(0, 30 * 22, 22)]
    assert 20 <= sum(is_hidden) < 30
    assert not (batch.figures[:, 0] == hidden).any()
