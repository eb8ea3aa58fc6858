"""The program but for its terminal."""

import webbrowser
from pathlib import Path

import pytest
from conftest import full_disk

from victorpy.annotation.anno_files import annotation_of, labeled_page, read, write
from victorpy.annotator.controller import Desk, Settings
from victorpy.annotator.keys import STANDARD, loads
from victorpy.annotator.page_queue import Entry, entries
from victorpy.annotator.retraining import Past, Progress
from victorpy.annotator.screen import screen
from victorpy.annotator.widths import width
from victorpy.models import model_folder
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD as MARKUP
from victorpy.page.segment import segment

HTML = (
    "<title>Ferry times</title><h1>Ferries</h1><p>The first leaves at seven.<p>The last comes home at ten."
    "<ul><li>a lantern<li>some bread</ul><p>Imprint"
)


@pytest.fixture
def pages(folder):
    for name in ("a", "b", "c"):
        folder.joinpath(f"{name}.html").write_text(HTML.replace("Ferry", f"Ferry {name}"))
    return folder


@pytest.fixture
def sit_down(pages):
    """A desk with the pages on it, which is left at the end."""
    desks = []

    def sit(number=0, **settings):
        desk = Desk(entries(pages), Settings(**({"keys": STANDARD} | settings)), number)
        screen(desk, 80, 24)
        desks.append(desk)
        return desk

    yield sit
    for desk in desks:
        desk.end()


def press(desk, *keys):
    for key in keys:
        desk.press(key)
        screen(desk, *desk.size)


def shown(desk, *size):
    return "\n".join("".join(text for _, text in line) for line in screen(desk, *(size or desk.size)))


def labels_of(path):
    return "".join("o" if label is Label.OTHER else label or "-" for label in read(path).labels)


def test_a_page_is_labeled_from_its_first_block_to_the_file(sit_down, pages):
    desk = sit_down()
    press(desk, "h", "p", "p", "l", "l", "o")
    assert "every block of the page has a label; ] goes to the next page" in shown(desk)
    press(desk, "q")

    assert desk.is_over
    assert labels_of(pages / "a.anno") == "hppllo"


def test_the_end_of_a_page_says_if_blocks_were_passed_over(sit_down):
    desk = sit_down()
    press(desk, "h", "end", "o")

    assert "the end, and some blocks have no label yet; Tab goes to the next of them" in shown(desk)


def test_every_key_is_on_disk_before_the_next(sit_down, pages):
    desk = sit_down()
    for key in ("h", "p", "u", "u", "U", "x"):
        press(desk, key)
        kept = desk.session.labels, desk.session.cursor
        desk.sheet.abandon()  # as if the process had died
        desk = sit_down()

        assert (desk.session.labels, desk.session.cursor) == kept


def test_the_screen_tells_where_one_is_and_how_far(sit_down):
    desk = sit_down()
    press(desk, "h", "p")
    text = shown(desk)

    assert "1/3 Ferry a times" in text
    assert "html › body › p" in text
    assert "2/6 labeled 33% · p 1 h 1 l 0 c 0 o 0 · 6 words kept" in text
    assert " The last comes home at ten." in text
    assert "? help q quit p para h head l list c cont o other u undo Tab next" in text


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (200, 50)])
@pytest.mark.parametrize("keys", [(), ("?",), ("e",), ("P",), ("/", "x"), ("g", "3"), ("w",)], ids="-".join)
def test_every_screen_fills_the_window(sit_down, keys, size):
    desk = sit_down()
    press(desk, *keys)
    lines = shown(desk, *size).split("\n")

    assert len(lines) == size[1]
    assert {width(line) for line in lines} == {size[0]}


def test_a_window_that_is_too_small_says_so_until_it_grows(sit_down):
    desk = sit_down()

    assert "60×15 are needed, this is 59×20" in shown(desk, 59, 20)
    assert "Ferries" in shown(desk, 60, 15)


