"""Networks in the core say what they say in numpy."""

from dataclasses import replace

import numpy as np
import pytest

from victorpy import _core
from victorpy.errors import UsageError
from victorpy.features.core_columns import core_rows
from victorpy.foundation.arrays import packed
from victorpy.models.kernel import kernel
from victorpy.models.network import Network
from victorpy.page.blocks import LABELS
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

FEATURES = ("block.letters", "page.letters", "part.depth", "title.covers")
NAMES = ("body", "comment", "list", "post", "related", "single", "übersicht")
TEXT = ("comments", "leave", "photo", "related", "stories")
PIECES = ("block.letters", "block.letters", "part.depth")
WIDE, NUMBERS = 12, 3

PAGE = """<html class="js"><body class="single-post post"><div class="post-body post">
<h3 class="related">Related stories</h3><ul id="a" class="related_list"><li class="ÜBERSICHT">Photo: a boat.</li></ul>
<p>It began to rain over the harbour, and the ferry to the islands did not leave before the evening of that day.</p>
<div class="post comment&#45;list"><p>Leave a comment<p class="comment">Comments (3)</div></div>Loose</body></html>"""
PAGES = {
    "with everything": PAGE,
    "without blocks": "<body class=post>",
    "without names": "<p>Related stories<p>Rain.",
    "without known words": "<body class=x><p class=y>Rain.<p>Sun.",
    "with names of the page alone": "<html class=single><body class='post list'><p>Rain.<p>Sun.",
    "with text under the root": "<html class=single>Rain.",
    "with too long a list of classes": f"<p class='post {'a' * 60}'>Rain.<p class='post'>Sun.",
    "larger than what is computed at once": "<div class=post><p class=comment>Related stories<p>Rain.</div>" * 1800,
}


def network(*, names=(), text=(), pieces=(), features=FEATURES, seed=0):
    random = np.random.default_rng(seed)

    def some(*shape):
        return random.normal(0, 0.3, shape).astype(np.float32)

    layers = {}
    for layer in range(2):
        shapes = {"around": (3, WIDE, 5), "page": (2, WIDE, 5), "bias": (5,), "back": (5, WIDE), "back-bias": (WIDE,)}
        layers |= {f"{layer}-{name}": some(*shape) for name, shape in shapes.items()}
    tables = {"near": names, "whole": names, "short": text}
    tables = {name: some(len(words), NUMBERS) for name, words in tables.items() if words}
    of_pieces = {"piece-middles": some(len(pieces)), "piece-scales": 1 + abs(some(len(pieces)))} if pieces else {}
    seen = len(features)
    weights = {
        "means": 3 + some(seen),
        "scales": 1 + some(seen),
        "enter": some(seen + len(pieces) + NUMBERS * len(tables), WIDE),
        "enter-bias": some(WIDE),
        "spread": some(WIDE, WIDE),
        "spread-bias": some(WIDE),
        "leave": some(WIDE, len(LABELS)),
        "leave-bias": some(len(LABELS)),
    }
    made = Network(features, layers | weights | tables | of_pieces, names, text, pieces)
    assert made.fits
    return made


NETWORKS = {
    "figures alone": network(),
    "words of names": network(names=NAMES),
    "words of text": network(text=TEXT),
    "both": network(names=NAMES, text=TEXT),
    "both and pieces": network(names=NAMES, text=TEXT, pieces=PIECES),
}


def page_of(html):
    return segment(html, markup=Markup(mode="block"))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
@pytest.mark.parametrize("network", NETWORKS.values(), ids=NETWORKS)
def test_the_core_says_what_numpy_says(network, html):
    page = page_of(html)
    figures = core_rows(page, network.features)
    expected = network.marginals(figures, page.lengths, network.words(page))

    assert network.is_native
    assert network.of_page(page) == pytest.approx(expected, abs=1e-5)
    assert np.array_equal(network.of_page(page, figures), network.of_page(page))


