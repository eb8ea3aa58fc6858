"""The cleaners of CLEANEVAL 2007, after V. Baisa, Web content cleaning (2009), section 1.2."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from victorpy.errors import OptionError
from victorpy.labelers.registry import labeler
from victorpy.labelers.survey.genieknows import semantic_blocks
from victorpy.labelers.survey.htmcleaner import best_sequence, good_sentences
from victorpy.labelers.survey.sentence_table import sentences_of
from victorpy.labelers.survey.tag_groups import tag_groups
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import untrained

SURVEY = ("genieknows", "htmcleaner", "kimatu")
MENU = "<ul class=menu><li><a href=/>Home</a><li><a href=/>News of the day</a><li><a href=/>All that we sell</a></ul>"
PROSE = (
    "<p>The ferry leaves at seven in the morning, and it does not wait for anybody who is late.</p>"
    "<p>We counted the boats in the harbour, and there were nine of them on that day in May.</p>"
    "<p>Nobody knew where the tenth had gone. The baker said that it was out at sea with the nets.</p>"
)
PAGE = (
    f"<body>{MENU}<h1>The ferry</h1><div>{PROSE}</div><div class=foot><a href=/>Imprint</a> <a href=/>Contact</a></div>"
)


def cleaned(name, html, **options):
    return untrained(labeler(name, **options)).clean(html)


def kept(name, html, **options):
    return [passage.text for passage in cleaned(name, html, **options).passages]


@pytest.mark.parametrize("setting", ["letter", "best"])
@pytest.mark.parametrize("name", SURVEY)
def test_each_keeps_prose_and_drops_menus_in_both_settings(name, setting):
    texts = kept(name, PAGE, setting=setting)

    assert any("We counted the boats" in text for text in texts)
    assert not any("Imprint" in text or "All that we sell" in text for text in texts)


@pytest.mark.parametrize("name", SURVEY)
def test_an_unknown_setting_is_refused(name):
    with pytest.raises(OptionError, match="expected one of best, letter, got 'worst'"):
        labeler(name, setting="worst")


# Htmcleaner


def test_htmcleaner_good_sentences_are_long_capitalised_and_end_with_a_mark():
    page = segment(
        "<p>It rains. The ferry leaves at seven in the morning.<p>the ferry leaves at seven in the morning."
        "<p>The ferry leaves at seven in the morning<p>“Nobody waits for the ferry at seven o'clock.”<p>Ah.",
        markup=BLOCKS,
    )
    sentences = sentences_of(page)

    good = good_sentences(sentences)

    texts = [page.text[begin:end] for begin, end in zip(sentences.begins, sentences.ends, strict=True)]
    assert [text.strip() for text, is_good in zip(texts, good, strict=True) if is_good] == [
        "The ferry leaves at seven in the morning.",
        "“Nobody waits for the ferry at seven o'clock.”",
    ]


@pytest.mark.parametrize("seed", range(20))
def test_htmcleaner_no_other_sequence_from_good_to_good_has_a_greater_sum(seed):
    random = np.random.default_rng(seed)
    scores, good = random.integers(-9, 10, 12).astype(float), random.random(12) < 0.5
    good[0] = True

    first, last = best_sequence(scores, good)

    sums = {
        (i, j): scores[i : j + 1].sum() for i, j in combinations_with_replacement(range(12), 2) if good[i] and good[j]
    }
    assert sums[first, last] == max(sums.values())


def test_htmcleaner_by_the_letter_begins_with_the_sentence_and_not_with_its_block():
    html = "<p>by rail or road. The ferry leaves at seven in the morning, and it is never late.<p>Go."

    assert kept("htmcleaner", html, setting="letter") == [
        "The ferry leaves at seven in the morning, and it is never late."
    ]
    assert kept("htmcleaner", html) == [
        "by rail or road. The ferry leaves at seven in the morning, and it is never late."
    ]


def test_htmcleaner_without_a_good_sentence_cleans_by_density_and_says_so():
    assert cleaned("htmcleaner", "<p>no capital and no end").reason == "no good sentence: cleaned by density"


def test_htmcleaner_says_that_it_knows_no_function_words():
    html = "<p>渡轮七点出发，没有人等待，也没有人迟到。</p><p>走。</p>"

    assert "no function words for language 'zh'" in cleaned("htmcleaner", html, language="zh").reason


def test_htmcleaner_takes_function_words_from_a_file(tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("the\nat\n")

    assert kept("htmcleaner", PAGE, stop_words=str(words))
    with pytest.raises(OptionError, match="stop-words"):
        labeler("htmcleaner", stop_words=str(tmp_path / "none.txt"))


# Kimatu


def test_kimatu_a_group_is_of_one_parent_tag_and_class():
    page = segment("<div><p>one<p class=a>two<p>three</div><div><p>four</div>", markup=BLOCKS)

    assert tag_groups(page).of_block.tolist() == [0, 1, 0, 2]


def test_kimatu_removes_repeated_phrases():
    posts = "".join(f"<div>{PROSE}<p>posted by {name}</p></div>" for name in ("Jack", "Mary", "Ann"))

    assert "posted by Jack" not in kept("kimatu", posts, least_punctuation=0)
    assert "posted by Jack" in kept(
        "kimatu", posts.replace("by M", "for M").replace("by A", "of A"), least_punctuation=0
    )


def test_kimatu_removes_a_quotation_of_the_block_before():
    after = "<p>it was out at sea with the nets</p><p>It came back on the next day, and it was full of herring.</p>"
    html = f"<div>{PROSE}{after}</div>"

    texts = kept("kimatu", html)

    assert "it was out at sea with the nets" not in texts
    assert len(texts) == 4


def test_kimatu_adds_a_headline_near_a_candidate():
    assert kept("kimatu", PAGE)[0] == "The ferry"
    assert kept("kimatu", PAGE, headline_distance=0)[0].startswith("The ferry leaves")


def test_kimatu_by_the_letter_a_short_block_can_be_a_headline():
    html = f"<div class=t>The ferry</div><div>{PROSE}</div>"

    assert kept("kimatu", html, setting="letter")[0] == "The ferry"
    assert str(cleaned("kimatu", html, setting="letter").passages[0].label) == "h"


# GenieKnows


def test_genieknows_a_semantic_block_is_within_one_element_of_layout():
    page = segment("<div><p>one<p>two</div><ul><li>three<li>four</ul><td>", markup=BLOCKS)

    assert semantic_blocks(page).tolist() == [0, 0, 1, 1]


def test_genieknows_by_the_letter_cells_are_list_items():
    html = f"<table><tr><td>{PROSE}</table>"

    assert {str(passage.label) for passage in cleaned("genieknows", html, setting="letter").passages} == {"l"}
    assert {str(passage.label) for passage in cleaned("genieknows", html).passages} == {"p"}


def test_genieknows_a_lower_bound_preserves_more():
    assert len(kept("genieknows", PAGE, least_relevance=0.0)) > len(kept("genieknows", PAGE))


def test_genieknows_has_five_weights():
    with pytest.raises(OptionError, match="expected 5 weights"):
        labeler("genieknows", weights=(1.0, 2.0))
