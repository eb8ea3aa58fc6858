"""Pages for training that are made of two: an article, and the comments of another page below it."""

import random
import sys
from pathlib import Path

import pytest

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.models import config
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

MARKUP = config.load("web").markup

ARTICLE = """<title>T</title><div id=menu><a href=/>Home</a> <a href=/n>News</a></div>
<div id=story><h1>A ferry runs again</h1><p>The ferry has run since Monday.</p>
<p>It takes forty cars.</p></div>
<div id=foot>© 2026</div>"""
ARTICLE_LABELS = "ohppo"

COMMENTED = """<div><h1>Another story</h1><p>Its only paragraph.</p></div><section class=replies><h3>2 replies</h3>
<p>Čau! I was there.</p><p>So was I.</p></section><p>Imprint</p>"""
WITHOUT, WITH = "hpoooo", "hpoppo"


@pytest.fixture(scope="module")
def grafts():
    sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
    import grafted_comments  # noqa: PLC0415

    yield grafted_comments
    sys.path.pop(0)


def labels(letters):
    return [Label.OTHER if letter == "o" else Label(letter) for letter in letters]


def page(html):
    return segment(html, markup=MARKUP)


@pytest.fixture
def comments(grafts):
    return grafts.comments_of(page(COMMENTED), labels(WITHOUT), labels(WITH))


@pytest.mark.parametrize("seed", range(6))
def test_comments_go_below_the_text_and_are_noise_but_in_a_discussion(grafts, comments, seed):
    article = AnnotatedPage(page(ARTICLE), labels(ARTICLE_LABELS), scopes=("auto", "article"), suits="article")

    plain, whole = grafts.grafted(article, comments, random.Random(seed), MARKUP)

    assert [*zip(plain.page.texts, plain.labels, whole.labels, plain.fields[Label.COMMENT], strict=True)] == [
        ("Home News", Label.OTHER, Label.OTHER, None),
        ("A ferry runs again", Label.HEADER, Label.HEADER, False),
        ("The ferry has run since Monday.", Label.PARAGRAPH, Label.PARAGRAPH, False),
        ("It takes forty cars.", Label.PARAGRAPH, Label.PARAGRAPH, False),
        ("2 replies", Label.OTHER, Label.OTHER, False),
        ("Čau! I was there.", Label.OTHER, Label.PARAGRAPH, True),
        ("So was I.", Label.OTHER, Label.PARAGRAPH, True),
        ("© 2026", Label.OTHER, Label.OTHER, None),
    ]
    assert (plain.scopes, whole.scopes) == (("auto", "article"), ("discussion",))


def test_comments_that_stand_among_the_text_are_in_no_part_of_their_own(grafts):
    html = "<div><p>A paragraph.</p><p>A comment on it, said at length.</p> <p>Another one.</p></div><p>A comment."

    assert grafts.comments_of(page(html), labels("popo"), labels("pppp")) is None


def test_a_page_without_text_gets_no_comments(grafts, comments):
    empty = AnnotatedPage(page(ARTICLE), labels("ooooo"), scopes=("auto", "article"))

    assert grafts.grafted(empty, comments, random.Random(0), MARKUP) == []


def test_a_page_whose_blocks_are_not_found_again_is_not_used(grafts, comments, monkeypatch):
    article = AnnotatedPage(page(ARTICLE), labels(ARTICLE_LABELS), scopes=("auto", "article"))
    torn = page("<p>Text.<p>More text.</p><p>Last one.</p>")
    monkeypatch.setattr(grafts, "segment", lambda *_, **__: torn)

    assert grafts.grafted(article, comments, random.Random(0), MARKUP) == []
