import pytest

from victorpy.errors import OptionError
from victorpy.labelers.filters.language_filters import BlockLanguages, PageLanguages, Verdict, decided, judgement
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import labeler

ENGLISH = "The ferry leaves at seven, long before the island is awake, and it comes back at noon with letters."
GERMAN = "Das Fährschiff verlässt den Hafen um sieben Uhr morgens, lange bevor die Insel erwacht ist."
BAKER = "Der Bäcker wusste nichts davon, dass die Brücke den ganzen Sommer über gesperrt sein würde."
FIGURES = "1234 5678 " * 30


def cleaned(html, *filters):
    return labeler("everything").filtered(*filters).clean(html)


@pytest.mark.parametrize(
    ("text", "languages", "verdict"),
    [
        (ENGLISH, ("en",), Verdict.ALLOWED),
        (ENGLISH, ("de", "en"), Verdict.ALLOWED),
        (ENGLISH, ("de", "fr"), Verdict.OTHER),
        ("Weiter lesen", ("en",), Verdict.UNSURE),
        (FIGURES, ("en",), Verdict.UNSURE),
        ("", ("en",), Verdict.UNSURE),
    ],
    ids=["allowed", "one of several", "another", "short", "figures", "nothing"],
)
def test_what_is_sure_of_a_text(text, languages, verdict):
    assert judgement(text, languages).verdict is verdict


@pytest.mark.parametrize(
    ("html", "filter", "language"),
    [
        (f"<p>{GERMAN}", PageLanguages(("en", "de")), "de"),
        (f"<p>{GERMAN}", PageLanguages(("en",)), "de"),
        (f"<p>{GERMAN}", BlockLanguages(), "de"),
        (f"<p>{GERMAN}", BlockLanguages(("de",)), ""),
        ("<p>Weiter lesen", PageLanguages(("de",)), ""),
    ],
    ids=["allowed", "not allowed", "its own", "of blocks", "short"],
)
def test_the_language_is_given_where_it_is_known(html, filter, language):
    assert cleaned(html, filter).metadata.language == (language or None)


def test_a_page_in_another_language_is_dropped_and_has_no_text():
    page = cleaned(f"<title>Fähre</title><p>{GERMAN}</p><p>{BAKER}</p>", PageLanguages(("en", "fr")))

    assert (page.status, page.reason, page.text) == ("dropped", "language: de", "")


def test_a_page_in_an_allowed_language_stays_as_it_is():
    page = cleaned(f"<p>{GERMAN}</p><p>{BAKER}</p>", PageLanguages(("en", "de")))

    assert (page.status, page.reason, page.text) == ("ok", "", f"{GERMAN}\n{BAKER}\n")


@pytest.mark.parametrize(
    ("html", "status", "reason"),
    [
        ("<p>Weiter lesen", "ok", "language: not sure, too little text"),
        (f"<p>{ENGLISH}</p><p>{GERMAN}</p>" * 3, "ok", ""),
        ("", "empty", "the page is empty"),
    ],
    ids=["short", "mixed", "empty"],
)
def test_a_page_that_one_cannot_be_sure_of_stays(html, status, reason):
    page = cleaned(html, PageLanguages(("en",)))

    assert page.status == status
    assert page.reason == reason or (not reason and page.reason.startswith("language: not sure"))


def test_blocks_in_another_language_go_and_short_ones_with_their_neighbours():
    html = f"<p>Ferry</p><p>{ENGLISH}</p><p>and</p><p>{GERMAN}</p><p>Weiter</p><p>{BAKER}</p><p>Ende</p>"

    assert cleaned(html, BlockLanguages(("en",))).text == f"Ferry\n{ENGLISH}\nand\n"
    assert cleaned(html, BlockLanguages(("en", "de"))).text.count("\n") == 7


def test_the_language_of_the_page_is_that_of_most_of_its_text():
    html = f"<p>{GERMAN * 3}</p><p>{BAKER * 3}</p><p>{ENGLISH}</p>"

    assert cleaned(html, BlockLanguages()).text == f"{GERMAN * 3}\n{BAKER * 3}\n"
    assert cleaned("<p>Weiter", BlockLanguages()).reason == "language: not sure, no block was dropped for it"


def test_passages_are_judged_as_a_whole():
    page = segment(f"<p>{ENGLISH} <b>{GERMAN}</b> {ENGLISH} {ENGLISH}</p>", markup=Markup(mode="victor"))
    labels = [Label.PARAGRAPH, Label.CONTINUATION, Label.CONTINUATION]

    assert not BlockLanguages(("en",)).dropped(page, labels).blocks.any()


@pytest.mark.parametrize(
    ("verdicts", "dropped"),
    [("", ""), ("u", "0"), ("uo", "11"), ("wuo", "001"), ("ouuo", "1111"), ("wuuw", "0000"), ("ouwuo", "10001")],
)
def test_the_unsure_follow_their_neighbours(verdicts, dropped):
    given = [{"w": Verdict.ALLOWED, "u": Verdict.UNSURE, "o": Verdict.OTHER}[letter] for letter in verdicts]

    assert "".join(str(int(flag)) for flag in decided(given)) == dropped


@pytest.mark.parametrize(("kind", "name"), [(PageLanguages, "languages"), (BlockLanguages, "block-languages")])
def test_unknown_languages_are_reported_before_any_page_is_read(kind, name):
    with pytest.raises(OptionError, match=f"^{name}: unknown language 'klingon'"):
        kind(("en", "klingon"))
