"""What is on disk, whatever happens: the store as functions, full disks, kills, and two at once."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from full_disks import full_disk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import victorpy
from victorpy.annotation.anno_files import annotation_of, labeled_page, read, write
from victorpy.annotator.label_store import ResumedPage, StoreError, journal_of, resume_page
from victorpy.errors import VictorError
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD, Markup
from victorpy.page.segment import segment

P, H, L, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.OTHER

HTML = "<title>Rain</title><h1>Rain</h1><p>It pours.<ul><li>a hat<li>a coat</ul><p>Come home."
ANNO, JOURNAL = Path("page.anno"), Path(".page.anno.journal")


@pytest.fixture(autouse=True)
def html(folder) -> Path:
    """page.html with five blocks, where the user stands."""
    Path("page.html").write_text(HTML)
    return Path("page.html")


def opened(anno: Path = ANNO, source: Path | None = Path("page.html"), markup: Markup = STANDARD) -> ResumedPage:
    return resume_page(source, anno, markup)


def killed(page: ResumedPage) -> None:
    """Ends a session as a kill does: nothing more is written, and the lock is free."""
    page.store.abandon()


def labels_left(*records: tuple[int, list[Label | None]]) -> None:
    """A session that gave these labels and was killed."""
    page = opened()
    for first, labels in records:
        page.store.record(first, labels, first + len(labels))
    killed(page)


def names() -> list[str]:
    return sorted(os.listdir())


def test_a_fresh_page_has_no_labels_and_begins_at_the_top():
    page = opened()

    assert page.page.texts == ["Rain", "It pours.", "a hat", "a coat", "Come home."]
    assert (page.labels, page.cursor, page.messages) == ((None,) * 5, 0, [])
    assert page.html == HTML


def test_a_page_that_was_only_looked_at_leaves_nothing_behind():
    page = opened()

    page.store.close(page.labels, 0)

    assert names() == ["page.html"]


def test_a_page_that_is_labeled_to_its_end_leaves_its_file_alone():
    page = opened()
    page.store.record(0, [H, P, L, L, P], 4)

    page.store.close([H, P, L, L, P], 4)

    assert names() == ["page.anno", "page.html"]
    assert read(ANNO).labels == (H, P, L, L, P)
    assert read(ANNO).html == HTML


def test_who_leaves_in_the_middle_comes_back_to_the_same_block():
    page = opened()
    page.store.record(0, [H, P], 2)
    page.store.move(3)
    page.store.close([H, P, None, None, None], 3)

    again = opened()

    assert (again.labels, again.cursor, again.messages) == ((H, P, None, None, None), 3, [])


def test_the_annotator_is_named_in_the_file_and_stays_named():
    page = resume_page(Path("page.html"), ANNO, STANDARD, "mm")
    page.store.close([H, P, L, L, P], 4)
    page = opened()
    page.store.close([H, P, L, L, OTHER], 4)

    assert read(ANNO).annotator == "mm"


def test_what_a_killed_session_recorded_comes_back():
    labels_left((0, [H]), (1, [P, L, L]), (1, [None]))

    page = opened()

    assert (page.labels, page.cursor) == ((H, None, L, L, None), 2)
    assert page.messages == ["recovered 3 labels from .page.anno.journal"]


def test_what_came_back_once_comes_back_after_the_next_kill():
    labels_left((0, [H]))
    labels_left((1, [P]))

    assert opened().labels == (H, P, None, None, None)


def test_a_change_of_a_saved_page_comes_back():
    page = opened()
    page.store.save([H, P, None, None, None], 2)
    page.store.record(1, [OTHER], 2)
    killed(page)

    assert opened().labels == (H, OTHER, None, None, None)
    assert read(ANNO).labels == (H, P, None, None, None)


def test_a_saved_file_is_whole_while_the_session_goes_on():
    page = opened()
    page.store.record(0, [H], 1)

    page.store.save([H, None, None, None, None], 1)

    assert read(ANNO) == annotation_of(page.page, HTML, [H, None, None, None, None])


def test_a_kill_between_the_file_and_its_journal_loses_nothing_and_says_nothing():
    page = opened()
    page.store.record(0, [H, P], 2)
    killed(page)
    write(annotation_of(page.page, HTML, [H, P, None, None, None]), ANNO)

    again = opened()

    assert (again.labels, again.cursor, again.messages) == ((H, P, None, None, None), 2, [])


@pytest.mark.parametrize("cut", range(1, 14))
def test_a_line_that_was_cut_off_is_as_if_its_key_had_not_been_pressed(cut):
    labels_left((0, [H]), (1, [P, P]))
    JOURNAL.write_bytes(JOURNAL.read_bytes()[:-cut])

    page = opened()

    assert page.labels == (H, None, None, None, None)
    page.store.record(1, [L], 2)
    killed(page)
    assert opened().labels == (H, L, None, None, None)


@pytest.mark.parametrize("broken", [b"\0\0\0\n", b'[3,["p","p","p"],1]\n', b'[1,["q"],1]\n', b"7\n", b"{}\n"])
def test_a_damaged_journal_is_read_up_to_there_and_kept(broken):
    labels_left((0, [H]))
    damaged = JOURNAL.read_bytes() + broken + b'[1,["p"],2]\n'
    JOURNAL.write_bytes(damaged)

    page = opened()

    assert page.labels == (H, None, None, None, None)
    assert "the journal is kept as page.anno.journal.kept-1" in page.messages
    assert Path("page.anno.journal.kept-1").read_bytes() == damaged


ENDLESS = b'{"victorpy-journal":1,"base":"","process":1e400,"texts":[],"labels":[],"cursor":0}\n'

TEXTLESS = b'{"victorpy-journal":1,"base":"","process":1,"texts":[1],"labels":["p"],"cursor":0}\n'


@pytest.mark.parametrize(
    "content",
    [
        ENDLESS,
        TEXTLESS,
        b"what is this?\n",
        b'{"victorpy-journal":2}\n',
        b"[]\n",
        b"[" * 100_000 + b"\n",
        b'{"victorpy',
    ],
)
def test_a_journal_that_nobody_can_read_is_kept(content):
    JOURNAL.write_bytes(content)

    page = opened()

    assert page.messages == ["the journal cannot be read; it is kept as page.anno.journal.kept-1"]
    assert Path("page.anno.journal.kept-1").read_bytes() == content


def test_an_empty_journal_of_a_process_killed_at_once_is_no_news():
    JOURNAL.touch()

    assert opened().messages == []


def test_a_journal_of_a_file_that_was_edited_is_merged_and_kept():
    page = opened()
    page.store.save([H, P, None, None, None], 2)
    page.store.record(1, [OTHER], 2)
    page.store.record(2, [L, L], 4)
    killed(page)
    ANNO.write_text(
        ANNO.read_text().replace("p\tIt", "l\tIt").replace("-\tCome", "p\tCome").replace("-\ta c", "h\ta c")
    )

    again = opened()

    assert again.labels == (H, L, L, H, P)
    assert again.messages == [
        "recovered 1 labels from .page.anno.journal",
        "page.anno was changed meanwhile",
        "2 labels of the journal did not fit",
        "the journal is kept as page.anno.journal.kept-1",
    ]


def test_a_journal_of_a_page_that_changed_finds_its_blocks_by_their_text(html):
    labels_left((0, [H, P, L]))
    html.write_text(HTML.replace("<h1>", "<div>News</div><h1>").replace("<li>a hat", ""))

    page = opened()

    assert page.page.texts == ["News", "Rain", "It pours.", "a coat", "Come home."]
    assert page.labels == (None, H, P, None, None)
    assert page.cursor == 3
    assert "1 labels of the journal did not fit" in page.messages
    assert Path("page.anno.journal.kept-1").exists()


def test_a_file_that_somebody_edits_while_it_is_open_is_not_overwritten_unkept():
    page = opened()
    page.store.save([H, None, None, None, None], 1)
    ANNO.write_text(ANNO.read_text().replace("-\tCome", "p\tCome"))

    message = page.store.save([H, P, None, None, None], 2)

    assert message == "the previous page.anno is kept as page.anno.kept-1"
    assert read("page.anno.kept-1").labels == (H, None, None, None, P)
    assert read(ANNO).labels == (H, P, None, None, None)


def test_a_file_that_somebody_removed_is_written_again():
    page = opened()
    page.store.save([H, None, None, None, None], 1)
    ANNO.unlink()

    page.store.close([H, None, None, None, None], 1)

    assert read(ANNO).labels == (H, None, None, None, None)


def test_a_save_that_has_to_be_tried_again_keeps_the_other_file_once():
    page = opened()
    page.store.save([H, None, None, None, None], 1)
    ANNO.write_text(ANNO.read_text().replace("-\tCome", "p\tCome"))
    with full_disk(ANNO.stat().st_size), pytest.raises(StoreError):
        page.store.save([OTHER] * 5, 2)  # longer than the other

    message = page.store.close([OTHER] * 5, 2)

    assert message == "the previous page.anno is kept as page.anno.kept-1"
    assert names() == ["page.anno", "page.anno.kept-1", "page.html"]


def test_a_read_only_file_is_not_written_over(monkeypatch):
    write(annotation_of(segment(HTML), HTML, [H, P, L, L, P]), ANNO)
    monkeypatch.setattr(os, "access", lambda path, mode: False)

    with pytest.raises(StoreError, match=r"page\.anno: is read-only"):
        opened()


def test_a_file_that_was_cut_otherwise_is_kept_when_it_is_first_written():
    other = Markup(tag_delete=(*STANDARD.tag_delete, "li"))
    write(annotation_of(segment(HTML, markup=other), HTML, [H, P, P]), ANNO)
    old = ANNO.read_bytes()

    page = opened()
    page.store.save([H, P, L, L, P], 4)

    assert page.labels == (H, P, None, None, P)
    assert page.messages == ["page.anno: segmented again; blocks: 3 kept, 2 new and not labelled"]
    assert Path("page.anno.kept-1").read_bytes() == old


def test_a_file_keeps_its_mode_of_blocks_whatever_the_config_says():
    block = Markup(mode="block")
    write(annotation_of(segment("<p>It <b>pours</b>", markup=block), "<p>It <b>pours</b>", [P]), ANNO)

    page = opened(source=None)

    assert page.page.texts == ["It pours"]
    assert page.labels == (P,)


def test_a_page_that_differs_from_the_annotated_one_gives_a_message(html):
    write(annotation_of(segment(HTML), HTML, [H, P, L, L, P]), ANNO)
    html.write_text(HTML + "<p>More")

    page = opened()

    assert page.labels == (H, P, L, L, P)
    assert page.messages == ["page.html has changed since; this is the page in page.anno"]


@pytest.mark.parametrize(
    ("change", "message"),
    [(Path.unlink, []), (lambda html: html.write_bytes(bytes(range(256))), ["page.html: not a text: binary data"])],
    ids=["gone", "broken"],
)
def test_an_annotation_needs_no_page_beside_it(html, change, message):
    write(annotation_of(segment(HTML), HTML, [H, P, L, L, P]), ANNO)
    change(html)

    page = opened()

    assert (page.labels, page.messages) == ((H, P, L, L, P), message)


@pytest.mark.parametrize("empty", ["", "<p> </p>"])
def test_an_empty_page_says_so_and_is_done(html, empty):
    html.write_text(empty)

    page = opened()
    page.store.close(page.labels, page.cursor)

    assert (page.labels, page.cursor) == ((), 0)
    assert page.messages == ["page.html: the page has no text, so there is nothing to label"]
    assert labeled_page(read(ANNO), STANDARD)[1] == []


def test_an_annotation_given_as_the_page_is_labeled_from_scratch():
    write(annotation_of(segment(HTML, "rain", "https://weather.example"), HTML, [H, P, L, L, P]), Path("one.anno"))

    page = opened(source=Path("one.anno"))
    page.store.close([P] * 5, 4)

    assert page.labels == (None,) * 5
    assert (page.page.id, page.page.url) == ("rain", "https://weather.example")
    assert opened(source=Path("one.anno")).messages == []


def refused(source: str | None, anno: str) -> str:
    with pytest.raises(VictorError) as error:
        resume_page(Path(source) if source else None, Path(anno), STANDARD)
    assert JOURNAL not in Path().iterdir()
    return f"{type(error.value).__name__}: {error.value}".replace(os.getcwd(), ".")


@pytest.mark.parametrize(
    ("source", "anno", "message"),
    [
        pytest.param("none.html", "page.anno", "UsageError: none.html: no such file", id="no page"),
        pytest.param(None, "page.anno", "UsageError: ./page.anno: no such file", id="no annotation"),
        pytest.param("sub", "page.anno", "UsageError: sub: a folder, not a page", id="a folder"),
        pytest.param("binary.html", "page.anno", "VictorError: binary.html: not a text: binary data", id="binary"),
        pytest.param("page.html", "page.html", "VictorError: ./page.html:1: not an annotation", id="a page as anno"),
        pytest.param("page.html", "binary.html/x.anno", "StoreError: ./binary.html/", id="a file as folder"),
        pytest.param("page.html", "/proc/x.anno", "StoreError: /proc/.x.anno.journal: cannot be wr", id="unwritable"),
    ],
)
def test_what_cannot_be_labeled_says_why_and_leaves_nothing(source, anno, message):
    Path("sub").mkdir()
    Path("binary.html").write_bytes(bytes(range(256)) * 9)

    assert refused(source, anno).startswith(message)


def test_the_folder_of_the_labels_is_made():
    page = opened(Path("labels/mine/page.anno"))
    page.store.close([H, P, L, L, P], 4)

    assert read("labels/mine/page.anno").labels == (H, P, L, L, P)


def test_a_linked_file_is_written_where_it_is_and_has_one_journal():
    Path("real").mkdir()
    ANNO.symlink_to("real/page.anno")
    page = opened()

    with pytest.raises(StoreError, match="another victor"):
        opened(Path("real/page.anno"))
    page.store.close([H, P, L, L, P], 4)

    assert ANNO.is_symlink()
    assert os.listdir("real") == ["page.anno"]


def test_the_user_may_go_to_another_folder_meanwhile(monkeypatch):
    page = opened()
    Path("sub").mkdir()
    monkeypatch.chdir("sub")

    page.store.record(0, [H], 1)
    page.store.close([H, None, None, None, None], 1)

    assert read("../page.anno").labels[0] is H
    assert names() == []


@pytest.mark.parametrize("room", [0, 1, 5, 9])
def test_a_full_disk_is_told_and_the_next_record_writes_what_is_missing(room):
    page = opened()
    page.store.record(0, [H], 1)
    with full_disk(JOURNAL.stat().st_size + room):
        with pytest.raises(StoreError, match=r"cannot be written: .* \(make room\); new labels are in memory"):
            page.store.record(1, [P], 2)
        with pytest.raises(StoreError):
            page.store.record(2, [L], 3)
        page.store.move(4)

    page.store.record(3, [L], 4)
    killed(page)

    assert opened().labels == (H, P, L, L, None)


def test_what_was_recorded_before_the_disk_was_full_comes_back():
    page = opened()
    page.store.record(0, [H], 1)
    with full_disk(JOURNAL.stat().st_size + 5), pytest.raises(StoreError):
        page.store.record(1, [P], 2)
    killed(page)

    assert opened().labels == (H, None, None, None, None)


def test_a_save_on_a_full_disk_leaves_the_old_file_and_the_journal():
    page = opened()
    page.store.save([H, None, None, None, None], 1)
    page.store.record(1, [P], 2)
    with full_disk(10), pytest.raises(StoreError, match=r"page\.anno: cannot be written: .*make room"):
        page.store.close([H, P, None, None, None], 2)
    assert read(ANNO).labels == (H, None, None, None, None)

    page.store.record(2, [L], 3)
    killed(page)

    assert opened().labels == (H, P, L, None, None)
    assert not list(Path().glob("*.part"))


def test_a_save_that_fails_says_what_is_in_the_journal():
    page = opened()
    page.store.record(0, [H], 1)
    with full_disk(10), pytest.raises(StoreError, match="nothing is lost: the journal has all labels"):
        page.store.save([H, None, None, None, None], 1)
    with full_disk(10), suppress(StoreError):
        page.store.record(1, [P], 2)
    with full_disk(10), pytest.raises(StoreError, match="new labels are in memory only"):
        page.store.save([H, P, None, None, None], 2)


def test_a_save_whose_journal_no_longer_fits_keeps_what_follows(monkeypatch):
    page = opened()
    page.store.record(0, [H], 1)
    with monkeypatch.context() as patches, pytest.raises(StoreError, match="journal: cannot be written"):
        patches.setattr(page.store, "_replace_journal", lambda content: os.write(-1, b""))
        page.store.save([P, None, None, None, None], 1)

    page.store.record(0, [L], 1)
    killed(page)

    assert opened().labels == (L, None, None, None, None)


def test_no_room_at_the_start_is_told_at_once_and_nothing_is_touched():
    labels_left((0, [H]))
    before = JOURNAL.read_bytes()

    with full_disk(10), pytest.raises(StoreError, match="nothing is lost"):
        opened()

    assert JOURNAL.read_bytes() == before
    assert opened().labels[0] is H


def test_a_folder_that_is_gone_is_told_and_written_again_when_it_is_back():
    page = opened(Path("sub/page.anno"))
    page.store.record(0, [H], 1)
    journal_of(Path("sub/page.anno")).unlink()
    Path("sub").rmdir()
    with pytest.raises(StoreError, match="bring its folder back"):
        page.store.record(1, [P], 2)

    Path("sub").mkdir()
    page.store.record(2, [L], 3)
    killed(page)

    assert opened(Path("sub/page.anno")).labels == (H, P, L, None, None)


def test_a_journal_that_somebody_removed_is_written_again():
    page = opened()
    page.store.record(0, [H], 1)
    JOURNAL.unlink()

    page.store.record(1, [P], 2)
    killed(page)

    assert opened().labels == (H, P, None, None, None)


CHILD = """
import sys
from pathlib import Path
from victorpy.annotator.label_store import resume_page
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD

opened = resume_page(Path("page.html"), Path("page.anno"), STANDARD)
labels = list(opened.labels)
for number in range(10 ** 6):
    block, label = number % len(labels), list(Label)[number % 5]
    labels[block] = label
    opened.store.record(block, [label], block)
    if number % 7 == 6:
        opened.store.save(labels, block)
    print(number, flush=True)
"""


@pytest.fixture
def child() -> Iterator[subprocess.Popen[str]]:
    """Another process that labels page.html, one block after the other, and says the number of each key."""
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    command = [sys.executable, "-P", "-c", CHILD]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def after(keys: int) -> list[Label | None]:
    """The labels after so many keys of the child."""
    labels: list[Label | None] = [None] * 5
    for number in range(keys):
        labels[number % 5] = list(Label)[number % 5]
    return labels


@pytest.mark.process
@pytest.mark.parametrize("keys", [1, 3, 6, 7, 20])
def test_a_kill_loses_no_key_that_was_acknowledged(child, keys):
    while int(child.stdout.readline()) < keys - 1:
        pass
    child.send_signal(signal.SIGKILL)
    last = int((child.stdout.read().split() or [keys - 1])[-1])

    page = opened()

    assert list(page.labels) in (after(last + 1), after(last + 2))
    if ANNO.exists():
        read(ANNO)


@pytest.mark.process
def test_a_second_instance_is_refused_with_the_process_that_has_the_file(child):
    child.stdout.readline()

    with pytest.raises(StoreError, match=rf"page\.anno: is being labeled by another victor \(process {child.pid}\)"):
        opened()


@pytest.mark.process
def test_another_page_of_the_folder_may_be_labeled_at_the_same_time(child):
    child.stdout.readline()

    assert opened(Path("other.anno")).messages == []


def test_a_journal_is_text_with_a_line_for_each_change():
    page = opened()
    page.store.record(0, [H, P], 2)
    page.store.move(4)

    first, *lines = JOURNAL.read_text("utf-8").splitlines()

    assert re.match(r'\{"victorpy-journal":1,"base":"sha256:[0-9a-f]{64}","process":\d+,', first)
    assert lines == ['[0,["h","p"],2]', "[4,[],4]"]


def test_texts_with_half_surrogates_and_line_ends_survive_the_journal(html):
    html.write_bytes(b"<meta charset=utf-8><p>\xed\xa0\x80 one &#x2028; two<p>\xc4\x8dau")
    labels_left((0, [P, H]))

    assert opened().labels == (P, H)


LABEL = st.sampled_from([*Label, None])
STEP = st.one_of(
    st.tuples(st.just("record"), st.integers(0, 3), st.lists(LABEL, min_size=1, max_size=2)),
    st.tuples(st.sampled_from(["save", "close", "kill"])),
    st.tuples(st.just("full"), st.integers(-400, 40), st.lists(LABEL, min_size=5, max_size=5)),
)


@given(st.lists(STEP, max_size=8))
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_happens_in_whatever_order_the_last_labels_come_back(steps):
    for left in (ANNO, JOURNAL):
        left.unlink(missing_ok=True)
    page, labels = opened(), [None] * 5
    for name, *details in steps:
        if name == "record":
            first, given = details
            labels[first : first + len(given)] = given
            page.store.record(first, given, first)
        elif name == "full":
            room, labels = details[0], list(details[1])
            with full_disk(max(0, JOURNAL.stat().st_size + room)):
                with suppress(StoreError):
                    page.store.record(0, labels, 0)
                with suppress(StoreError):
                    page.store.save(labels, 0)
            page.store.record(4, [], 4)
        elif name == "save":
            page.store.save(labels, 1)
        else:
            page.store.close(labels, 1) if name == "close" else killed(page)
            page = opened()
            assert list(page.labels) == labels
    killed(page)

    again = opened()
    killed(again)
    assert list(again.labels) == labels
    assert names() in (["page.html", JOURNAL.name][::-1], [JOURNAL.name, "page.anno", "page.html"])


def test_fields_of_posts_come_back_after_a_kill():
    labels_left((0, [Label.TITLE, Label.DATE]))

    assert opened().labels[:3] == (Label.TITLE, Label.DATE, None)


# Flags


def test_flags_survive_a_kill_and_are_in_the_file_afterwards():
    page = opened()
    page.store.flag(1, "is this a caption?")
    page.store.flag(2, "")
    page.store.flag(2, None)
    killed(page)

    again = opened()
    assert again.flags == {1: "is this a caption?"}
    again.store.close(again.labels, 0)
    assert read(ANNO).flags == {1: "is this a caption?"}
    assert "\n-\tIt pours.\n#flag: is this a caption?\n" in ANNO.read_text()


def test_a_flag_that_is_removed_is_gone_after_a_kill():
    page = opened()
    page.store.flag(3, "")
    page.store.save([None] * 5, 0)
    page.store.flag(3, None)
    killed(page)

    assert opened().flags == {}
