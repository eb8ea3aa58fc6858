"""The program without its terminal."""

import webbrowser
from pathlib import Path

import pytest
from full_disks import full_disk

from victorpy.annotation.anno_files import annotation_of, labeled_page, read, write
from victorpy.annotator.controller import Controller, Settings
from victorpy.annotator.keys import STANDARD, loads
from victorpy.annotator.page_queue import QueuedPage, queued_pages
from victorpy.annotator.screen import screen
from victorpy.annotator.training_task import PastScore, TrainingProgress
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
def open_controller(pages):
    """A controller of the pages, which ends after the test."""
    controllers = []

    def opened(number=0, **settings):
        controller = Controller(queued_pages(pages), Settings(**({"keys": STANDARD} | settings)), number)
        screen(controller, 80, 24)
        controllers.append(controller)
        return controller

    yield opened
    for controller in controllers:
        controller.end()


def press(controller, *keys):
    for key in keys:
        controller.press(key)
        screen(controller, *controller.size)


def shown(controller, *size):
    return "\n".join("".join(text for _, text in line) for line in screen(controller, *(size or controller.size)))


def labels_of(path):
    return "".join("o" if label is Label.OTHER else label or "-" for label in read(path).labels)


def test_names_of_files_and_tags_give_the_terminal_no_orders(open_controller, pages):
    (source := pages / "0\u202e\x9b.html").write_text("<x\u202e\x85>one</x\u202e\x85><p>two")
    controller = open_controller()
    source.write_text("<p>another")
    press(controller, "p", "]", "[")

    assert "0\ufffd\ufffd" in shown(controller)
    assert all(text.isprintable() for line in screen(controller, 80, 24) for _, text in line)


def test_a_page_is_labeled_from_its_first_block_to_the_file(open_controller, pages):
    controller = open_controller()
    press(controller, "h", "p", "p", "l", "l", "o")
    assert "every block of the page has a label; ] goes to the next page" in shown(controller)
    press(controller, "q")

    assert controller.is_over
    assert labels_of(pages / "a.anno") == "hppllo"


def test_the_end_of_a_page_says_if_blocks_were_passed_over(open_controller):
    controller = open_controller()
    press(controller, "h", "end", "o")

    assert "end of the page; some blocks have no label yet; Tab goes to the next of them" in shown(controller)


def test_every_key_is_on_disk_before_the_next(open_controller, pages):
    controller = open_controller()
    for key in ("h", "p", "u", "u", "U", "x"):
        press(controller, key)
        kept = controller.session.labels, controller.session.cursor
        controller.page.abandon()  # as if the process had died
        controller = open_controller()

        assert (controller.session.labels, controller.session.cursor) == kept


def test_the_screen_tells_where_one_is_and_how_far(open_controller):
    controller = open_controller()
    press(controller, "h", "p")
    text = shown(controller)

    assert "1/3 Ferry a times" in text
    assert "html › body › p" in text
    assert "2/6 labeled 33% · p 1 h 1 l 0 c 0 o 0 · 6 words kept" in text
    assert " The last comes home at ten." in text
    assert "? help q quit p para h head l list c cont o other u undo Tab next" in text


@pytest.mark.parametrize("size", [(60, 15), (80, 24), (200, 50)])
@pytest.mark.parametrize("keys", [(), ("?",), ("e",), ("P",), ("/", "x"), ("g", "3"), ("w",)], ids="-".join)
def test_every_screen_fills_the_window(open_controller, keys, size):
    controller = open_controller()
    press(controller, *keys)
    lines = shown(controller, *size).split("\n")

    assert len(lines) == size[1]
    assert {width(line) for line in lines} == {size[0]}


def test_a_window_that_is_too_small_says_so_until_it_grows(open_controller):
    controller = open_controller()

    assert "it needs 60×15, this is 59×20" in shown(controller, 59, 20)
    assert "Ferries" in shown(controller, 60, 15)


def test_searching_goes_along_while_one_types(open_controller):
    controller = open_controller()
    press(controller, "/", "l", "a", "n")
    assert (controller.session.cursor, "search: lan" in shown(controller)) == (3, True)
    press(controller, "enter", "home", "n")
    assert controller.session.cursor == 3


def test_a_search_that_is_given_up_leaves_one_where_one_was(open_controller):
    controller = open_controller()
    press(controller, "down", "/", "b", "r", "escape")

    assert controller.session.cursor == 1


