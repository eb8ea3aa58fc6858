import math
import random
from difflib import SequenceMatcher

import pytest

from victorpy.annotation import text_scores

GOLD = "URL: https://harbour.example/\n<h> Ferry times\n<p> She leaves at seven.\n<l> a lantern\n<l> some oil\n"


@pytest.mark.parametrize(
    ("printed", "gold", "score"),
    [
        ("a b", "B a", (1, 1, 1)),
        ("a a b", "a", (1 / 3, 1, 1 / 2)),
        ("", "a", (0, 0, 0)),
        ("a", "", (0, 0, 0)),
        ("", "", (1, 1, 1)),
        ("<p> a\n<l> b", "<h>a b", (1, 1, 1)),
        ("URL: x\na", "a", (1, 1, 1)),
        ("it's", "it s", (1, 1, 1)),
    ],
)
def test_words_are_scored_as_multisets(printed, gold, score):
    assert text_scores.words(printed, gold) == pytest.approx(score)


def test_a_text_is_all_right_against_itself():
    assert text_scores.aligned(GOLD, GOLD) == (text_scores.PERFECT,) * 4
    assert text_scores.original(GOLD, GOLD) == (1, 1, 1, 1, 1)
    assert text_scores.difference(GOLD, GOLD) == ([], [])


def test_order_counts_where_tokens_are_aligned():
    seven, turned = text_scores.aligned("<p> one two three four", "<p> three four one two"), (2 / 4, 2 / 4, 2 / 4)

    assert seven.text == pytest.approx(turned)
    assert seven.seq == pytest.approx((3 / 5, 3 / 5, 3 / 5))


def test_a_marker_of_another_kind_is_in_its_place_but_not_right():
    found = text_scores.aligned(GOLD.replace("<h>", "<p>"), GOLD)

    assert found.tag == pytest.approx((3 / 4, 3 / 4, 3 / 4))
    assert found.segment == (1, 1, 1)
    assert found.text == (1, 1, 1)


def test_a_segment_cut_in_two_costs_the_precision_of_markers():
    found = text_scores.aligned("<p> one two <p> three", "<p> one two three")

    assert found.tag == found.segment == pytest.approx((1 / 2, 1, 2 / 3))


@pytest.mark.parametrize(("printed", "gold"), [("", "<p> one"), ("<p> one", ""), ("   ", "<p> one")])
def test_nothing_on_one_side_is_nothing_right(printed, gold):
    assert text_scores.aligned(printed, gold) == (text_scores.NOTHING,) * 4
    assert text_scores.original(printed, gold) == (0, 0, 0, 0, 0)


def test_nothing_printed_is_right_where_the_gold_is_empty():
    assert text_scores.aligned("", "URL: x\n") == (text_scores.PERFECT,) * 4
    assert text_scores.original("", "URL: x\n") == (1, 1, 1, 1, 1)


def test_the_original_measures_share_the_steps_of_an_alignment():
    printed, gold = "<p> one two four <p> five", "<h> one two three <p> five"

    found = text_scores.original(printed, gold)

    # Three of five words match, one is deleted and one inserted; of three markers one matches.
    assert found.text == pytest.approx(3 / 5)
    assert found.markup == pytest.approx(1 / 3)
    # Of both together four of seven and four others.
    assert found.text_markup == pytest.approx(4 / 8)
    # The last block begins and ends in the same place; the first ends with another word. One of three is common.
    assert found.markup_only == pytest.approx(1 / 3)
    assert found.total == pytest.approx((3 / 5 + 1 / 3) / 2)


@pytest.mark.parametrize(
    ("printed", "gold", "share"),
    [
        ("<p> one two <p> three", "<h> one two <l> three", 1),
        ("<p> one two three", "<p> one two <p> three", 0),
        ("<p> one <p> two <p> three", "<p> one two <p> three", 1 / 4),
        ("<p> noise <p> one two <p>", "<p> one two", 1 / 2),
        ("zero <p> one", "<p> one", 1),
        ("one two", "<p> one two", 0),
    ],
    ids=["other kinds", "one for two", "two for one", "noise before, and an empty block", "no marker", "none at all"],
)
def test_blocks_are_the_same_that_start_and_end_in_the_same_places(printed, gold, share):
    assert text_scores.original(printed, gold).markup_only == pytest.approx(share)


def test_markup_is_unknown_where_the_gold_has_no_markers():
    found = text_scores.original("<p> one two", "one two")

    assert found.text == 1
    assert math.isnan(found.markup)
    assert math.isnan(found.total)


@pytest.fixture
def few_tokens(monkeypatch):
    monkeypatch.setattr(text_scores, "_MOST_TOKENS", 5)


def test_empty_lines_count_for_nothing():
    assert text_scores.words("\n" * 100_000 + "one", "one") == text_scores.PERFECT


@pytest.mark.usefixtures("few_tokens")
def test_very_long_texts_are_compared_as_multisets():
    found, original = (
        measure("<p> one two three", "<p> three one two") for measure in (text_scores.aligned, text_scores.original)
    )

    assert (found.seq, found.text) == (text_scores.PERFECT, text_scores.PERFECT)
    assert all(map(math.isnan, (*found.tag, *found.segment)))
    assert original.text == 1
    assert math.isnan(original.markup)
    assert text_scores.difference("<p> one two three", "one two four") == (["three"], ["four"])


def test_what_differs_is_told_in_stretches_of_words():
    found = text_scores.difference("<p> Home About <p> She leaves at seven", "<p> She leaves early <p> at seven sharp")

    assert found == (["Home About"], ["early", "sharp"])


def reference(printed, gold):
    """The plain way: what Python's own difflib aligns."""
    blocks = SequenceMatcher(None, printed, gold).get_matching_blocks()
    common = [printed[block.a + step] for block in blocks for step in range(block.size)]
    return len(common), sum(token in {"<p>", "<h>", "<l>"} for token in common)


def longest_common_subsequence(a, b):
    """The plain way, by the table."""
    row = [0] * (len(b) + 1)
    for token in a:
        diagonal = 0
        for place, other in enumerate(b, start=1):
            diagonal, row[place] = row[place], diagonal + 1 if token == other else max(row[place], row[place - 1])
    return row[-1]


@pytest.mark.parametrize("seed", range(20))
def test_alignments_are_those_of_difflib_and_of_the_plain_table(seed):
    draw = random.Random(seed)
    printed, gold = (draw.choices(["<p>", "<h>", "<l>", *"abcdefgh"], k=draw.randint(1, 300)) for _ in range(2))

    found, original = (
        measure(" ".join(printed), " ".join(gold)) for measure in (text_scores.aligned, text_scores.original)
    )

    common, markers = reference(printed, gold)
    assert found.seq[:2] == pytest.approx((common / len(printed), common / len(gold)))
    assert found.tag.recall * sum(len(token) > 1 for token in gold) == pytest.approx(markers)
    ours, theirs = ([token for token in side if len(token) == 1] for side in (printed, gold))
    length = longest_common_subsequence(ours, theirs)
    assert original.text == pytest.approx(length / max(1, len(ours) + len(theirs) - length))
