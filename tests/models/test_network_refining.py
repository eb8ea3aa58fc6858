from dataclasses import replace

import numpy as np
import pytest

from victorpy.models.network import Network
from victorpy.models.network_pages import NetworkPage
from victorpy.models.network_refining import best_step, cautious, interpolated, refined
from victorpy.page.blocks import LABELS, Label

WIDE, INNER = 32, 12
NOISE, TEXT = LABELS.index(Label.OTHER), LABELS.index(Label.PARAGRAPH)


def network_of(layers):
    """A network that has seen nothing yet, and so takes all labels for alike."""
    random, wide = np.random.default_rng(0), WIDE
    weights = {
        "means": np.zeros(2),
        "scales": np.ones(2),
        "enter": random.standard_normal((2, wide)),
        "enter-bias": random.standard_normal(wide),
        "spread": random.standard_normal((wide, wide)),
        "spread-bias": np.zeros(wide),
        "leave": np.zeros((wide, len(LABELS))),
        "leave-bias": np.zeros(len(LABELS)),
    }
    for number in range(layers):
        weights |= {
            f"{number}-around": 0.1 * random.standard_normal((3, wide, INNER)),
            f"{number}-page": 0.1 * random.standard_normal((2, wide, INNER)),
            f"{number}-bias": np.zeros(INNER),
            f"{number}-back": 0.1 * random.standard_normal((INNER, wide)),
            f"{number}-back-bias": np.zeros(wide),
        }
    return Network(("a", "b"), {name: array.astype(np.float32) for name, array in weights.items()})


@pytest.fixture
def network():
    return network_of(layers=0)


def page_of(seed, blocks=40, **changes):
    """Of the blocks, those with a positive first figure are text."""
    figures = np.random.default_rng(seed).standard_normal((2, blocks)).astype(np.float32)
    labels = np.where(figures[0] > 0, TEXT, NOISE).astype(np.int8)
    return NetworkPage(figures, labels, np.full(blocks, 50, np.int32))._replace(**changes)


def right(network, page):
    return (network.marginals(page.figures, page.lengths).argmax(axis=1) == page.labels).mean()


def test_the_layers_learn_and_how_figures_enter_stays():
    old = network_of(layers=2)

    new = refined(old, [page_of(seed) for seed in range(5)], regularization=1e-4)

    assert right(new, page_of(100)) > 0.9
    stays = {name for name, array in new.weights.items() if np.array_equal(array, old.weights[name])}
    assert stays == {"means", "scales", "enter", "enter-bias", "spread", "spread-bias"}
    assert new.fits


def below(page, blocks):
    """Labeled by the first figure of the block that stands so many blocks before."""
    return page._replace(labels=np.where(np.roll(page.figures[0], blocks) > 0, TEXT, NOISE).astype(np.int8))


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [1, -1, 2], ids=["the one before", "the one after", "the one before that"])
def test_what_blocks_around_say_can_be_learned(blocks):
    pages = [below(page_of(seed), blocks) for seed in range(20)]

    new = refined(network_of(layers=2), pages, regularization=1e-4)

    assert right(new, below(page_of(100), blocks)) > 0.85


def test_what_all_of_a_page_says_can_be_learned():
    def page(seed):
        side = 1 if seed % 2 else -1
        figures = np.random.default_rng(seed).standard_normal((2, 40)).astype(np.float32) + side
        return NetworkPage(figures, np.full(40, TEXT if side > 0 else NOISE, np.int8), np.full(40, 50, np.int32))

    new = refined(network_of(layers=1), [page(seed) for seed in range(8)], regularization=1e-4)

    assert min(right(new, page(100)), right(new, page(101))) > 0.95


def test_no_small_step_from_what_was_found_is_better():
    pages, pull, random = [page_of(seed) for seed in range(3)], 0.01, np.random.default_rng(5)
    old = network_of(layers=2)
    new = refined(old, pages, pull)

    def wrong(network):
        by_page = [
            -np.log(network.marginals(page.figures, page.lengths)[np.arange(40), page.labels]).mean() for page in pages
        ]
        drift = sum(np.square(network.weights[name] - old.weights[name]).sum() for name in network.weights)
        return sum(by_page) / (len(pages) + 10) + pull * drift

    def stepped(name):
        step = random.standard_normal(new.weights[name].shape)
        weights = {**new.weights, name: new.weights[name] + (1e-2 * step / np.linalg.norm(step)).astype(np.float32)}
        return replace(new, weights=weights)

    learned = [name for name in new.weights if not np.array_equal(new.weights[name], old.weights[name])]
    assert len(learned) == 12
    assert wrong(new) < wrong(old)
    assert all(wrong(stepped(name)) > wrong(new) - 1e-6 for name in learned for _ in range(3))