def test_a_search_for_what_is_not_there_leaves_one_where_one_was(open_controller):
    controller = open_controller()
    press(controller, "down", "/", *"bright", "enter")

    assert controller.session.cursor == 1
    assert "not on this page: bright" in shown(controller)


def test_a_number_leads_to_its_block(open_controller):
    controller = open_controller()
    press(controller, "g", "4", "enter")
    assert controller.session.cursor == 4
    press(controller, "g", "x", "enter")
    assert "expected the number of a block, got 'x'" in shown(controller)


def test_what_is_pasted_labels_nothing(open_controller):
    controller = open_controller()
    controller.paste("hello people")
    assert set(controller.session.labels) == {None}
    press(controller, "/")
    controller.paste("bread\nhome")
    press(controller, "enter")
    assert controller.session.cursor == 4


def test_a_key_without_a_meaning_says_where_the_keys_are(open_controller):
    controller = open_controller()
    press(controller, "z")

    assert "'z' does nothing here; ?/F1 shows all keys" in shown(controller)


def test_keys_can_be_others(open_controller):
    controller = open_controller(keys=loads("label-h: 3\nhelp: f2"))
    press(controller, "3")
    assert controller.session.labels[0] is Label.HEADER
    press(controller, "f2")
    assert "3                header" in shown(controller)


def test_the_html_of_a_block_and_the_keys_are_shown_and_left_again(open_controller):
    controller = open_controller()
    press(controller, "down", "e")
    assert "HTML of block 1" in shown(controller)
    assert "<p>The first leaves" in shown(controller)
    press(controller, "escape", "?", "page-down", "home", "down", "up")
    assert "header" in shown(controller)
    press(controller, "q")
    assert "0/6 labeled" in shown(controller)
    assert not controller.is_over


def test_a_click_selects_a_drag_marks_and_the_wheel_scrolls(open_controller):
    controller = open_controller()
    controller.click(3)
    assert controller.session.cursor == 2
    controller.click(5, is_dragged=True)
    press(controller, "l")
    assert [number for number, label in enumerate(controller.session.labels) if label] == [2, 3, 4]
    controller.click(1)
    controller.wheel(1)
    assert controller.session.cursor > 0
    controller.click(23)
    assert not controller.is_over


def test_pages_are_gone_through_and_kept(open_controller, pages):
    controller = open_controller()
    press(controller, "h", "]", "o")
    assert "2/3 Ferry b" in shown(controller)
    press(controller, "]", "]")
    assert "this is the last page" in shown(controller)
    press(controller, "P")
    assert "Pages: 0 done, 2 started, 1 open" in shown(controller)
    assert "  started          1/6  b" in shown(controller)
    press(controller, "first", "home", "enter")
    assert "1/3 Ferry a" in shown(controller)
    assert (labels_of(pages / "a.anno"), labels_of(pages / "b.anno")) == ("h-----", "o-----")
    assert controller.session.labels[0] is Label.HEADER


