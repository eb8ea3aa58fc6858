from itertools import combinations_with_replacement

import numpy as np
import pytest

from victorpy.features.tokens import words
from victorpy.labelers.bte import BTE, best_stretch
from victorpy.page.elements import tag_events
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

BLOCKS = Markup(mode="block")
PAGES = [
    "<ul><li><a>Home</a><li><a>News</a></ul><p>one two three four five<p>six seven eight nine ten<div><i>end</i></div>",
    "<p>one two<div><div><div><div>three</div></div></div></div><p>four five six",
    "<table><tr><td>a<td>b<td>c</table>",
    "<p>a b c d <b>e</b> f g<br><br><i><b>h</b></i><p>i j k l m n o p",
]


def kept(html, **options):
    page = segment(html, markup=BLOCKS)
    labels = BTE(**options).labeling(page).labels
    return [text for text, label in zip(page.texts, labels, strict=True) if label.is_content]


@pytest.mark.parametrize("html", PAGES)
def test_no_other_stretch_has_more_tags_outside_and_words_inside(html):
    page = segment(html, markup=BLOCKS)

    keeps = np.flatnonzero(best_stretch(page))

    best = max(objective(page, *stretch) for stretch in combinations_with_replacement(range(len(page)), 2))
    assert objective(page, keeps[0], keeps[-1]) == best
    assert len(keeps) == keeps[-1] - keeps[0] + 1


def objective(page, first, last):
    tags = len(tag_events(page.elements))
    inside = page.runs.place[page.last_runs[last]] - page.runs.place[page.first_runs[first]]
    return tags - inside + words(page)[first : last + 1].sum()


def test_menus_around_the_text_are_dropped():
    assert kept(PAGES[0]) == ["one two three four five", "six seven eight nine ten"]


def test_heavier_tags_make_the_stretch_shorter():
    assert kept(PAGES[1], tag_weight=0.1) == ["one two", "three", "four five six"]
    assert kept(PAGES[1]) == ["four five six"]


def test_without_spaces_each_letter_is_a_word():
    assert kept("<div><div>首页</div></div><div><p>渡轮七点出发没有人等待<p>请带面包和油灯来这里</div>") == [
        "渡轮七点出发没有人等待",
        "请带面包和油灯来这里",
    ]
