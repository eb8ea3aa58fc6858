"""What the two stages of rules make of small pages."""

import pytest

from victorpy.errors import OptionError, VictorError
from victorpy.labelers.rules import Rules
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

LONG = (
    "The ferry leaves at seven, long before the island is awake, and nobody who was there has told the baker that the"
    " bridge is closed for the summer."
)
NEARLY = "The ferry leaves at seven and nobody on the island has told the baker of it."
SHORT = "It was cold then."
NO_STOPS = "Lanterns, ropes, barrels, anchors, sails, oars, nets, hooks, buoys, compasses, charts, flags, pumps, cleats"
ENGLISH = Rules(language="en")


def kept(body, rules=ENGLISH):
    """A letter for each block: its kind, or a dot where it is dropped."""
    labels = rules.labeling(segment(f"<body>{body}", markup=Markup(mode="block"))).labels
    return "".join("." if label is Label.OTHER else label.value for label in labels)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<p>{LONG}", "p"),
        (f"<p>{NEARLY}", "."),
        (f"<p>{SHORT}", "."),
        (f"<p>{NO_STOPS}", "."),
        (f"<p><a href=/>{LONG}</a>", "."),
        (f"<p>{LONG} ©", "."),
        (f"<select><option>{LONG}</select>", "."),
    ],
    ids=["long", "nearly good", "short", "no stop words", "a link", "copyright", "a choice"],
)
def test_a_block_by_itself_must_be_long_free_of_links_and_full_of_stop_words(body, expected):
    assert kept(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"<p>{LONG}<p>{NEARLY}<p>{NEARLY}<p>{NO_STOPS}", "ppp."),
        (f"<p>{LONG}<p>{SHORT}<p>{SHORT}<p>{LONG}", "pppp"),
        (f"<p>{LONG}<p>{SHORT}<p>{NO_STOPS}", "p.."),
        (f"<p>{LONG}<p>{SHORT}<p>{NEARLY}<p>{NO_STOPS}", "ppp."),
        (f"<p>{LONG}<p><a href=/>more</a><p>{LONG}", "p.p"),
        (f"<h2>Ferries</h2><p>{LONG}", "hp"),
        (f"<h2>Ferries</h2><p>{NO_STOPS}<p>{NO_STOPS}<p>{LONG}", "...p"),
        (f"<p>{LONG}<ul><li>{SHORT}<li>{SHORT}</ul><p>{LONG}", "pllp"),
    ],
    ids=[
        "nearly good ones beside a good one",
        "short ones between good ones",
        "a short one beside a bad one",
        "a short one before a nearly good one",
        "a short link among good ones",
        "a heading before text",
        "a heading far from text",
        "list items",
    ],
)
def test_neighbours_decide_what_is_not_clear_by_itself(body, expected):
    assert kept(body) == expected


def test_the_language_is_found_on_the_page():
    german = (
        "Die Fähre legt um sieben Uhr ab, lange bevor die Insel erwacht, und niemand hat dem Bäcker gesagt, dass die"
    )
    german += " Brücke den ganzen Sommer über für alle gesperrt ist."

    assert kept(f"<p>{german}", Rules()) == "p"
    assert kept(f"<p>{german}", Rules(language="pl")) == "."


@pytest.mark.parametrize("language", ["zh", "ta", "xx"])
def test_without_stop_words_lengths_and_links_decide_and_the_reason_says_so(language):
    page = segment(f"<p>{NO_STOPS}<p>short<p><a href=/>{NO_STOPS}</a>", markup=Markup(mode="block"))

    labeling = Rules(language=language).labeling(page)

    assert labeling.labels == ["p", "other", "other"]
    assert labeling.reason == f"no stop words for language '{language}': judged by lengths and links alone"


def test_a_letter_of_chinese_weighs_as_two():
    assert kept(f"<p>{'渡轮七点出发没有人等待' * 6}", Rules()) == "p"


def test_a_file_of_stop_words_takes_the_place_of_the_language(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# of a ship\nLanterns\nropes\nanchors\nsails\n")

    assert kept(f"<p>{NO_STOPS}", Rules(stop_words=str(path))) == "p"


def test_a_file_without_words_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# nothing\n")

    with pytest.raises(VictorError, match=r"words.txt: no stop words in it"):
        Rules(stop_words=str(path))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_link_density": 2}, "max-link-density: expected a number from 0 to 1"),
        ({"stopwords_low": -1}, "stopwords-low: expected a number from 0 to 1"),
        ({"length_low": -1}, "length-low: expected at least 0"),
    ],
)
def test_options_out_of_range_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        Rules(**options)