def test_a_page_that_cannot_be_opened_leaves_one_where_one_was(open_controller, pages):
    pages.joinpath("b.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    controller = open_controller()
    press(controller, "h", "]")

    assert "b.html: not a text: binary data; P lists the others" in controller.session.message
    assert "1/3" in shown(controller)
    assert controller.session.labels[0] is Label.HEADER


def test_a_page_that_somebody_else_has_open_is_passed_over(open_controller):
    open_controller()
    controller = open_controller()

    assert "2/3 Ferry b" in shown(controller)
    # Not as it is shown, because where it is broken depends on the length of the path.
    assert "a.anno: is being labeled by another victor" in controller.session.message


def test_a_page_without_text_takes_no_labels(open_controller, pages):
    pages.joinpath("a.html").write_text("<html><body></body></html>")
    controller = open_controller()
    for key in ["p", "A", "a", "down", "page-down", "tab", "}", "e", "/", "g", "end", "space", "u", "w", "d"]:
        press(controller, key)

    assert controller.session.labels == ()
    press(controller, "]")
    assert "2/3" in shown(controller)


# When labels cannot be kept


def test_what_could_not_be_kept_is_told_and_kept_with_a_later_key(open_controller):
    controller = open_controller()
    with full_disk():
        press(controller, "h", "p")
        assert "NOT SAVED: " in shown(controller)
        assert ": cannot be written: File too large (make room); " in controller.page.write_error
    press(controller, "down")
    assert "NOT SAVED" not in shown(controller)
    controller.page.abandon()

    assert open_controller().session.labels[:3] == (Label.HEADER, Label.PARAGRAPH, None)


@pytest.mark.parametrize("keys", ["u", "x", "pu", "ux"])
def test_what_was_taken_back_while_the_disk_was_full_does_not_come_back(open_controller, keys):
    controller = open_controller()
    with full_disk():
        press(controller, "h", *keys)
    press(controller, "down")
    kept = controller.session.labels, controller.session.cursor
    controller.page.abandon()

    again = open_controller()
    assert (again.session.labels, again.session.cursor) == kept


def test_trouble_is_over_only_when_all_is_kept(open_controller):
    controller = open_controller()
    with full_disk():
        press(controller, "h", "u", "down")
        controller.tick()

        assert "NOT SAVED" in shown(controller)


def test_without_keys_it_is_tried_again_too(open_controller):
    controller = open_controller()
    with full_disk():
        press(controller, "h")

    assert controller.tick()
    assert "NOT SAVED" not in shown(controller)
    assert not controller.tick()


def test_leaving_asks_only_if_something_would_be_lost(open_controller):
    controller = open_controller()
    with full_disk():
        press(controller, "h", "q")
        assert "quit anyway? y/n" in shown(controller, 60, 15)
        press(controller, "n")
        assert not controller.is_over
        press(controller, "q", "y")

    assert controller.is_over
    assert controller.visited == []


# With a model


def test_suggestions_are_shown_accepted_and_never_counted_before(open_controller, model):
    controller = open_controller(model=model_folder.load(str(model)), markup=MARKUP)
    suggested = tuple(suggestion.label for suggestion in controller.session.suggestions)
    assert "0/6 labeled" in shown(controller)
    assert "%" in shown(controller).split("\n")[1]
    press(controller, "o", "A")

    assert controller.session.labels == (Label.OTHER, *suggested[1:])
    assert "every block of the page has a label; ] goes to the next page" in shown(controller)


def test_the_screen_that_is_accepted_is_the_one_that_keys_typed_ahead_lead_to(open_controller, pages, model):
    pages.joinpath("a.html").write_text("".join(f"<p>Nobody had told the baker, {n}." for n in range(200)))
    controller = open_controller(model=model_folder.load(str(model)))
    for key in [*["down"] * 100, "A"]:
        controller.press(key)
    labeled = [number for number, label in enumerate(controller.session.labels) if label]

    assert 100 in labeled
    assert labeled == list(range(labeled[0], labeled[0] + controller.area.height))


def test_the_least_certain_comes_first_if_one_wants(open_controller, model):
    controller = open_controller(model=model_folder.load(str(model)), order="uncertain")
    chances = [suggestion.probability for suggestion in controller.session.suggestions]
    assert chances[controller.session.cursor] == min(chances)
    press(controller, "end", "a")
    open_ones = [n for n, label in enumerate(controller.session.labels) if label is None]

    assert controller.session.cursor in open_ones
    assert "least certain first" in shown(controller)


class Trained:
    """Stands for a training in the background."""

    def __init__(self, files, news):
        self.files, self.training_status = files, news

    history = (PastScore(1, 6, 0.843), PastScore(2, 12, 0.912))

    def start(self):
        pass

    def stop(self):
        self.training_status = []

    def poll(self):
        return self.training_status.pop(0) if self.training_status else None


def test_labeling_goes_on_while_a_model_is_trained_and_its_suggestions_come(open_controller, model):
    trainings = []

    def retraining(files):
        trainings.append(
            Trained(files, [TrainingProgress("a new model", model=model), TrainingProgress("word F1 91.2", 0.912)])
        )
        return trainings[-1]

    controller = open_controller(training=retraining)
    press(controller, "t")
    assert "nothing to train on: no block has a label yet" in shown(controller)
    press(controller, "h", "t", "p")
    assert "training on 1 page" in shown(controller)
    assert [path.name for path in trainings[0].files] == ["a.anno"]
    assert controller.tick()
    assert "held-out word F1 84.3 → 91.2" in shown(controller)
    assert len(controller.session.suggestions) == 6
    assert controller.session.labels[:3] == (Label.HEADER, Label.PARAGRAPH, None)


def test_the_score_before_and_after_adapting_is_shown(open_controller):
    news = [TrainingProgress("word F1 84.3 before, 91.2 adapted on 3 held-out pages", 0.912, None, True, 0.843)]
    controller = open_controller(training=lambda files: Trained(files, news))
    press(controller, "h", "t")
    controller.tick()

    assert "word F1 84.3 before, 91.2 adapted on 3 held-out pages" in shown(controller, 80, 24)


def test_why_a_training_failed_is_readable_at_eighty_columns(open_controller):
    reason = (
        "nothing to learn from: every labeled block of these pages is 'other'. " + "Label some of their content. " * 3
    )
    controller = open_controller(training=lambda files: Trained(files, [TrainingProgress(reason, is_over=True)]))
    press(controller, "h", "t")
    controller.tick()

    text = " ".join(shown(controller, 80, 24).split())
    assert " ".join(reason.split()) in text
    press(controller, "j")
    assert "not trained" in shown(controller, 80, 24)


# Flags and blocks alike


def test_a_block_is_flagged_and_noted_and_the_file_says_so(open_controller, pages):
    controller = open_controller()
    press(controller, "f", "down", "i", *"why?", "enter", "F")
    assert "0!·" in shown(controller)
    press(controller, "F")
    assert "[why?] The first leaves at seven." in shown(controller)
    press(controller, "f", "q")

    assert read(pages / "a.anno").flags == {0: ""}


def test_one_key_labels_all_blocks_alike_on_all_pages(open_controller, pages):
    controller = open_controller()
    press(controller, "down", "down", "down", "l", "up", "=")

    assert "labeled alike: 1 more block here, 4 on 2 other pages" in shown(controller)
    assert controller.session.labels == (None, None, None, Label.LIST, Label.LIST, None)
    assert labels_of(pages / "c.anno") == "---ll-"
    press(controller, "u")
    assert controller.session.labels[4] is None


# In a review


def test_a_review_writes_what_was_decided(pages):
    page = segment(HTML, "a")
    for name, letters in (("one", "hppllo"), ("two", "hpolpo")):
        labels = [Label.OTHER if letter == "o" else Label(letter) for letter in letters]
        write(annotation_of(page, HTML, labels, name), pages / f"{name}.anno")
    sides = tuple(tuple(labeled_page(read(pages / f"{name}.anno"), MARKUP)[1]) for name in ("one", "two"))
    entry = QueuedPage("a", pages / "one.anno", pages / "out.anno", "open", 0, 0)

    controller = Controller([entry], Settings(STANDARD, sides=lambda entry, page: sides))
    screen(controller, 80, 24)
    assert "4/6 labeled" in shown(controller)
    assert "1 first 2 second" in shown(controller, 60, 15)
    press(controller, "2", "h", "q")

    assert labels_of(pages / "out.anno") == "hpolho"


# Outside


def test_a_copy_of_the_page_that_is_safe_is_shown_in_a_browser(open_controller, monkeypatch):
    opened = []

    class Browser:
        def open(self, address):
            opened.append(Path(address.removeprefix("file://")).read_text("utf-8-sig"))
            return True

    monkeypatch.setattr(webbrowser, "get", Browser)
    controller = open_controller()
    press(controller, "b")

    assert "<h1>Ferries</h1>" in opened[0]
    assert "default-src 'none'" in opened[0]
    assert "a copy without scripts and network is open in the browser" in shown(controller)


def test_where_there_is_no_browser_the_file_is_named(open_controller, monkeypatch):
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("lynx"))
    controller = open_controller()
    press(controller, "b")

    assert "no browser with a window of its own here; a safe copy of the page is" in shown(controller)


