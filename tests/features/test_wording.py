"""Words of short blocks."""

import numpy as np
import pytest

from victorpy.features.vocabulary import learnable, row_by_word
from victorpy.features.wording import counts, sums, wording
from victorpy.page.segment import segment

WORDS = ("2026", "by", "comments", "photo", "rain", "stories", "相关新闻")
KNOWN = row_by_word(WORDS)
LONG = "Photo: rain over the harbour, " + "and more rain behind it, " * 8
MANY = "rain by rain " * 5
PAGE = (
    f"<h3>Related stories</h3><p>{LONG}<p>Comments (3) comments<p>相关新闻<p>2026<p>It, by no means, rained."
    f"<p>{MANY}<p>…"
)


def of_page(html=PAGE):
    page = segment(html)
    return page, wording(page)


def test_short_blocks_are_read_and_no_others():
    page, found = of_page()
    counted = counts(found, KNOWN)
    rows = zip(counted.blocks.tolist(), counted.words.tolist(), counted.counts.tolist(), strict=True)

    assert {(page.texts[block], WORDS[word]): many for block, word, many in rows} == {
        ("Related stories", "stories"): 1,
        ("Comments (3) comments", "comments"): 2,
        ("相关新闻", "相关新闻"): 1,
        ("2026", "2026"): 1,
        ("It, by no means, rained.", "by"): 1,
    }


def test_numbers_are_no_words_to_learn():
    _, found = of_page("<p>Rain, rain<p>3 …<p>C3PO")

    assert learnable(found.words) == {"rain", "c3po"}


def test_sums_are_over_what_is_counted():
    page, found = of_page()
    table = np.random.default_rng(0).standard_normal((len(WORDS), 3)).astype(np.float32)
    expected, counted = np.zeros((len(page), 3)), counts(found, KNOWN)
    np.add.at(expected, counted.blocks, counted.counts[:, None] * table[counted.words])

    assert sums(found, KNOWN, table, len(page)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("html", ["", "<p>Sun.", "<p>…"])
def test_where_nothing_is_known_sums_are_zero(html):
    page, found = of_page(html)
    table = np.ones((len(WORDS), 2), np.float32)

    assert not sums(found, KNOWN, table, len(page)).any()
    assert len(sums(found, row_by_word(()), table[:0], len(page))) == len(page)
