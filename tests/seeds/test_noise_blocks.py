"""Noise blocks (Pan Ei San, Nilar Aye): its listings and equations, each by its section."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from victorpy.errors import OptionError
from victorpy.features import features
from victorpy.features.block_weights import Weighing, block_weights, title_keywords
from victorpy.labelers.importance import are_repeated
from victorpy.labelers.noise_blocks import NoiseBlocks, in_context, stop_word_density
from victorpy.labelers.rules import BAD, GOOD, NEAR_GOOD, SHORT
from victorpy.labelers.tree import Tree
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment

STOPS = ["the", "of", "and", "a", "to", "in", "it", "was"]


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(STOPS))
    return str(path)


def page_of(body, title=""):
    return segment(f"<title>{title}</title><body>{body}", markup=BLOCKS)


def class_of(body, words, **options):
    options = {"length_low": 6, "length_high": 12, "stopwords_low": 0.2, "stopwords_high": 0.4} | options
    [found] = NoiseBlocks(stop_words=words, **options).judged(page_of(body), STOPS)
    return found


# 4.1.2.1, algorithm 1


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p><a href=/>the of and a to in it was the of and a to in</a>", BAD),
        ("<p><a href=/>boat</a> the of and a", BAD),
        ("<p>the of and a to", SHORT),
        ("<p>" + "the boat of " * 5, GOOD),
        ("<p>" + "the boat of " * 4, NEAR_GOOD),
        ("<p>the boat sails off and nobody saw where", NEAR_GOOD),
        ("<p>boats sails ropes nets oars lanterns anchors the", BAD),
        ("<p>" + "the boat of " * 5 + "©", BAD),
    ],
    ids=[
        "link density over its maximum",
        "short with a link",
        "short without a link",
        "long, many stop words",
        "of medium length, many stop words",
        "some stop words",
        "few stop words",
        "copyright (4.1.1)",
    ],
)
def test_algorithm_1_judges_by_tokens(body, expected, words):
    assert class_of(body, words, max_link_density=0.3) == expected


def test_lengths_are_counted_in_tokens_and_not_in_characters(words):
    assert class_of("<p>the of and a to", words, length_low=5) != SHORT
    assert class_of("<p>the of and a to", words, length_low=6) == SHORT


def test_the_density_of_stop_words_is_their_proportion():
    assert stop_word_density(["The ferry, of course, and a boat", ""], STOPS).tolist() == [4 / 7, 0]


# 4.1.2.2, context-sensitive classification


def by_the_text(classes):
    """The rules of 4.1.2.2 word by word, block by block."""

    def side(place, step):
        while 0 <= place < len(classes):
            if classes[place] in {GOOD, BAD}:
                return classes[place], place
            place += step
        return BAD, place

    def judged(place):
        if classes[place] in {GOOD, BAD}:
            return classes[place]
        (before, begin), (after, end) = side(place, -1), side(place, 1)
        if before == after:
            return before
        nearly = [other for other in range(begin + 1, end) if classes[other] == NEAR_GOOD]
        if not nearly:
            return BAD
        delimiter = min(nearly) if before == BAD else max(nearly)
        is_between = place < delimiter if before == BAD else place > delimiter
        return BAD if is_between else GOOD

    return [judged(place) for place in range(len(classes))]


@pytest.mark.parametrize("length", range(6))
def test_the_context_rules_agree_with_their_text_on_all_short_pages(length):
    for classes in product((BAD, SHORT, NEAR_GOOD, GOOD), repeat=length):
        assert in_context(np.array(classes, np.int8)).tolist() == by_the_text(classes)


# 4.1.2.2, the printed tree


def by_the_listing(links, density, place, first=0.3, second=0.5):
    """The printed tree, as it is nested."""
    before = (links[place - 1], density[place - 1]) if place else (0, 0)
    after = density[place + 1] if place + 1 < len(density) else 0
    if links[place] > first:
        return False
    if before[0] > second:
        return after > 11
    if density[place] <= 9:
        return after > 10 or before[1] > 4
    return after > 0


WORDS = "the ferry leaves at seven long before the island is awake and nobody knows where it goes"


def text(words, linked=0):
    some = (WORDS.split() * 9)[:words]
    return f"<p><a href=/>{' '.join(some[:linked])}</a> {' '.join(some[linked:])}"


def test_the_printed_tree_decides_as_it_is_printed():
    bodies = [text(words, linked) for words in (2, 5, 10, 60) for linked in (0, 1, words // 3, words // 2, words)]
    orders = [[*bodies, *bodies[::-1]], bodies[::3] + bodies[1::3] + bodies[2::3], bodies[::7] * 3]
    for order in orders:
        page = page_of("".join(order))
        links, density = (features([f"shallow.{name}"])[f"shallow.{name}"](page) for name in FIGURES)
        expected = [by_the_listing(links, density, place) for place in range(len(page))]

        labels = NoiseBlocks(by="tree").labeling(page).labels

        assert [label is not Label.OTHER for label in labels] == expected


FIGURES = ("link-density", "text-density")


def test_the_borders_of_links_are_options_of_both_labelers():
    page = page_of(text(60) + text(60, 19) + text(60))
    letter, ours = (NoiseBlocks(by="tree"), Tree(by="density"))

    assert letter.labeling(page).labels[1] is Label.OTHER
    assert ours.labeling(page).labels[1] is not Label.OTHER
    assert NoiseBlocks(by="tree", link_density=1 / 3, link_density_before=5 / 9).labeling(page).labels[1] == "p"
    assert Tree(by="density", link_density=0.3, link_density_before=0.5).labeling(page).labels[1] is Label.OTHER


# 4.1.3, duplicates and weights


def test_equation_2_is_the_cosine_of_the_keywords():
    words = [Counter(ferry=1, boat=1), Counter(ferry=1, boat=2), Counter(bridge=3)]

    # (1·1 + 1·2) / (√2 · √5) = 0.9487
    assert are_repeated(words, 0.948).tolist() == [False, True, False]
    assert are_repeated(words, 0.949).tolist() == [False, False, False]


def test_equation_4_weighs_how_often_keywords_of_the_title_occur():
    assert title_keywords({"ferry", "island"}, Counter(ferry=3, island=1, boat=7)) == pytest.approx(1 - 2 / (2 + 4))
    assert title_keywords({"ferry", "island"}, Counter(ferry=1)) == pytest.approx(1 - 2 / 3)
    assert title_keywords({"ferry"}, Counter(boat=1)) == 0
    assert title_keywords(set(), Counter(boat=1)) == 0


PAGE = "<div><p>ferry ferry island</p><p>nobody in it</p></div><div><p>menu of boats</p></div>"


def test_equations_3_to_7_for_every_block_of_a_page():
    found = block_weights(page_of(PAGE, "Ferry to the island"))

    assert found.title_keywords.tolist() == pytest.approx([1 - 2 / (2 + 3), 0, 0])
    # Nine words on the page; the keywords have four letters or more.
    assert found.frequent_keywords.tolist() == pytest.approx([3 / 9, 1 / 9, 2 / 9])
    # Of six keywords, the first region has four: 4/6 is at most 0.7, as is 2/6.
    assert found.position.tolist() == [1, 1, 1]
    assert found.weight.tolist() == pytest.approx([0.6 + 3 / 9 + 1, 1 / 9 + 1, 2 / 9 + 1])
    assert found.main_weight.tolist() == pytest.approx([0.6 + 4 / 9 + 2] * 2 + [2 / 9 + 1])


def test_equation_6_has_a_ratio_and_equation_3_constants():
    found = block_weights(page_of(PAGE, "Ferry to the island"), Weighing(2, 0, 1, region=0.5))

    assert found.position.tolist() == [0, 0, 1]
    assert found.weight.tolist() == pytest.approx([1.2, 0, 1])


def test_the_weights_are_shown_as_features():
    page = page_of(PAGE, "Ferry to the island")

    assert features(["weight.main-block"])["weight.main-block"](page).tolist() == pytest.approx(
        block_weights(page).main_weight.tolist()
    )


def test_blocks_of_little_weight_and_repeated_blocks_are_dropped():
    body = text(60) + text(60) + text(59) + "<p>" + "zebra yonder " * 30
    page = page_of(body, "ferry island")
    kept = NoiseBlocks(by="tree", density_after=0).labeling(page).labels
    once = NoiseBlocks(by="tree", density_after=0, most_similar=0.99).labeling(page).labels
    heavy = NoiseBlocks(by="tree", density_after=0, least_weight=0.5).labeling(page).labels
    heavier = NoiseBlocks(by="tree", density_after=0, least_weight=1.3).labeling(page).labels

    assert [label is not Label.OTHER for label in kept] == [True, True, True, False]
    assert [label is not Label.OTHER for label in once] == [True, False, False, False]
    assert [label is not Label.OTHER for label in heavy] == [True, True, True, False]
    assert {*heavier} == {Label.OTHER}


# 3.1.2 and 5, shallow figures


def test_counts_and_quotients_of_shallow_text_features():
    page = page_of("<p>The BBC | NASA said | on 6 May 2008 at 17:30.<p>one two three four five six seven")
    names = ["capitalized", "uppercase", "dates-and-times", "bars"]

    found = {name: features([f"counts.{name}"])[f"counts.{name}"](page).tolist() for name in names}

    assert found == {"capitalized": [4, 0], "uppercase": [2, 0], "dates-and-times": [3, 0], "bars": [2, 0]}
    quotient = features(["quotient.words"])["quotient.words"](page).tolist()
    count = features(["shallow.words"])["shallow.words"](page).tolist()
    assert quotient == pytest.approx([count[0] + 1, (count[1] + 1) / (count[0] + 1)])
    assert features(["quotient.position"])["quotient.position"](page).tolist() == [0, 1]


# Bad input


@pytest.mark.parametrize("name", [*(f"counts.{name}" for name in ("bars",)), "quotient.words", "weight.block"])
def test_an_empty_page_has_no_figures(name):
    assert features([name])[name](segment("")).tolist() == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "trees"}, "by: expected one of rules, tree, got 'trees'"),
        ({"by": "tree", "link_density": 2}, "link-density: expected a number from 0 to 1"),
        ({"by": "tree", "least_weight": -1}, "least-weight: expected at least 0"),
    ],
)
def test_wrong_options_are_named(options, message):
    with pytest.raises(OptionError, match=message):
        NoiseBlocks(**options)
