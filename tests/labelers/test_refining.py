import numpy as np
import pytest

from victorpy.blocks import LABELS, Label
from victorpy.labelers.descent import SeenPage
from victorpy.labelers.network import Network
from victorpy.labelers.refining import refined

WIDE = 32
NOISE, TEXT = LABELS.index(Label.OTHER), LABELS.index(Label.PARAGRAPH)


@pytest.fixture
def network():
    """A network of no layers that has seen nothing yet, and so takes all labels for alike."""
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
    return Network(("a", "b"), {name: array.astype(np.float32) for name, array in weights.items()})


def page_of(seed, blocks=40, **changes):
    """Of the blocks, those with a positive first figure are text."""
    figures = np.random.default_rng(seed).standard_normal((2, blocks)).astype(np.float32)
    labels = np.where(figures[0] > 0, TEXT, NOISE).astype(np.int8)
    return SeenPage(figures, labels, np.full(blocks, 50, np.int32))._replace(**changes)


def right(network, page):
    return (network.marginals(page.figures, page.lengths).argmax(axis=1) == page.labels).mean()


def test_the_last_layer_learns_and_the_others_stay(network):
    new = refined(network, [page_of(seed) for seed in range(5)], pull=1e-4)

    assert right(new, page_of(100)) > 0.9
    assert {name for name, array in new.weights.items() if not np.array_equal(array, network.weights[name])} == {
        "leave",
        "leave-bias",
    }
    assert new.fits


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
