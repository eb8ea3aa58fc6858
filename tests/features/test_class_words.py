"""Words of classes around blocks."""

import numpy as np
import pytest

from victorpy.features.class_words import class_words, counts, sums
from victorpy.features.vocabulary import learnable, row_by_word
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

PAGE = """<html class="js"><body class="single-post post-template postid-1812 logged-out wp-embed no-sidebar">
<main id="content"><div class="post">
<div class="post__body post-text"><div class="row">
<p class="lead">It began to rain.</p><p>The ferry left.</p></div></div>
<ul id="comment-list" class="comments"><li class="comment">First!</li></ul></div></main>
<footer class="post flex w-full bg-sky-700/10 p-0.5 text-sm leading-6 text-slate-700">2026</footer></body></html>"""
MARKUP = Markup(mode="block")
WORDS = ("body", "comment", "comments", "content", "lead", "post", "single")
KNOWN = row_by_word(WORDS)


def of_page(html=PAGE, markup=MARKUP):
    page = segment(html, markup=markup)
    return page, class_words(page)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("comment-list", {"comment", "list"}),
        ("relatedStories SIDEBAR", {"relatedstories", "sidebar"}),
        ("col-md-6\ncol\tx", {"col", "md", "x"}),
        ("article__body", {"article", "body"}),
        ("", set()),
    ],
)
def test_names_fall_into_words(name, expected):
    _, found = of_page(f"<p class='{name}'>Rain.")

    assert learnable(found.words) == expected


def test_near_are_three_elements_and_others_count_for_nothing_but_those_of_the_page():
    page, found = of_page()
    near, whole = counts(found, KNOWN)

    def word_counts(number, counted):
        rows = counted.blocks == number
        return {WORDS[word]: int(many) for word, many in zip(counted.words[rows], counted.counts[rows], strict=True)}

    lead, comment, footer = map(page.texts.index, ("It began to rain.", "First!", "2026"))
    assert word_counts(lead, near) == {"lead": 1, "post": 2, "body": 1}
    assert word_counts(comment, near) == {"comment": 1, "comments": 1, "post": 1}
    assert word_counts(footer, near) == {}, "a list so long says how an element looks"
    assert word_counts(lead, whole) == word_counts(comment, whole) == {"post": 2, "single": 1}


def test_sums_are_over_what_is_counted():
    page, found = of_page()
    random = np.random.default_rng(0)
    tables = [random.standard_normal((len(WORDS), 4)).astype(np.float32) for _ in range(2)]
    expected = [np.zeros((len(page), 4)) for _ in tables]
    for total, counted, table in zip(expected, counts(found, KNOWN), tables, strict=True):
        np.add.at(total, counted.blocks, counted.counts[:, None] * table[counted.words])
    near, whole = sums(found, KNOWN, *tables)

    assert near == pytest.approx(expected[0], abs=1e-5)
    assert np.broadcast_to(whole, near.shape) == pytest.approx(expected[1], abs=1e-5)


@pytest.mark.parametrize("html", ["", "<p>Rain.", "<p class=a>Rain.<p class=b>Sun."])
def test_where_nothing_is_known_sums_are_zero(html):
    page, found = of_page(html)
    table = np.ones((len(WORDS), 2), np.float32)

    assert not any(side.any() for side in sums(found, KNOWN, table, table))
    assert len(sums(found, row_by_word(()), table[:0], table[:0])[0]) == len(page)


def test_a_deep_page_takes_no_time():
    _, found = of_page(f"<main class=comment>{'<div class=post>' * 20_000}<p>Rain.")
    ones = np.ones((len(WORDS), 1), np.float32)

    near, whole = sums(found, KNOWN, ones, ones)

    assert (near.tolist(), whole.tolist()) == ([[3]], [0])