def test_searching_goes_along_while_one_types(sit_down):
    desk = sit_down()
    press(desk, "/", "l", "a", "n")
    assert (desk.session.cursor, "search: lan" in shown(desk)) == (3, True)
    press(desk, "enter", "home", "n")
    assert desk.session.cursor == 3


def test_a_search_that_is_given_up_leaves_one_where_one_was(sit_down):
    desk = sit_down()
    press(desk, "down", "/", "b", "r", "escape")

    assert desk.session.cursor == 1


def test_a_search_for_what_is_not_there_leaves_one_where_one_was(sit_down):
    desk = sit_down()
    press(desk, "down", "/", *"bright", "enter")

    assert desk.session.cursor == 1
    assert "not on this page: bright" in shown(desk)


def test_a_number_leads_to_its_block(sit_down):
    desk = sit_down()
    press(desk, "g", "4", "enter")
    assert desk.session.cursor == 4
    press(desk, "g", "x", "enter")
    assert "'x' is no number of a block" in shown(desk)


def test_what_is_pasted_labels_nothing(sit_down):
    desk = sit_down()
    desk.paste("hello people")
    assert set(desk.session.labels) == {None}
    press(desk, "/")
    desk.paste("bread\nhome")
    press(desk, "enter")
    assert desk.session.cursor == 4


def test_a_key_without_a_meaning_says_where_the_keys_are(sit_down):
    desk = sit_down()
    press(desk, "z")

    assert "'z' does nothing here; ?/F1 shows all keys" in shown(desk)


def test_keys_can_be_others(sit_down):
    desk = sit_down(keys=loads("label-h: 3\nhelp: f2"))
    press(desk, "3")
    assert desk.session.labels[0] is Label.HEADER
    press(desk, "f2")
    assert "3                a header" in shown(desk)


def test_the_html_of_a_block_and_the_keys_are_shown_and_left_again(sit_down):
    desk = sit_down()
    press(desk, "down", "e")
    assert "HTML of block 1" in shown(desk)
    assert "<p>The first leaves" in shown(desk)
    press(desk, "escape", "?", "page-down", "home", "down", "up")
    assert "a header" in shown(desk)
    press(desk, "q")
    assert "0/6 labeled" in shown(desk)
    assert not desk.is_over


def test_a_click_selects_a_drag_marks_and_the_wheel_scrolls(sit_down):
    desk = sit_down()
    desk.click(3)
    assert desk.session.cursor == 2
    desk.click(5, is_dragged=True)
    press(desk, "l")
    assert [number for number, label in enumerate(desk.session.labels) if label] == [2, 3, 4]
    desk.click(1)
    desk.wheel(1)
    assert desk.session.cursor > 0
    desk.click(23)
    assert not desk.is_over


def test_pages_are_gone_through_and_kept(sit_down, pages):
    desk = sit_down()
    press(desk, "h", "]", "o")
    assert "2/3 Ferry b" in shown(desk)
    press(desk, "]", "]")
    assert "this is the last page" in shown(desk)
    press(desk, "P")
    assert "Pages: 0 done, 2 started, 1 open" in shown(desk)
    assert "  started          1/6  b" in shown(desk)
    press(desk, "first", "home", "enter")
    assert "1/3 Ferry a" in shown(desk)
    assert (labels_of(pages / "a.anno"), labels_of(pages / "b.anno")) == ("h-----", "o-----")
    assert desk.session.labels[0] is Label.HEADER