def test_the_stronger_the_pull_the_less_changes(network):
    pages = [page_of(seed) for seed in range(5)]

    drifts = [np.abs(refined(network, pages, pull).weights["leave"]).sum() for pull in (0.01, 1, 1e6)]

    assert drifts[0] > drifts[1] > drifts[2]
    assert drifts[2] < 1e-3


def test_blocks_without_a_label_and_pages_without_blocks_teach_nothing(network):
    pages = [page_of(seed) for seed in range(3)]
    half = [page._replace(labels=np.where(np.arange(40) < 20, page.labels, -1).astype(np.int8)) for page in pages]
    wrong = [page._replace(labels=np.where(np.arange(40) < 20, page.labels, NOISE).astype(np.int8)) for page in pages]
    empty = [page_of(7, blocks=0), page_of(8, labels=np.full(40, -1, np.int8))]

    learned = refined(network, half + empty, 0.1)

    assert np.array_equal(learned.weights["leave"], refined(network, half, 0.1).weights["leave"])
    assert not np.array_equal(learned.weights["leave"], refined(network, wrong, 0.1).weights["leave"])


def test_a_page_counts_by_its_weight(network):
    page, contrary = page_of(1), page_of(1, labels=np.full(40, NOISE, np.int8))

    of_text, of_noise = (
        refined(network, [page._replace(weight=weight), contrary], 1e-3).marginals(page.figures, page.lengths)[:, TEXT]
        for weight in (100.0, 0.01)
    )

    assert of_text.sum() > of_noise.sum()


@pytest.mark.slow
def test_a_network_goes_as_far_as_helps_on_pages_left_out():
    pages = [page_of(seed) for seed in range(6)]
    wrong = pages[0]._replace(labels=(TEXT + NOISE - pages[0].labels).astype(np.int8))
    ignorant, known = network_of(layers=1), refined(network_of(layers=1), pages, regularization=1e-4)

    useful = best_step(ignorant, pages, regularization=1e-3)
    harmful = best_step(known, [wrong, *pages[1:]], regularization=1e-3)
    of_one = best_step(known, [pages[0], page_of(7, blocks=0)], regularization=1e-3)

    assert useful.share >= 0.75
    assert useful.after < 0.8 * useful.before
    assert harmful.share == 0
    assert harmful.after == harmful.before
    assert 0 < of_one.share < 1
    assert of_one.before is None


@pytest.mark.parametrize(
    ("losses", "chosen"),
    [
        ([[1.0, 0.8, 0.5]] * 4, 2),
        ([[1.0, 0.8, 0.5], [1.0, 0.8, 0.6], [1.0, 0.7, 0.5]], 2),
        ([[1.0, 0.8, 0.1], [0.2, 0.3, 0.9], [0.5, 0.6, 0.4], [0.3, 0.3, 0.5]], 0),
        ([[1.0, 0.5, 0.4], [1.0, 0.6, 0.7], [1.0, 0.5, 0.4]], 1),
    ],
    ids=["all pages gain alike", "all gain", "one gains what another loses", "the rest is doubtful"],
)
def test_a_step_is_the_smallest_that_pages_cannot_tell_from_the_best(losses, chosen):
    assert cautious(np.array(losses)) == chosen


def test_a_network_may_go_a_part_of_the_way():
    old, pages = network_of(layers=1), [page_of(seed) for seed in range(3)]
    new = refined(old, pages, regularization=1e-3)

    half = interpolated(old, new, 0.5)

    assert interpolated(old, new, 0).weights["leave"].tolist() == old.weights["leave"].tolist()
    assert interpolated(old, new, 1).weights["leave"].tolist() == new.weights["leave"].tolist()
    for name in new.weights:
        assert np.allclose(half.weights[name], (old.weights[name] + new.weights[name]) / 2, atol=1e-6)
