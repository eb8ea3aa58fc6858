"""The cleaners of CLEANEVAL 2007, after V. Baisa, Web content cleaning (2009), section 1.2."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import OptionError, VictorError
from victorpy.foundation.yaml_options import dump
from victorpy.labelers.registry import labeler
from victorpy.labelers.survey.genieknows import semantic_blocks
from victorpy.labelers.survey.hofmann import are_paragraphs
from victorpy.labelers.survey.htmcleaner import best_sequence, good_sentences
from victorpy.labelers.survey.sentence_table import sentences_of
from victorpy.labelers.survey.stupidos import are_footers
from victorpy.labelers.survey.tag_groups import tag_groups
from victorpy.labelers.survey.target_nodes import are_target_nodes, target_nodes
from victorpy.models.survey_learning import Lessons, block_tree_model, clean_and_dirty_models, target_node_model
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import untrained

SURVEY = ("genieknows", "hofmann", "htmcleaner", "kimatu", "stupidos")
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
@pytest.mark.parametrize("name", ["genieknows", "htmcleaner", "kimatu"])
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


# FIASCO


def test_fiasco_a_target_node_has_a_tenth_of_its_text_in_its_own_text():
    html = "<div><p>some text of <b>a paragraph</b></p></div><p><a href=/>a link that fills the paragraph</a> |</p>"
    page = segment(html, markup=BLOCKS)

    nodes = [page.elements.tags[element] for element in target_nodes(page).elements]

    assert nodes == ["p", "p"]
    assert not are_target_nodes(page)[page.elements.tags.index("div")]
    assert are_target_nodes(page)[page.elements.tags.index("b")]
    assert not are_target_nodes(page)[len(page.elements.tags) - 2]


def test_fiasco_keeps_prose_and_drops_menus():
    for model in ("fiasco", "fiasco-letter"):
        texts = kept("fiasco", PAGE, model=model)

        assert any("We counted the boats" in text for text in texts)
        assert not any("Imprint" in text for text in texts)


def test_fiasco_by_the_letter_looks_at_a_node_alone():
    assert labeler("fiasco", model="fiasco-letter").learned().neighbours == 0
    assert labeler("fiasco").learned().neighbours == 1


def test_fiasco_keywords_prevail_in_dirty_nodes():
    assert {"privacy", "copyright"} <= {*labeler("fiasco").learned().keywords}


def test_fiasco_refuses_the_model_of_another_labeler():
    with pytest.raises(OptionError, match=r"model: .*hofmann.yaml"):
        labeler("fiasco", model="hofmann")


# StupidOS


def test_stupidos_drops_footers_with_repeated_bars():
    page = segment("<p>Home | News | Imprint<p>Either | or", markup=BLOCKS)

    assert are_footers(page).tolist() == [True, False]


def test_stupidos_a_block_is_clean_if_it_is_likelier_as_clean_text():
    page = segment(f"{PAGE}<p>Privacy policy and terms of use", markup=BLOCKS)
    margins = labeler("stupidos", setting="letter").margins(page)

    assert margins[page.texts.index("Privacy policy and terms of use")] < 0
    assert margins[[text.startswith("We counted") for text in page.texts]] > 0


def test_stupidos_says_when_it_cannot_read_the_page():
    assert "knows 0% of the page" in cleaned("stupidos", "<p>渡轮七点出发没有人等待").reason


def test_stupidos_without_a_language_model_names_the_option():
    with pytest.raises(OptionError, match="clean: no language-model 'none'"):
        labeler("stupidos", clean="none")


# Hofmann and Weerkamp


def test_hofmann_lines_of_more_than_ten_long_words_are_paragraphs():
    page = segment(f"<p>{'word ' * 11}<p>{'word ' * 10}<p>{'a bc d ' * 10}<p>渡轮七点出发没有人等待谁", markup=BLOCKS)

    assert are_paragraphs(page).tolist() == [True, False, False, True]


def test_hofmann_by_the_letter_all_other_lines_are_headlines():
    page = segment(PAGE + "<p>ab", markup=BLOCKS)

    labels = labeler("hofmann", by="lines", setting="letter").labeling(page).labels

    assert labels[0] is Label.HEADER
    assert labels[-1] is Label.OTHER
    assert labels.count(Label.PARAGRAPH) == 3


def test_hofmann_the_tree_knows_four_kinds():
    model = labeler("hofmann", by="tree").learned()

    assert {len(row) for row in model.nodes} == {8}
    assert any("We counted the boats" in text for text in kept("hofmann", PAGE, by="tree"))


def test_hofmann_parts_that_make_the_titles_likely_are_kept():
    html = "<title>The ferry</title><p>The ferry leaves at seven.<p>Subscribe now"

    assert kept("hofmann", html, by="titles", setting="letter") == ["The ferry leaves at seven."]


def test_hofmann_without_a_title_keeps_all_text_and_says_so():
    assert cleaned("hofmann", "<p>one<p>two", by="titles").reason == "no title or heading: all text is kept"


# Learning


@pytest.fixture(scope="module")
def lessons():
    pages = []
    for number in range(12):
        page = segment(PAGE.replace("nine", str(number)), markup=BLOCKS)
        is_menu = [text in "Home News of the day All that we sell Imprint Contact" for text in page.texts]
        pages.append(AnnotatedPage(page, [Label.OTHER if menu else Label.PARAGRAPH for menu in is_menu]))
    return Lessons(pages)


@pytest.mark.parametrize(("learn", "name"), [(target_node_model, "fiasco"), (block_tree_model, "hofmann")])
def test_what_is_learned_is_read_again_and_cleans_alike(lessons, tmp_path, learn, name):
    path = tmp_path / "mine.yaml"
    path.write_text(dump(learn(lessons)))

    options = {"by": "tree"} if name == "hofmann" else {}
    texts = kept(name, PAGE, model=str(path), **options)

    assert any("We counted" in text for text in texts)
    assert labeler(name, model=str(path), **options).learned() == learn(lessons)


def test_stupidos_learns_two_language_models(lessons):
    clean, dirty = clean_and_dirty_models(lessons)

    assert clean.perplexity("the boats in the harbour") < dirty.perplexity("the boats in the harbour")
    assert clean.perplexity("Imprint") > dirty.perplexity("Imprint")


def test_pages_without_noise_teach_nothing():
    page = segment(PROSE, markup=BLOCKS)

    with pytest.raises(VictorError, match="must include both content and noise"):
        Lessons([AnnotatedPage(page, [Label.PARAGRAPH] * len(page))])