def test_a_page_that_cannot_be_opened_leaves_one_where_one_was(sit_down, pages):
    pages.joinpath("b.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    desk = sit_down()
    press(desk, "h", "]")

    assert "b.html: not a text: binary data; P lists the others" in desk.session.message
    assert "1/3" in shown(desk)
    assert desk.session.labels[0] is Label.HEADER


def test_a_page_that_somebody_else_has_open_is_passed_over(sit_down):
    sit_down()
    desk = sit_down()

    assert "2/3 Ferry b" in shown(desk)
    # Not as it is shown, because where it is broken depends on the length of the path.
    assert "a.anno: is being labeled by another victor" in desk.session.message


def test_a_page_without_text_takes_no_labels(sit_down, pages):
    pages.joinpath("a.html").write_text("<html><body></body></html>")
    desk = sit_down()
    for key in ["p", "A", "a", "down", "page-down", "tab", "}", "e", "/", "g", "end", "space", "u", "w", "d"]:
        press(desk, key)

    assert desk.session.labels == ()
    press(desk, "]")
    assert "2/3" in shown(desk)


# When labels cannot be kept


def test_what_could_not_be_kept_is_told_and_kept_with_a_later_key(sit_down):
    desk = sit_down()
    with full_disk():
        press(desk, "h", "p")
        assert "NOT SAVED: " in shown(desk)
        assert ": cannot be written: File too large (make room); " in desk.sheet.trouble
    press(desk, "down")
    assert "NOT SAVED" not in shown(desk)
    desk.sheet.abandon()

    assert sit_down().session.labels[:3] == (Label.HEADER, Label.PARAGRAPH, None)


@pytest.mark.parametrize("keys", ["u", "x", "pu", "ux"])
def test_what_was_taken_back_while_the_disk_was_full_does_not_come_back(sit_down, keys):
    desk = sit_down()
    with full_disk():
        press(desk, "h", *keys)
    press(desk, "down")
    kept = desk.session.labels, desk.session.cursor
    desk.sheet.abandon()

    again = sit_down()
    assert (again.session.labels, again.session.cursor) == kept


def test_trouble_is_over_only_when_all_is_kept(sit_down):
    desk = sit_down()
    with full_disk():
        press(desk, "h", "u", "down")
        desk.tick()

        assert "NOT SAVED" in shown(desk)


def test_without_keys_it_is_tried_again_too(sit_down):
    desk = sit_down()
    with full_disk():
        press(desk, "h")

    assert desk.tick()
    assert "NOT SAVED" not in shown(desk)
    assert not desk.tick()


def test_leaving_asks_only_if_something_would_be_lost(sit_down):
    desk = sit_down()
    with full_disk():
        press(desk, "h", "q")
        assert "leave all the same? y/n" in shown(desk, 60, 15)
        press(desk, "n")
        assert not desk.is_over
        press(desk, "q", "y")

    assert desk.is_over
    assert desk.touched == []


# With a model


def test_suggestions_are_shown_accepted_and_never_counted_before(sit_down, model):
    desk = sit_down(model=model_folder.load(str(model)), markup=MARKUP)
    suggested = tuple(suggestion.label for suggestion in desk.session.suggestions)
    assert "0/6 labeled" in shown(desk)
    assert "%" in shown(desk).split("\n")[1]
    press(desk, "o", "A")

    assert desk.session.labels == (Label.OTHER, *suggested[1:])
    assert "every block of the page has a label; ] goes to the next page" in shown(desk)


def test_the_screen_that_is_accepted_is_the_one_that_keys_typed_ahead_lead_to(sit_down, pages, model):
    pages.joinpath("a.html").write_text("".join(f"<p>Nobody had told the baker, {n}." for n in range(200)))
    desk = sit_down(model=model_folder.load(str(model)))
    for key in [*["down"] * 100, "A"]:
        desk.press(key)
    labeled = [number for number, label in enumerate(desk.session.labels) if label]

    assert 100 in labeled
    assert labeled == list(range(labeled[0], labeled[0] + desk.area.height))


def test_the_least_certain_comes_first_if_one_wants(sit_down, model):
    desk = sit_down(model=model_folder.load(str(model)), order="uncertain")
    chances = [suggestion.probability for suggestion in desk.session.suggestions]
    assert chances[desk.session.cursor] == min(chances)
    press(desk, "end", "a")
    open_ones = [n for n, label in enumerate(desk.session.labels) if label is None]

    assert desk.session.cursor in open_ones
    assert "least certain first" in shown(desk)


class Trained:
    """Stands for a training in the background."""

    def __init__(self, files, news):
        self.files, self.news = files, news

    history = (Past(1, 6, 0.843), Past(2, 12, 0.912))

    def start(self):
        pass

    def stop(self):
        self.news = []

    def poll(self):
        return self.news.pop(0) if self.news else None


def test_labeling_goes_on_while_a_model_is_trained_and_its_suggestions_come(sit_down, model):
    trainings = []

    def retraining(files):
        trainings.append(Trained(files, [Progress("a new model", model=model), Progress("word F1 91.2", 0.912)]))
        return trainings[-1]

    desk = sit_down(retraining=retraining)
    press(desk, "t")
    assert "nothing to learn from: no block has a label yet" in shown(desk)
    press(desk, "h", "t", "p")
    assert "training on 1 page" in shown(desk)
    assert [path.name for path in trainings[0].files] == ["a.anno"]
    assert desk.tick()
    assert "held-out word F1 84.3 → 91.2" in shown(desk)
    assert len(desk.session.suggestions) == 6
    assert desk.session.labels[:3] == (Label.HEADER, Label.PARAGRAPH, None)


# In a review


def test_a_review_writes_what_was_decided(pages):
    page = segment(HTML, "a")
    for name, letters in (("one", "hppllo"), ("two", "hpolpo")):
        labels = [Label.OTHER if letter == "o" else Label(letter) for letter in letters]
        write(annotation_of(page, HTML, labels, name), pages / f"{name}.anno")
    sides = tuple(tuple(labeled_page(read(pages / f"{name}.anno"), MARKUP)[1]) for name in ("one", "two"))
    entry = Entry("a", pages / "one.anno", pages / "out.anno", "open", 0, 0)

    desk = Desk([entry], Settings(STANDARD, sides=lambda entry, page: sides))
    screen(desk, 80, 24)
    assert "4/6 labeled" in shown(desk)
    assert "1 first 2 second" in shown(desk, 60, 15)
    press(desk, "2", "h", "q")

    assert labels_of(pages / "out.anno") == "hpolho"


# Outside


def test_the_page_is_shown_in_a_browser(sit_down, monkeypatch):
    opened = []

    class Browser:
        def open(self, address):
            opened.append(Path(address.removeprefix("file://")).read_text("utf-8-sig"))
            return True

    monkeypatch.setattr(webbrowser, "get", Browser)
    desk = sit_down()
    press(desk, "b")

    assert "<h1>Ferries</h1>" in opened[0]
    assert "shown in the browser" in shown(desk)


def test_where_there_is_no_browser_the_file_is_named(sit_down, monkeypatch):
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    desk = sit_down()
    press(desk, "b")

    assert "no browser with a window of its own here; the page is " in shown(desk)


# Fields of posts


def test_fields_of_posts_have_keys_where_the_config_has_these_labels(sit_down, pages):
    desk = sit_down(labels=tuple(Label))
    press(desk, "T", "W", "B", "p", "M", "o")
    assert "T 1 W 1 B 1 M 1" in shown(desk, 120, 24)
    press(desk, "s", "q")

    assert read(pages / "a.anno").labels == (
        Label.TITLE,
        Label.DATE,
        Label.AUTHOR,
        Label.PARAGRAPH,
        Label.COMMENT,
        Label.OTHER,
    )


def test_fields_that_the_config_does_not_have_are_not_given(sit_down):
    desk = sit_down()
    press(desk, "T")

    assert desk.session.labels[0] is None
    assert "the config's labels have no 'title'" in shown(desk)


def test_fields_that_a_page_has_already_are_shown_and_kept(sit_down, pages):
    page = segment(HTML)
    write(annotation_of(page, HTML, [Label.TITLE, Label.DATE, *[None] * 4]), pages / "a.anno")
    desk = sit_down()
    assert [line[:4] for line in shown(desk).splitlines()[1:3]] == [">0 T", " 1 W"]
    press(desk, "down", "down", "p", "s")

    assert read(pages / "a.anno").labels[:3] == (Label.TITLE, Label.DATE, Label.PARAGRAPH)