@pytest.mark.parametrize("table", ["near", "whole", "short"])
def test_every_table_of_words_matters(table):
    network, page = NETWORKS["both"], page_of(PAGE)
    silent = replace(network, weights=network.weights | {table: 0 * network.weights[table]})

    assert abs(silent.of_page(page) - network.of_page(page)).max() > 1e-3


def test_a_table_that_does_not_fit_its_words_is_told():
    network = NETWORKS["both"]
    broken = replace(network, weights=network.weights | {"whole": network.weights["whole"][1:]})

    with pytest.raises(ValueError, match=r"'whole': expected the shape \[7, 3\], got \[6, 3\]"):
        _ = broken.core


# Several networks


def together(*networks):
    arrays = {f"{number}:{name}": array for number, one in enumerate(networks) for name, array in one.arrays.items()}
    return _core.Network(packed(arrays), [f"{number}:" for number in range(len(networks))])


def said(network, page, *figures):
    return np.frombuffer(network.marginals(page.core, *figures)).reshape(len(page), len(LABELS))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_two_equal_networks_say_what_one_says(html):
    network, page = NETWORKS["both and pieces"], page_of(html)

    assert np.array_equal(said(together(network, network), page), network.of_page(page))


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_different_networks_say_their_mean(html):
    """They see other features and know other words."""
    others = [
        network(names=NAMES[2:], features=(*FEATURES[:0:-1], "block.linked"), pieces=("part.depth",), seed=1),
        network(text=TEXT, seed=2),
    ]
    page, networks = page_of(html), [NETWORKS["words of names"], *others]
    expected = sum(network.of_page(page) for network in networks) / len(networks)
    core = together(*networks)

    assert core.features == [*FEATURES, "block.linked"]
    assert said(core, page) == pytest.approx(expected, abs=1e-12)
    assert np.array_equal(said(core, page, core_rows(page, core.features).tobytes()), said(core, page))


def test_networks_whose_features_are_not_all_native_need_figures():
    page, networks = page_of(PAGE), [NETWORKS["both"], network(features=("letters",), seed=1)]
    core = together(*networks)
    rows = core_rows(page, FEATURES)
    letters = np.arange(len(page), dtype=np.float32)[None]
    expected = (networks[0].of_page(page) + networks[1].of_page(page, letters)) / 2

    assert not core.is_native
    assert said(core, page, np.concatenate([rows, letters]).tobytes()) == pytest.approx(expected, abs=1e-12)
    with pytest.raises(ValueError, match=r"\d+ figures are needed"):
        core.marginals(page.core)


def test_a_network_has_at_least_one_prefix():
    with pytest.raises(ValueError, match="at least one network is needed"):
        _core.Network(packed(NETWORKS["both"].arrays), [])


# Kernels


@pytest.mark.parametrize("name", _core.KERNELS)
def test_the_environment_chooses_the_kernel(monkeypatch, name):
    monkeypatch.setenv("VICTOR_KERNEL", name)
    network, page = network_of_its_own(), page_of(PAGE)

    assert kernel() == name
    assert network.core.kernel == name
    assert np.array_equal(network.of_page(page), NETWORKS["both"].of_page(page))


@pytest.mark.parametrize("name", [None, ""])
def test_without_a_choice_the_kernel_is_the_fastest(monkeypatch, name):
    monkeypatch.delenv("VICTOR_KERNEL", raising=False)
    if name is not None:
        monkeypatch.setenv("VICTOR_KERNEL", name)

    assert network_of_its_own().core.kernel == _core.KERNELS[0]


def test_a_kernel_that_the_processor_lacks_is_told_with_those_it_has(monkeypatch):
    monkeypatch.setenv("VICTOR_KERNEL", "sse9")

    with pytest.raises(UsageError, match=f"VICTOR_KERNEL: .* 'sse9', only .*{_core.KERNELS[-1]}"):
        _ = network_of_its_own().core


def network_of_its_own():
    return replace(NETWORKS["both"])
