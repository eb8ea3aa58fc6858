"""The printed trees, and the second look."""

from collections import Counter

import pytest

from victorpy.errors import OptionError
from victorpy.labelers.importance import Importance, are_repeated, keywords_of
from victorpy.labelers.tree import Tree
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

WORDS = "the ferry leaves at seven long before the island is awake and nobody knows where it goes"
LINKS = "<p>" + "<a href=/>menu</a> " * 6


def text(words):
    return "<p>" + " ".join((WORDS.split() * 5)[:words])


def kept(body, tree, title=""):
    """A letter for each block: its kind, or a dot where it is dropped."""
    labels = tree.labeling(segment(f"<title>{title}</title>{body}", markup=Markup(mode="block"))).labels
    return "".join("." if label is Label.OTHER else label.value for label in labels)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (text(17), "p"),
        (text(16), "."),
        (text(3) + text(17), "pp"),
        (text(3) + text(15) + text(3), "..p"),
        (LINKS + text(40), ".."),
        (LINKS + text(41), ".p"),
        (LINKS + text(3) + text(18), ".pp"),
        (LINKS + text(3) + text(17), "..p"),
        ("<p>" + "<a href=/>a b c</a> d " * 10, "."),
    ],
    ids=[
        "many words",
        "few words",
        "few before many",
        "few after some",
        "not enough behind links",
        "enough behind links",
        "behind links before many",
        "behind links before not so many",
        "links",
    ],
)
def test_the_tree_by_words_asks_for_words_and_links_around(body, expected):
    assert kept(body, Tree()) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [(text(40) + text(40), "p."), (text(3) + text(40) + text(3), "ppp"), (LINKS + text(3) + text(40), ".p.")],
    ids=["nothing behind the last", "dense before it", "behind links before dense text"],
)
def test_the_tree_by_density_asks_for_the_density_of_text_around(body, expected):
    assert kept(body, Tree(by="density")) == expected


def test_a_heading_is_kept_as_one():
    assert kept("<h2>Ferries</h2>" + text(30), Tree()) == "hp"


@pytest.mark.parametrize(("most_similar", "expected"), [(2.0, "ppp"), (1.0, "pp."), (0.9, "p..")])
def test_a_block_that_nearly_repeats_another_is_left_out(most_similar, expected):
    body = text(30) + text(29).replace("seven", "eight") + text(30)

    assert kept(body, Tree(most_similar=most_similar)) == expected


def test_words_decide_how_much_blocks_are_alike():
    words = [{"a": 3}, {"b": 1}, {"a": 1}, {"a": 1, "b": 1}]

    assert are_repeated(_counted(words), 0.99).tolist() == [False, False, True, False]
    assert are_repeated(_counted(words), 0.7).tolist() == [False, False, True, True]


def test_a_block_without_the_title_s_words_is_less_important():
    body = text(30) + "<p>" + "cookies help us to see who comes and whom they may sell what they never wanted " * 2
    by_title = Tree(least_importance=0.1, title_weight=1, keyword_weight=0, share_weight=0)

    assert kept(body, by_title, "The ferry of the island") == "p."


def test_importance_goes_from_0_to_1():
    words = [{"ferry": 2, "island": 1}, {"ferry": 1}]

    assert Importance(title=1, keywords=0, share=0).importance("Ferry", _counted(words)).tolist() == [1, 1]
    assert Importance(title=0, keywords=1, share=0).importance("", _counted(words)).tolist() == [1, 0.5]
    assert Importance(title=0, keywords=0, share=1).importance("", _counted(words)).tolist() == [0.75, 0.25]


def _counted(words):
    return [Counter(own) for own in words]


def test_where_only_signs_were_kept_nothing_is_important():
    body = "<p>— — —" + "<p>" + "<a href=/>menu</a> " * 20

    assert kept(body, Tree()) == "p."
    assert kept(body, Tree(least_importance=0.1)) == ".."


def test_keywords_are_the_ten_most_frequent_longer_words():
    words = {"the": 99} | {f"word{number}": 20 - number for number in range(12)}

    assert keywords_of(Counter(words)) == {f"word{number}" for number in range(10)}


@pytest.mark.parametrize("options", [{"by": "length"}, {"least_importance": -1}])
def test_options_out_of_range_are_refused(options):
    with pytest.raises(OptionError):
        Tree(**options)
