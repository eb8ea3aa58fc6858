import math

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from victorpy.annotation.anno_files import annotation_of
from victorpy.evaluation.agreement import (
    MISSING,
    ComparedPage,
    agreement,
    alpha,
    compared,
    confusion,
    disagreements,
    kappa,
    observed,
    page_agreement,
)
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

P, H, L, C, O = LABELS  # noqa: E741


def units(*annotators: str):
    """A sign for each unit and annotator; a point is no code."""
    signs = sorted(set("".join(annotators)) - {"."})
    return np.array(
        [[signs.index(sign) if sign != "." else MISSING for sign in unit] for unit in zip(*annotators, strict=True)]
    )


def drawn(seed, count=400, annotators=2, share_missing=0.0):
    random = np.random.default_rng(seed)
    true = random.integers(0, 5, (count, 1))
    codes = np.where(random.random((count, annotators)) < 0.6, true, random.integers(0, 5, (count, annotators)))
    return np.where(random.random(codes.shape) < share_missing, MISSING, codes), random.integers(0, 30, count)


# The examples A, B and C of Klaus Krippendorff, Computing Krippendorff's Alpha-Reliability (2011).
KRIPPENDORFF = {
    "two observers, binary": (("0100000010", "1110010000"), 0.095),
    "two observers, nominal": (("aabbdcccedda", "babbbccceddd"), 0.692),
    "four observers, missing": (
        ("123321412...", "1233224125.3", ".3332342251.", "12332441251."),
        0.743,
    ),
}


@pytest.mark.parametrize(("annotators", "value"), KRIPPENDORFF.values(), ids=KRIPPENDORFF)
def test_alpha_is_that_of_its_author(annotators, value):
    assert round(alpha(units(*annotators)), 3) == value


@pytest.mark.parametrize("seed", range(4))
def test_kappa_is_that_of_scikit_learn(seed):
    codes, words = drawn(seed)

    assert kappa(codes) == pytest.approx(cohen_kappa_score(*codes.T))
    assert kappa(codes, words) == pytest.approx(cohen_kappa_score(*codes.T, sample_weight=words))


@pytest.mark.parametrize("coefficient", [alpha, kappa, observed])
def test_a_weight_is_as_good_as_so_many_units(coefficient):
    codes, words = drawn(1, annotators=3, share_missing=0.2)

    assert coefficient(codes, words) == pytest.approx(coefficient(codes.repeat(words, axis=0)))


@pytest.mark.parametrize("coefficient", [alpha, kappa, observed])
def test_units_with_a_single_code_say_nothing(coefficient):
    codes, _ = drawn(2, share_missing=0.3)

    assert coefficient(codes) == pytest.approx(coefficient(codes[(codes != MISSING).all(1)]))


def test_kappa_of_several_annotators_is_the_mean_of_their_pairs():
    codes, _ = drawn(3, annotators=3)
    pairs = [codes[:, [0, 1]], codes[:, [0, 2]], codes[:, [1, 2]]]

    assert kappa(codes) == pytest.approx(np.mean([kappa(pair) for pair in pairs]))


def test_systematic_disagreement_is_below_chance():
    assert kappa(units("abab", "baba")) == pytest.approx(-1)
    assert alpha(units("abab", "baba")) == pytest.approx(-0.75)


@pytest.mark.parametrize(
    "codes",
    [units("aaaa", "aaaa"), units("abab", "...."), np.empty((0, 2), int), units("a.", ".b")],
    ids=["one label", "one annotator empty", "no unit", "never both"],
)
def test_without_a_choice_there_is_no_coefficient(codes):
    assert math.isnan(kappa(codes))
    assert math.isnan(alpha(codes))


PAGE = ComparedPage("a", ("one", "two words", "and three words", ""), ((P, H, O, O), (P, O, O, None)))


def test_every_distinction_is_measured_by_blocks_and_by_words():
    table = agreement([PAGE, PAGE])

    everything = table.loc[("all labels", "blocks")]
    assert (everything["units"], everything["observed"]) == (6, pytest.approx(2 / 3))
    assert table.loc[("all labels", "words"), "units"] == 12
    assert table.loc[("h or not", "words"), "observed"] == pytest.approx(4 / 6)
    assert table.loc[("content or other", "blocks"), "kappa"] == pytest.approx(0.4)
    assert table.loc[("p or not", "blocks"), "kappa"] == 1
    assert math.isnan(table.loc[("l or not", "blocks"), "alpha"])
    assert table.loc[("l or not", "blocks"), "why not"] == "all blocks have the same label"


def test_it_is_told_why_there_is_no_coefficient():
    nothing = ComparedPage("b", ("one",), ((P,), (None,)))
    wordless = ComparedPage("c", ("…",), ((P,), (O,)))

    assert set(agreement([nothing])["why not"]) == {"no block has two labels"}
    assert agreement([wordless]).loc[("all labels", "words"), "why not"] == "no words in these blocks"
    assert list(page_agreement([PAGE, nothing])["why not"]) == ["", "no block has two labels"]


def test_confusion_counts_what_only_one_labeled_too():
    counts = confusion([PAGE])

    assert counts.to_numpy().sum() == 4
    assert (counts.loc["h", "other"], counts.loc["other", "-"]) == (1, 1)
    assert confusion([PAGE], "words").loc["other", "other"] == 3


def test_disagreements_are_listed_but_not_what_only_one_labeled():
    found = disagreements([PAGE])

    assert found.reset_index().to_numpy().tolist() == [["a", 1, "h", "other", "two words"]]


def test_blocks_cut_otherwise_are_paired_by_their_text():
    html = "<p>We were <b>cold</b> and wet that night.<p>Home"
    fine, coarse = (segment(html, "a", markup=Markup(mode=mode)) for mode in ("victor", "block"))

    page, changes = compared(
        annotation_of(fine, html, [P, C, C, O]), annotation_of(coarse, html, [Label.PARAGRAPH, Label.OTHER])
    )

    assert page.labels == ([P, C, C, O], [P, C, C, O])
    assert changes.split == 3


def test_fields_of_posts_agree_with_their_bases():
    html = "<p>Fog<p>May"
    page = segment(html, "a")

    found, _ = compared(
        annotation_of(page, html, [Label.TITLE, Label.DATE]), annotation_of(page, html, [Label.HEADER, Label.OTHER])
    )

    assert disagreements([found]).empty
