"""Words of classes and ids around blocks."""

import numpy as np
import pytest

from victorpy.features.names import counts, names, sums
from victorpy.markup import CalledMarkup
from victorpy.segment import segment

PAGE = """<html class="js"><body class="single-post"><main id="content"><div class="post">
<div class="post__body post-text"><div class="row">
<p class="lead">It began to rain.</p><p>The ferry left.</p></div></div>
<ul id="CommentList" class="comments"><li class="comment">First!</li></ul></div></main>
<footer>2026</footer></body></html>"""
MARKUP = CalledMarkup(mode="block")
KNOWN = {word: place for place, word in enumerate(("body", "comment", "comments", "content", "lead", "post", "single"))}


def of_page(html=PAGE, markup=MARKUP):
    page = segment(html, markup=markup)
    return page, names(page)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("comment-list", ("comment", "list")),
        ("relatedStories SIDEBAR", ("related", "stories", "sidebar")),
        ("col-md-6\ncol\tx", ("col", "md", "col")),
        ("новости", ()),
        ("", ()),
    ],
)
def test_names_fall_into_words(name, expected):
    _, found = of_page(f"<p class='{name}'>Rain.")

    assert tuple(word for part in found.parts for word in found.words[part]) == expected


def test_near_are_three_elements_and_all_others_are_far():
    page, found = of_page()
    near, far = counts(found, KNOWN)

    def told(number, counted):
        rows = counted.blocks == number
        return {
            list(KNOWN)[word]: int(many) for word, many in zip(counted.words[rows], counted.counts[rows], strict=True)
        }

    lead, comment = page.texts.index("It began to rain."), page.texts.index("First!")
    assert told(lead, near) == {"lead": 1, "post": 2, "body": 1}
    assert told(lead, far) == {"post": 2, "content": 1, "single": 1}
    assert told(comment, near) == {"comment": 2, "comments": 1, "post": 1}


def test_sums_are_over_what_is_counted():
    _, found = of_page()
    random = np.random.default_rng(0)
    tables = [random.standard_normal((len(KNOWN), 4)).astype(np.float32) for _ in range(2)]
    expected = np.zeros((len(found.blocks), 8))
    for side, (counted, table) in enumerate(zip(counts(found, KNOWN), tables, strict=True)):
        np.add.at(expected[:, 4 * side : 4 * side + 4], counted.blocks, counted.counts[:, None] * table[counted.words])

    assert sums(found, KNOWN, *tables) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("html", ["", "<p>Rain.", "<p class=a>Rain.<p id=b>Sun."])
def test_where_nothing_is_known_sums_are_zero(html):
    page, found = of_page(html)
    table = np.ones((len(KNOWN), 2), np.float32)

    assert not sums(found, KNOWN, table, table).any()
    assert len(sums(found, {}, table[:0], table[:0])) == len(page)


def test_a_page_that_keeps_no_attributes_has_no_names():
    _, found = of_page(markup=type(MARKUP).__base__(mode="block"))

    assert not len(found.parts)
    assert not found.numbers.any()


def test_what_is_very_far_out_counts_for_nothing_and_takes_no_time():
    deep = f"<main class=comment>{'<div class=post>' * 20_000}<p>Rain."
    _, found = of_page(deep)
    ones = np.ones((len(KNOWN), 1), np.float32)

    near, far = counts(found, KNOWN)

    assert sums(found, KNOWN, ones, ones).tolist() == [[2, 32]]
    assert (near.counts.sum(), far.counts.sum()) == (2, 32)