# Fields of posts


def test_fields_of_posts_have_keys_where_the_config_has_these_labels(open_controller, pages):
    controller = open_controller(labels=tuple(Label))
    press(controller, "T", "W", "B", "p", "M", "o")
    assert "T 1 W 1 B 1 M 1" in shown(controller, 120, 24)
    press(controller, "s", "q")

    assert read(pages / "a.anno").labels == (
        Label.TITLE,
        Label.DATE,
        Label.AUTHOR,
        Label.PARAGRAPH,
        Label.COMMENT,
        Label.OTHER,
    )


def test_fields_that_the_config_does_not_have_are_not_given(open_controller):
    controller = open_controller()
    press(controller, "T")

    assert controller.session.labels[0] is None
    assert "the config has no label 'title'" in shown(controller)


def test_fields_that_a_page_has_already_are_shown_and_kept(open_controller, pages):
    page = segment(HTML)
    write(annotation_of(page, HTML, [Label.TITLE, Label.DATE, *[None] * 4]), pages / "a.anno")
    controller = open_controller()
    assert [line[:4] for line in shown(controller).splitlines()[1:3]] == [">0 T", " 1 W"]
    press(controller, "down", "down", "p", "s")

    assert read(pages / "a.anno").labels[:3] == (Label.TITLE, Label.DATE, Label.PARAGRAPH)
