"""`victor report`: what the file holds."""

import re
from html.parser import HTMLParser

import pytest
from pages_of_reports import HOSTILE
from small_pages import article

from victorpy.reporting.making_reports import ReportOptions, report, system_named


class Tags(HTMLParser):
    """The elements of a report, with their attributes."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def all(self, tag):
        return [attributes for name, attributes in self.found if name == tag]


@pytest.fixture
def reported(victor, model, folder):
    """The HTML of the report that a command writes."""

    def run(*words):
        ran = victor("report", "-m", model, *words, "-o", "out.html", "-q")
        assert (ran.status, ran.out, ran.err) == (0, "out.html\n", "")
        return folder.joinpath("out.html").read_text("utf-8")

    return run


def marks(html):
    return re.findall(r'<li class="(\w+)" data-block', html)


def test_a_page_is_shown_with_its_blocks_and_their_marks(reported, page):
    html = reported(page)

    assert len(marks(html)) == 10
    assert marks(html).count("kept") == 7
    assert "We counted the boats in the harbour" in html
    assert "<summary>Why block" in html
    assert Tags(html).all("iframe")[0]["sandbox"] == "allow-same-origin"


def test_nothing_is_loaded_from_anywhere(reported, page, site):
    for html in (reported(page), reported(site)):
        names = {name for _, attributes in Tags(html).found for name in attributes}
        assert not names & {"src", "action", "onclick", "onload", "onerror", "background", "poster"}
        assert all(one["href"].startswith("#") for one in Tags(html).all("a"))
        assert not Tags(html).all("link")


def test_annotations_are_the_gold(reported, annotations):
    html = reported(annotations)

    assert html.count("<tr data-figure=") == 6
    assert "mean word F1 with the gold" in html
    assert html.count('" data-look="') == 6


def test_gold_texts_are_compared_with(reported, folder, site):
    folder.joinpath("gold").mkdir()
    for number in range(3):
        folder.joinpath("gold", f"part-{number}.txt").write_text(f"<h>Letters from the harbour, part {number}\n<p>Home")

    html = reported("site/part-1.html", "--gold", "gold")

    assert set(marks(html)) == {"extra", "kept", "dropped"}
    assert "Difference to the gold" in html
    assert html.count("<del>") > 1
    assert html.count("<ins>") > 1


def test_two_systems_with_other_blocks_are_compared(reported, page):
    html = reported(page, "--against", "everything")

    assert marks(html).count("missed") == 3
    assert "kept by everything only (3)" in html


def test_the_worst_page_comes_first_and_only_so_many_are_shown_as_they_look(reported, folder, annotations):
    html = reported(annotations, "--looks", 2)

    figures = [float(value) for value in re.findall(r'data-figure="([\d.]+)"', html)]
    assert figures == sorted(figures)
    assert (html.count('" data-page="'), html.count('" data-look="')) == (6, 2)


def test_pages_that_cannot_be_read_are_listed(reported, folder, site):
    folder.joinpath("site", "dead.html").symlink_to("nowhere")
    folder.joinpath("site", "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n")

    html = reported(site)

    assert {"unreadable", "undecodable", "ok"} <= set(re.findall(r'data-status="([\w-]+)"', html))


def test_what_a_page_says_stays_text(tmp_path):
    tmp_path.joinpath("bad.html").write_text(HOSTILE)

    html = report([str(tmp_path / "bad.html")], system_named("web"), ReportOptions(against="bte", explains=1))

    tags = Tags(html)
    assert len(tags.all("script")) == 1
    assert not [attributes for _, attributes in tags.found if any(name.startswith("on") for name in attributes)]
    assert not tags.all("img")
    assert len(tags.all("iframe")) == 1


def test_the_same_pages_give_the_same_report(tmp_path):
    tmp_path.joinpath("a.html").write_text(article(1)[0])
    tmp_path.joinpath("b.html").write_text(article(2)[0])

    first, second = (report([str(tmp_path)], system_named("web"), ReportOptions(explains=2)) for _ in range(2))

    assert first == second


WRONG = {
    "both": (["page.html", "--gold", ".", "--against", "bte"], "--against and --gold exclude each other"),
    "gold": (["page.html", "--gold", "page.html"], "page.html: expected a folder of gold texts"),
    "system": (["page.html", "--against", "webb"], "did you mean 'web'?"),
    "folder": (["page.html", "--against", "."], "expected a model or a labeler, got a folder"),
    "missing": (["nope.html"], "nope.html: no such file or folder"),
    "empty folder": (["empty"], "empty: no pages in this folder"),
}


@pytest.mark.parametrize(("words", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage_is_told(victor, folder, page, words, message):
    folder.joinpath("empty").mkdir()

    ran = victor("report", *words)

    assert ran.status == 2
    assert message in ran.err
    assert not folder.joinpath("report.html").exists()
