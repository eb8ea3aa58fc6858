"""Threads share a cleaner: the core works without Python's lock."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import victorpy
from victorpy import _core
from victorpy.page.markup import BLOCKS

ROOT = Path(__file__).parents[1]
PAGES = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
NETWORK = (ROOT / "tests" / "golden" / "network.npz").read_bytes()
DECODING = _core.Decoding(
    "expected-f1", bias=0, prior_characters=0, least_probability=0, threshold=0.5, repeat_probability=0
)
THREADS, ROUNDS = 8, 5


def in_threads(work):
    """What each of several threads gets for each page, all at once."""
    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(lambda _: [work(page) for page in PAGES], range(THREADS * ROUNDS)))


@pytest.mark.parametrize("name", ["web", "density"])
def test_threads_get_the_texts_of_one(name):
    alone, shared = victorpy.load(name), victorpy.load(name)
    texts = [alone.clean(page).text for page in PAGES]

    assert any(texts)
    assert all(found == texts for found in in_threads(lambda page: shared.clean(page).text))


def test_threads_share_a_network():
    network = _core.Network(NETWORK)

    def labels(page):
        return network.labels(_core.of_bytes(page, None, BLOCKS.core), DECODING)

    expected = [labels(page) for page in PAGES]
    assert all(found == expected for found in in_threads(labels))


def test_a_fault_of_the_core_is_an_error():
    document = _core.of_bytes(b"<p>quay", None, BLOCKS.core)
    # A tree whose root lacks a child, which no parser gives.
    elements = [("html", 2, 1, "quay", "", []), ("p", 0, 1, "ferry", "", [])]

    for _ in range(2):
        with pytest.raises(RuntimeError, match="the core failed"):
            _core.of_elements(document, elements, "", BLOCKS.core)
    assert document.texts() == ["quay"]
