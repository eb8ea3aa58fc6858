import pytest

from victorpy.errors import OptionError, VictorError
from victorpy.labelers.bte import BTE
from victorpy.labelers.density import Density
from victorpy.labelers.everything import Everything
from victorpy.labelers.merge import Merge, learned
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

BLOCKS = Markup(mode="block")
SENTENCE = "Nobody had told the baker that the bridge was closed for the summer."
HTML = (
    "<ul><li>Home</li><li>News</li></ul>"
    f"<div><h1>The bridge</h1><p>{SENTENCE}</p><p>{SENTENCE} {SENTENCE}</p><div><div>Share</div></div></div>"
    "<div><div>Imprint</div></div>"
)
PAGE = segment(HTML, markup=BLOCKS)


def kept(labeler):
    return [label.is_content for label in labeler.labeling(PAGE).labels]


def test_a_majority_decides():
    bte, density, everything = kept(BTE()), kept(Density()), kept(Everything())

    assert bte != density
    assert kept(Merge(("bte", "density"))) == [one and other for one, other in zip(bte, density, strict=True)]
    assert kept(Merge(("bte", "density", "everything"))) == [
        one or other for one, other in zip(bte, density, strict=True)
    ]
    assert kept(Merge(("bte", "density", "everything"), share=0)) == everything


def test_heavier_votes_count_more():
    assert kept(Merge(("bte", "density", "everything"), (5, 1, 1))) == kept(BTE())
    assert kept(Merge(("bte", "density", "everything"), (1, 5, 1))) == kept(Density())


def test_the_share_of_votes_is_the_probability():
    labeling = Merge(("bte", "everything"), (3, 1)).labeling(PAGE)

    assert labeling.probabilities == [1.0 if label.is_content else 0.25 for label in labeling.labels]


def test_what_is_kept_has_its_kind():
    labels = Merge().labeling(PAGE).labels

    assert labels[PAGE.texts.index("The bridge")] is Label.HEADER


def test_learned_weights_follow_whoever_is_right():
    gold = BTE().labeling(PAGE).labels

    merge = learned(Merge(("density", "bte", "everything")), [(PAGE, gold)])

    assert merge.weights[1] > 0.5
    assert kept(merge) == kept(BTE())
    assert merge == learned(Merge(("density", "bte", "everything")), [(PAGE, gold)])


def test_blocks_without_a_label_teach_nothing():
    gold = BTE().labeling(PAGE).labels

    half = [label if number % 2 else None for number, label in enumerate(gold)]

    assert sum(learned(Merge(), [(PAGE, half)]).weights) == pytest.approx(1, abs=0.001)
    with pytest.raises(VictorError, match="nothing to learn weights from"):
        learned(Merge(), [(PAGE, [None] * len(PAGE))])


def test_a_labeler_that_is_always_wrong_has_no_vote():
    gold = [Label.OTHER if content else Label.PARAGRAPH for content in kept(BTE())]

    with pytest.raises(VictorError, match="none of these labelers"):
        learned(Merge(("bte",)), [(PAGE, gold)])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labelers": ()}, "labelers: expected at least one"),
        ({"labelers": ("bte", "densty")}, "labelers: no labeler 'densty' to merge; did you mean 'density'"),
        ({"labelers": ("merge",)}, "labelers: no labeler 'merge' to merge"),
        ({"weights": (1.0,)}, "weights: expected 3 weights"),
        ({"weights": (1.0, -1.0, 0.0)}, "weights: expected at least 0"),
        ({"weights": (0.0, 0.0, 0.0)}, "weights: expected at least 0"),
        ({"share": 1.0}, "share: expected at least 0 and less than 1"),
    ],
)
def test_options_that_do_not_do_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        Merge(**{"labelers": ("bte", "density", "everything")} | options)


def test_an_empty_page_stays_empty():
    assert Cleaner(Merge(), BLOCKS).clean("<p>").reason == "no text in the page"
