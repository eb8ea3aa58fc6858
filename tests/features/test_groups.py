import pytest

from victorpy.features import features
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

MODES = ["victor", "block"]


def column(name: str, html: str, mode: str = "victor") -> list[float]:
    return features([name])[name](segment(html, markup=Markup(mode=mode))).tolist()


@pytest.mark.parametrize("mode", MODES)
def test_blocks_share_a_group_with_those_of_the_same_nearest_div(mode):
    html = "<div> a <div> b c </div> d <div> e f </div> g </div>"

    assert column("div-group.word-ratio", html, mode) == [3 / 7, 2 / 7, 3 / 7, 2 / 7, 3 / 7]


def test_blocks_outside_of_any_cell_are_a_group():
    html = "<p>a b<table><tr><td>c<td>d<table><tr><td>e f</table></table><p>g h"

    assert column("td-group.word-ratio", html) == [4 / 8, 1 / 8, 1 / 8, 2 / 8, 4 / 8]


@pytest.mark.parametrize(
    ("mode", "ratios"), [("victor", [1 / 4, 1 / 4, 1 / 4, 3 / 4]), ("block", [1 / 4, 3 / 4])], ids=MODES
)
def test_words_in_links_do_not_count(mode, ratios):
    html = "<div>a <a>b c <b>d</b></a></div><div>e f - g</div>"

    assert column("div-group.word-ratio", html, mode) == ratios


def test_a_page_of_links_has_no_ratio():
    assert column("div-group.word-ratio", "<div><a>a</a></div><div><a>b</a></div>") == [0, 0]


def test_a_word_counts_where_it_begins():
    html = "<div>o<a>ne</a></div><div><a>t</a>wo</div>"

    assert column("div-group.word-ratio", html, "block") == [1, 0]
