"""Scopes: what a network has learned of each, in numpy and in the core."""

from dataclasses import replace

import numpy as np
import pytest
from test_network import FEATURES, PAGE, network, page_of

from victorpy import _core
from victorpy.errors import UsageError
from victorpy.features.core_columns import core_rows
from victorpy.foundation.arrays import packed
from victorpy.models.doubts import doubt
from victorpy.models.network import NEVER
from victorpy.models.network_pages import NetworkPage
from victorpy.models.network_refining import refined
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

SCOPES = ("auto", "page", "article")


@pytest.fixture(scope="module")
def scoped():
    """A network that says something else in each scope."""
    plain, random = network(), np.random.default_rng(1)
    tables = replace(plain, scopes=SCOPES).scope_weights
    rows = {table: random.normal(size=(3, plain.weights[bias].size)) for table, bias in tables.items()}
    made = replace(
        plain, scopes=SCOPES, weights={**plain.weights, **{name: row.astype(np.float32) for name, row in rows.items()}}
    )
    assert made.fits
    return made


@pytest.mark.parametrize("scope", SCOPES)
def test_the_core_labels_for_the_scope_that_it_is_asked_for(scoped, scope):
    page = page_of(PAGE)

    in_core = np.frombuffer(_core.Network(packed(scoped.arrays), [""], scope=scope).marginals(page.core))

    expected = scoped.of_scope(scope).marginals(core_rows(page, FEATURES), page.lengths)
    assert np.abs(in_core - expected.ravel()).max() < 1e-5


def test_scopes_change_what_is_likely(scoped):
    page = page_of(PAGE)
    auto, article = (scoped.of_scope(scope).of_page(page) for scope in ("auto", "article"))

    assert np.abs(auto - article).max() > 0.05


def test_an_unknown_scope_names_those_that_were_learned(scoped):
    with pytest.raises(UsageError, match=r"does not know, 'corpus': it has learned auto, page, article"):
        scoped.of_scope("corpus")
    with pytest.raises(ValueError, match=r"no scope 'corpus': the network has learned auto, page, article"):
        _core.Network(packed(scoped.arrays), [""], scope="corpus")


def test_a_network_without_scopes_takes_auto_alone():
    assert network().of_scope("auto").fits
    with pytest.raises(UsageError, match="it has learned no scopes, and takes only 'auto'"):
        network().of_scope("page")


def test_what_one_scope_learns_leaves_the_difference_of_the_others(scoped):
    of_page = scoped.of_scope("page")
    learned = replace(of_page, weights={**of_page.weights, "leave-bias": of_page.weights["leave-bias"] + 1})

    refined = scoped.with_refined(learned, "page")

    for scope in SCOPES:
        change = refined.of_scope(scope).weights["leave-bias"] - scoped.of_scope(scope).weights["leave-bias"]
        assert np.allclose(change, 1, atol=1e-5)


@pytest.mark.parametrize("broken", ["scope", "0-scope", "leave-scope"])
def test_a_network_with_too_few_rows_of_scopes_does_not_fit(scoped, broken):
    assert not replace(scoped, weights={**scoped.weights, broken: scoped.weights[broken][:2]}).fits


# Guessing the scope of a page


@pytest.fixture(scope="module")
def guessing(scoped):
    """The same, where pages of long blocks count as articles."""
    guess = np.zeros((len(FEATURES), 3), np.float32)
    guess[FEATURES.index("block.letters")] = 0, -3, 3
    arrays = {"guess": guess, "guess-bias": np.array([NEVER, -0.5, 0.5], np.float32)}
    made = replace(scoped, weights={**scoped.weights, **arrays})
    assert made.fits
    return made


@pytest.mark.parametrize("html", [PAGE, "<p>Short<p>texts", f"<p>{'A long text. ' * 90}"])
def test_the_core_guesses_as_numpy_does(guessing, html):
    page = page_of(html)

    in_core = np.frombuffer(_core.Network(packed(guessing.arrays), [""]).marginals(page.core))

    expected = guessing.of_scope("auto").marginals(core_rows(page, FEATURES), page.lengths)
    assert np.abs(in_core - expected.ravel()).max() < 1e-5


def test_scopes_count_by_what_the_page_looks_like(guessing):
    short, long = (page_of(html) for html in ("<p>a<p>b<p>c", f"<p>{'A long text. ' * 900}"))

    shares = [guessing.scope_shares(core_rows(page, FEATURES), page.lengths) for page in (short, long)]

    assert shares[0] == pytest.approx([0, 1, 0], abs=0.05)
    assert shares[1] == pytest.approx([0, 0, 1], abs=0.05)


def test_a_scope_that_is_asked_for_leaves_nothing_to_guess(guessing, scoped):
    page = page_of(PAGE)

    assert np.array_equal(guessing.of_scope("article").of_page(page), scoped.of_scope("article").of_page(page))
    assert guessing.of_scope("article").fits


@pytest.mark.parametrize("broken", ["guess", "guess-bias"])
def test_a_guess_without_one_of_its_arrays_does_not_fit(guessing, broken):
    weights = {name: array for name, array in guessing.weights.items() if name != broken}

    assert not replace(guessing, weights=weights).fits
    if broken != "guess":
        with pytest.raises(ValueError, match=broken):
            _core.Network(packed(replace(guessing, weights=weights).arrays), [""])


def test_a_network_that_guesses_learns_more_for_auto(guessing):
    page = page_of(PAGE)
    figures = core_rows(page, FEATURES)
    lesson = NetworkPage(figures, np.zeros(len(page), np.int8), page.lengths)

    learned = guessing.with_refined(refined(guessing.of_scope("auto"), [lesson] * 4, 1e-4), "auto")

    assert learned.fits
    assert learned.scopes == SCOPES
    before, after = (made.marginals(figures, page.lengths)[:, 0].mean() for made in (guessing, learned))
    assert after > max(before, 0.5)


# Reasons to doubt


def doubts(html, scope="auto", keeps=True):
    page = segment(html)
    return doubt(page, [Label.PARAGRAPH if keeps else Label.OTHER] * len(page), scope)


def test_short_text_beside_a_wall_is_cut_by_it():
    wall = "<div class='c-Paywall__box'>Subscribe to read on.</div>"

    assert doubts(f"<p>The first lines.</p>{wall}") == "cut by a wall"
    assert doubts(f"<p>{'The whole article. ' * 100}</p>{wall}") == ""


def test_a_list_of_links_is_no_article():
    links = "<ul><li><a href=/1>One story</a><li><a href=/2>Another story</a></ul><p>Today"

    assert doubts(links, "article") == "list page under scope article"
    assert doubts(links) == ""


def test_what_was_not_found_is_named_by_scope():
    assert doubts("<p>Menu", "article", keeps=False) == "no article found"
    assert doubts("<p>Menu", "discussion", keeps=False) == "no discussion found"
    assert doubts("<p>Menu", "page", keeps=False) == ""
    assert doubts("", "article", keeps=False) == ""
