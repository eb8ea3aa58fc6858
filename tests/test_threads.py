"""Threads share a cleaner: the core works without Python's lock."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier, Event

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import victorpy
from victorpy import _core
from victorpy.models import network
from victorpy.page.markup import BLOCKS

ROOT = Path(__file__).parents[1]
PAGES = [path.read_bytes() for path in sorted((ROOT / "examples").glob("*.html"))]
NETWORK = (ROOT / "tests" / "golden" / "network.npz").read_bytes()
DECODING = _core.Decoding(
    "expected-f1",
    bias=0,
    temperature=1,
    prior_characters=0,
    least_probability=0,
    threshold=0.5,
    repeat_probability=0,
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


# The host's BLAS


def host_threads():
    """How many threads the products of the host's numpy use."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@pytest.mark.parametrize("name", ["web", "cleaneval"])
def test_cleaning_in_threads_never_touches_the_threads_of_the_host(name):
    cleaner = victorpy.load(name)
    texts = [cleaner.clean(page).text for page in PAGES]

    def text_and_threads(page):
        return cleaner.clean(page).text, host_threads()

    with threadpool_limits(limits=3, user_api="blas"):
        before = host_threads()
        found = in_threads(text_and_threads)

        assert before
        assert all(one == [(text, before) for text in texts] for one in found)
        assert host_threads() == before


class Blas:
    """A BLAS of the host with 8 threads, whose limit is one for the whole process, as with threadpoolctl."""

    threads = 8

    @contextmanager
    def limit(self, limits):
        before, self.threads = self.threads, limits
        yield
        self.threads = before


def test_a_limit_that_threads_share_ends_with_the_last_of_them(monkeypatch):
    blas, both, is_left = Blas(), Barrier(2, timeout=10), Event()
    monkeypatch.setattr(network, "_blas", lambda: blas)

    def leaves_first():
        with network.on_one_thread():
            both.wait()
        is_left.set()

    def leaves_last():
        with network.on_one_thread():
            both.wait()
            is_left.wait(10)
            return blas.threads

    with ThreadPoolExecutor(2) as pool:
        first, last = pool.submit(leaves_first), pool.submit(leaves_last)
        first.result(10)

        assert last.result(10) == 1
    assert blas.threads == 8
