import pytest

from victorpy.errors import OptionError
from victorpy.features.language.folders import load, save
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape
from victorpy.labelers.everything import Everything
from victorpy.labelers.filters import Filtered
from victorpy.labelers.perplexity import Perplexity
from victorpy.page import omission
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.passages import pieces
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

TEXTS = ["the ferry leaves at seven\nthe baker waits for the ferry\nnobody waits for the baker at seven"] * 5
PAGE = (
    "<ul><li><a href=/>Login RSS</a></ul><h1>The ferry leaves</h1><p>The baker waits <b>for</b> nobody.</p>"
    "<p>Zwqx <b>the ferry</b> vvk pqj xkcd zzyx.</p><ul><li>the ferry</ul><p>***</p>"
)


@pytest.fixture(scope="module")
def mine(tmp_path_factory):
    """A language model of words."""
    folder = tmp_path_factory.mktemp("language") / "mine"
    save(learn(TEXTS, NgramShape()), folder)
    return str(folder)


def kept(labeler, html=PAGE, mode="block"):
    page = segment(html, markup=Markup(mode=mode))
    labels = labeler.labeling(page).labels
    return [text for label, text in zip(labels, page.texts, strict=True) if label is not Label.OTHER]


def test_a_block_of_many_sentences_is_read_once(mine, monkeypatch):
    read = []
    monkeypatch.setattr(omission, "pieces", lambda *passage: read.append(passage) or pieces(*passage))
    page = segment("<p>" + "The ferry leaves. Zwqx vvk pqj. " * 50, markup=Markup(mode="block"))

    left_out = Perplexity(mine, 12.0, least_known=0, by="sentence").labeling(page).omissions

    assert len(left_out) == 50
    assert {page.texts[0][part.start : part.end].strip() for part in left_out} == {"Zwqx vvk pqj."}
    assert len(read) == 1


def test_blocks_that_do_not_surprise_are_kept_with_their_kinds(mine):
    labels = Perplexity(mine, 12.0, least_known=0).labeling(segment(PAGE, markup=Markup(mode="block"))).labels

    assert labels == ["other", "h", "p", "other", "l", "other"]


def test_after_another_labeler_whole_passages_are_dropped(mine):
    judge = Perplexity(mine, 12.0, least_known=0)

    assert kept(Filtered(Everything(), (judge,)), mode="victor") == [
        "The ferry leaves",
        "The baker waits",
        "for",
        "nobody.",
        "the ferry",
        "***",
    ]


def test_a_page_that_the_model_cannot_read_is_left_alone(mine):
    page = segment("<p>Паром уходит в семь<p>Login", markup=Markup(mode="block"))
    reason = "language model 'mine' knows 0% of the words of the page, and drops none"

    for labeler in (Perplexity(mine), Filtered(Everything(), (Perplexity(mine),))):
        labeling = labeler.labeling(page)
        assert labeling.labels == ["p", "p"]
        assert labeling.reason == reason


def test_a_cleaner_can_be_given_a_judge(mine):
    cleaner = Cleaner(Everything(), Markup(mode="block"))

    cleaned = cleaner.filtered(Perplexity(mine, 12.0, least_known=0)).clean(PAGE)

    assert cleaned.text == "The ferry leaves\nThe baker waits for nobody.\nthe ferry\n***\n"
    assert "Login RSS" in cleaner.clean(PAGE).text


def test_a_page_without_blocks_has_no_labels(mine):
    assert Filtered(Everything(), (Perplexity(mine),)).labeling(segment("")).labels == []


def test_a_limit_of_another_kind_is_refused_before_any_page():
    with pytest.raises(OptionError, match="a limit of 8000 does not fit language model 'udhr'"):
        Perplexity(max_perplexity=8000)


def test_a_share_is_a_share():
    with pytest.raises(OptionError, match="least-known: expected a number from 0 to 1"):
        Perplexity(least_known=2)


def test_the_shipped_model_lets_russian_pass():
    page = "<p>Никто ничего не сказал пекарю о том, что мост закрыт.<p>12°C | FAQ » RSS · XL"

    assert load("udhr").card.shape.unit == "characters"
    assert kept(Perplexity(), page) == ["Никто ничего не сказал пекарю о том, что мост закрыт."]
