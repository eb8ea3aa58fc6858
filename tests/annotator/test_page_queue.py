import os
from pathlib import Path

import pytest

from victorpy.annotation.anno_files import annotation_of, write
from victorpy.annotator.label_store import resume_page
from victorpy.annotator.page_queue import queued_pages, resume_number
from victorpy.errors import UsageError
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD
from victorpy.page.segment import segment

P, H = Label.PARAGRAPH, Label.HEADER
HTML = "<h1>Rain</h1><p>It pours."


@pytest.fixture
def pages(folder) -> Path:
    """A folder of five pages, where the user stands."""
    for name in ("a.html", "b.htm", "sub/c.html", "sub/a.html", "z.html"):
        path = folder / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HTML)
    return Path("pages")


def labeled(anno: Path, labels: list[Label | None], time: int = 1_000) -> None:
    anno.parent.mkdir(parents=True, exist_ok=True)
    write(annotation_of(segment(HTML), HTML, labels), anno)
    os.utime(anno, (time, time))


def states(folder: Path, annos: Path | None = None) -> dict[str, tuple[str, int, int]]:
    return {entry.id: (entry.state, entry.labeled, entry.blocks) for entry in queued_pages(folder, annos)}


def ids(folder: Path) -> list[str]:
    return [entry.id for entry in queued_pages(folder)]


def test_pages_are_in_the_order_of_their_names(pages):
    assert ids(pages) == ["a", "b", "sub/a", "sub/c", "z"]


def test_labels_go_beside_the_page_or_into_a_folder_of_their_own(pages):
    assert [entry.anno for entry in queued_pages(pages)][1:3] == [pages / "b.anno", pages / "sub/a.anno"]
    assert [entry.anno for entry in queued_pages(pages, Path("mine"))][1:3] == [
        Path("mine/b.anno"),
        Path("mine/sub/a.anno"),
    ]


def test_states_say_how_far_a_page_is(pages):
    labeled(pages / "a.anno", [H, P])
    labeled(pages / "b.anno", [H, None])
    labeled(pages / "z.anno", [None, None])

    assert states(pages) == {
        "a": ("done", 2, 2),
        "b": ("started", 1, 2),
        "sub/a": ("open", 0, 0),
        "sub/c": ("open", 0, 0),
        "z": ("open", 0, 2),
    }


def test_states_are_those_of_the_folder_with_the_labels(pages):
    labeled(pages / "a.anno", [H, P])
    labeled(Path("mine/b.anno"), [H, P])

    assert [id for id, (state, *_) in states(pages, Path("mine")).items() if state == "done"] == ["b"]


def test_annotations_without_their_pages_are_pages_too(pages):
    labeled(pages / "m.anno", [H, None])
    labeled(pages / "a.anno", [H, None])

    found = {entry.id: entry.source for entry in queued_pages(pages)}

    assert list(found) == ["a", "b", "m", "sub/a", "sub/c", "z"]
    assert (found["a"], found["m"]) == (pages / "a.html", None)


def test_a_folder_may_hold_annotations_alone(folder):
    labeled(Path("mine/a.anno"), [H, None])

    assert ids(Path("mine")) == ["a"]


@pytest.mark.parametrize(
    ("name", "message"), [("none", "none: no such folder"), (".", r"^\.: no pages in this folder")]
)
def test_a_folder_without_pages_is_wrong_usage(folder, name, message):
    with pytest.raises(UsageError, match=message):
        queued_pages(Path(name))


def test_labels_that_only_a_journal_has_count(pages):
    page = resume_page(pages / "a.html", pages / "a.anno", STANDARD)
    page.store.record(0, [H], 1)
    page.store.abandon()

    assert states(pages)["a"] == ("started", 1, 2)


def test_a_page_is_not_done_before_its_file_is_written(pages):
    page = resume_page(pages / "a.html", pages / "a.anno", STANDARD)
    page.store.record(0, [H, P], 1)
    page.store.abandon()

    assert states(pages)["a"] == ("started", 2, 2)


def test_a_journal_of_a_file_that_has_changed_since_does_not_count(pages):
    labeled(pages / "a.anno", [H, None])
    page = resume_page(None, pages / "a.anno", STANDARD)
    page.store.record(0, [None], 1)
    page.store.abandon()
    labeled(pages / "a.anno", [H, P])

    assert states(pages)["a"] == ("done", 2, 2)


def test_a_broken_file_is_among_the_others(pages):
    (pages / "a.anno").write_text("no annotation")

    assert states(pages)["a"] == ("open", 0, 0)


def test_an_empty_page_that_was_closed_is_done(pages):
    (pages / "a.html").write_text("")
    page = resume_page(pages / "a.html", pages / "a.anno", STANDARD)
    page.store.close((), 0)

    assert states(pages)["a"] == ("done", 0, 0)


def left(pages: Path) -> str:
    found = queued_pages(pages)
    return found[resume_number(found)].id


def test_work_begins_with_the_first_page(pages):
    assert left(pages) == "a"


def test_work_goes_on_with_the_page_that_was_left_last(pages):
    labeled(pages / "a.anno", [H, None], time=3_000)
    labeled(pages / "b.anno", [H, None], time=1_000)
    page = resume_page(pages / "sub/a.html", pages / "sub/a.anno", STANDARD)
    page.store.close(page.labels, 1)

    assert left(pages) == "sub/a"


@pytest.mark.parametrize(("last", "next"), [("a", "b"), ("sub/a", "sub/c"), ("z", "a")])
def test_work_goes_on_behind_a_page_that_is_done(pages, last, next):
    labeled(pages / f"{last}.anno", [H, P])

    assert left(pages) == next


def test_where_all_is_done_the_last_page_is_shown(pages):
    for time, entry in enumerate(queued_pages(pages), start=1):
        labeled(entry.anno, [H, P], time=9_000 - time)

    assert left(pages) == "a"
