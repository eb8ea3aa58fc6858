import logging
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from victorpy.annotation.anno_files import (
    Annotation,
    Changes,
    annotation_of,
    dumps,
    labeled_page,
    loads,
    read,
    realigned,
    write,
)
from victorpy.annotation.realignment import realigned_flags
from victorpy.errors import UsageError, VictorError
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

HTML = "<title>Rain</title>\r\n<ul><li>Home</ul><h1>Rain</h1><p>It <b>pours</b> today.\n"
LABELS_OF_HTML = [OTHER, H, P, C, C]

BLOCK = Markup(mode="block")

# Half surrogates are among them.
ANY_TEXT = st.text(st.characters())
AWKWARD_TEXT = st.text(st.sampled_from("\\tnru09-#\t\r\n\x85\u2028\ud800\ufeff\0 ab"))
TEXTS = ANY_TEXT | AWKWARD_TEXT


def annotation() -> Annotation:
    page = segment(HTML, "rain", "https://weather.example/rain")
    return annotation_of(page, HTML, LABELS_OF_HTML, "mm")


@st.composite
def annotations(draw):
    blocks = draw(st.lists(st.tuples(TEXTS, st.sampled_from([*LABELS, None])), max_size=5))
    return Annotation(
        id=draw(TEXTS),
        url=draw(st.none() | TEXTS),
        title=draw(TEXTS),
        html=draw(TEXTS),
        texts=tuple(text for text, _ in blocks),
        labels=tuple(label for _, label in blocks),
        annotator=draw(TEXTS),
        segmenter=draw(st.integers(0, 99)),
        mode=draw(st.sampled_from(["victor", "block", "line"])),
    )


def test_an_annotation_is_a_line_for_each_block_and_then_the_page():
    lines = dumps(annotation()).split("\n")

    assert lines[0] == "#victorpy-anno 1"
    assert lines[7:] == [
        "other\tHome", "h\tRain", "p\tIt", "c\tpours", "c\ttoday.", "#html", *HTML.split("\n")
    ]  # fmt: skip


@given(annotations())
def test_whatever_is_written_is_read_back(annotation):
    assert loads(dumps(annotation)) == annotation


@given(annotations())
@settings(max_examples=30)
def test_whatever_is_written_to_a_file_is_read_back(tmp_path_factory, annotation):
    path = tmp_path_factory.mktemp("annotations") / "x.anno"

    write(annotation, path)

    assert read(path) == annotation


@given(annotations())
def test_texts_and_titles_cannot_break_out_of_their_line(annotation):
    head = dumps(annotation).partition("\n#html\n")[0]

    assert len(head.splitlines()) == 7 + (annotation.url is not None) - 1 + len(annotation.texts)


def test_html_keeps_its_line_ends_in_the_file(tmp_path):
    write(annotation(), tmp_path / "x.anno")

    assert (tmp_path / "x.anno").read_bytes().endswith(b"\n#html\n" + HTML.encode())


def test_writing_leaves_nothing_beside_the_file(tmp_path):
    write(annotation(), tmp_path / "x.anno")

    assert [path.name for path in tmp_path.iterdir()] == ["x.anno"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    write(annotation(), tmp_path / "x.anno")
    monkeypatch.setattr("victorpy.annotation.anno_files.dumps", lambda annotation: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        write(annotation(), tmp_path / "x.anno")

    assert read(tmp_path / "x.anno") == annotation()


def test_a_file_that_an_editor_saved_with_a_byte_order_mark_is_read(tmp_path):
    (tmp_path / "x.anno").write_bytes(b"\xef\xbb\xbf" + dumps(annotation()).encode())

    assert read(tmp_path / "x.anno") == annotation()


def test_labels_survive_an_editor_that_changes_all_line_ends():
    read_back = loads(re.sub("\r?\n", "\r\n", dumps(annotation())))

    assert read_back.labels == annotation().labels
    assert read_back.texts == annotation().texts


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param(
            "h\tRain",
            "q\tRain",
            "x.anno:9: expected a label (p, h, l, c, other, title,",
            id="label",
        ),
        pytest.param("h\tRain", "h Rain", "x.anno:9: expected a tab between a label and its text", id="tab"),
        pytest.param("It", r"C:\it", r"x.anno:10: unknown escape '\i'; write a backslash as '\\'", id="esc"),
        pytest.param("#title", "#tilte", "x.anno:4: expected one of #id:, #url:, #title:", id="header"),
        pytest.param(
            "#victorpy-anno 1\n",
            "",
            "x.anno:1: not an annotation: expected '#victorpy-anno 1'",
            id="no header",
        ),
        pytest.param("-anno 1", "-anno 2", "x.anno:1: format version 2 is newer than", id="newer"),
        pytest.param("#html\n", "", "x.anno: no line '#html'", id="no html"),
        pytest.param("2 victor", "2 words", "x.anno: '#segmenter: 2 words': expected a version and a mode", id="mode"),
        pytest.param("#segmenter: 2 victor\n", "", "x.anno: no line '#segmenter:'", id="no segmenter"),
        pytest.param("2 victor", "9" * 5_000 + " victor", "x.anno: '#segmenter: 999", id="no version"),
        pytest.param("-anno 1", "-anno " + "9" * 5_000, "x.anno:1: not an annotation", id="no format"),
    ],
)
def test_a_broken_file_says_where_it_is_broken(old, new, message):
    broken = dumps(annotation()).replace(old, new, 1)

    with pytest.raises(VictorError, match=f"^{re.escape(message)}"):
        loads(broken, "x.anno")


def test_a_file_that_is_not_utf8_says_on_which_line(tmp_path):
    (tmp_path / "x.anno").write_bytes(b"#victorpy-anno 1\np\tcaf\xe9\n#html\n")

    with pytest.raises(VictorError, match=r"x\.anno:2: not UTF-8"):
        read(tmp_path / "x.anno")


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path):
    with pytest.raises(UsageError, match="No such file"):
        read(tmp_path / "x.anno")


def test_html_that_has_changed_is_told_but_read(caplog):
    with caplog.at_level(logging.WARNING, "victorpy"):
        changed = loads(dumps(annotation()) + "<p>More", "x.anno")

    assert changed.html == HTML + "<p>More"
    assert caplog.messages == ["x.anno: the HTML has changed since it was annotated"]


def test_the_same_segmentation_gives_the_labels_as_they_are():
    page, labels, changes = labeled_page(annotation(), Markup())

    assert (page.id, page.url, page.title) == ("rain", "https://weather.example/rain", "Rain")
    assert labels == LABELS_OF_HTML
    assert changes == Changes(kept=5)
    assert changes.is_none


def test_a_paragraph_of_block_mode_goes_on_as_continuations():
    whole = annotation_of(segment(HTML, markup=BLOCK), HTML, [OTHER, H, P])

    _, labels, changes = labeled_page(whole, Markup())

    assert labels == [OTHER, H, P, C, C]
    assert str(changes) == "blocks: 2 kept, 3 split from longer ones"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ([P, C, C], P),
        ([OTHER, P, C], P),
        ([OTHER, OTHER, L], L),
        ([OTHER, OTHER, OTHER], OTHER),
        ([OTHER, None, OTHER], None),
        ([None, H, C], H),
    ],
)
def test_a_block_of_several_gets_their_first_content_label(old, new):
    _, labels, changes = labeled_page(annotation_of(segment(HTML), HTML, [OTHER, H, *old]), BLOCK)

    assert labels == [OTHER, H, new]
    assert (changes.kept, changes.merged) == (2, 1)


def test_noise_that_is_split_stays_noise():
    whole = annotation_of(segment(HTML, markup=BLOCK), HTML, [OTHER, OTHER, OTHER])

    assert labeled_page(whole, Markup())[1] == [OTHER] * 5


def test_labels_go_back_and_forth_between_the_modes():
    there, labels, _ = labeled_page(annotation(), BLOCK)
    back = labeled_page(annotation_of(there, HTML, labels), Markup())

    assert back[1] == LABELS_OF_HTML


STORY = "<p>Snow fell on the hills before dawn.<footer>Read more</footer><p>By noon the roads were clear again."
WITHOUT_FOOTERS = Markup(tag_delete=(*Markup().tag_delete, "footer"))


def test_blocks_that_are_deleted_today_are_lost_by_name():
    _, labels, changes = labeled_page(annotation_of(segment(STORY), STORY, [P, OTHER, H]), WITHOUT_FOOTERS)

    assert labels == [P, H]
    assert changes == Changes(kept=2, lost=("Read more",))
    assert str(changes) == "blocks: 2 kept, 1 lost: 'Read more'"


def test_blocks_that_nobody_has_seen_yet_are_not_labelled():
    page = segment(STORY, markup=WITHOUT_FOOTERS)

    _, labels, changes = labeled_page(annotation_of(page, STORY, [P, H]), Markup())

    assert labels == [P, None, H]
    assert str(changes) == "blocks: 2 kept, 1 new and not labelled"


def test_repeated_texts_keep_their_places():
    old = ["Reply", "First comment of the evening, and a long one", "Reply", "Second comment, no shorter", "Reply"]

    labels, _ = realigned(old, [OTHER, P, L, P, H], ["New here", *old[1:]])

    assert labels == [None, P, L, P, H]


def test_a_word_that_moved_over_a_border_changes_no_label():
    labels, _ = realigned(["Home Rain", "falls in the north"], [OTHER, P], ["Home", "Rain falls in the north"])

    assert labels == [OTHER, P]


@given(st.lists(st.text("ab ", min_size=1), max_size=12), st.data())
def test_any_other_borders_in_the_same_text_leave_no_block_unlabelled(pieces, data):
    texts = [piece for piece in ("".join(piece.split()) for piece in pieces) if piece]
    whole = "".join(texts)
    borders = sorted(data.draw(st.sets(st.integers(1, max(1, len(whole) - 1)), max_size=8)))
    today = [whole[a:b] for a, b in zip([0, *borders], [*borders, len(whole)], strict=True) if whole[a:b]]

    labels, changes = realigned(texts, [OTHER] * len(texts), today)

    assert labels == [OTHER] * len(today)
    assert not changes.lost
    assert len(today) == changes.kept + changes.split + changes.merged + changes.new


@given(st.lists(st.text("abc de", max_size=9), max_size=9), st.lists(st.text("abc de", max_size=9), max_size=9))
def test_any_two_pages_align_somehow(old, today):
    labels, changes = realigned(old, [P] * len(old), today)

    assert len(labels) == len(today)
    assert len(changes.lost) <= len(old)
    assert "\n" not in str(changes)


@pytest.mark.parametrize(
    "edit", [lambda text: text + "\n", lambda text: text.replace("\n", "\r\n")], ids=["newline", "crlf"]
)
def test_line_ends_of_an_editor_are_no_change_of_the_page(edit, caplog):
    html = "<p>one\n<p>two"
    text = dumps(annotation_of(segment(html), html, [Label.PARAGRAPH, Label.OTHER]))

    assert loads(edit(text)).labels == (Label.PARAGRAPH, Label.OTHER)
    assert not caplog.records


def test_fields_of_posts_are_kept_and_read_as_their_bases_by_those_who_do_not_know_them():
    fields = [Label.AUTHOR, Label.TITLE, Label.COMMENT, C, C]
    known = loads(dumps(annotation_of(segment(HTML), HTML, fields)))

    assert list(known.labels) == fields
    assert labeled_page(known, Markup())[1] == [OTHER, H, P, C, C]
    assert labeled_page(known, Markup(), (*LABELS, Label.TITLE))[1] == [OTHER, Label.TITLE, P, C, C]


@pytest.mark.parametrize(
    ("labels", "today", "found"),
    [
        pytest.param([Label.DATE], ["May 3,", "2024"], [Label.DATE, Label.DATE], id="a date split"),
        pytest.param([Label.TITLE], ["May 3,", "2024"], [Label.TITLE, C], id="a title split"),
    ],
)
def test_fields_go_with_their_text(labels, today, found):
    assert realigned(["May 3, 2024"], labels, today)[0] == found


def test_a_date_merged_with_noise_is_still_one():
    assert realigned(["on", "May 3, 2024"], [OTHER, Label.DATE], ["on May 3, 2024"])[0] == [Label.DATE]


def test_flags_stand_behind_their_blocks(tmp_path):
    page = segment("<p>one<p>two<p>three", "x")
    written = annotation_of(page, "<p>one<p>two<p>three", [None] * 3, flags={2: "", 0: "a\nnote"})

    write(written, tmp_path / "x.anno")

    assert "-\tone\n#flag: a\\nnote\n-\ttwo\n-\tthree\n#flag:\n#html\n" in (tmp_path / "x.anno").read_text()
    assert read(tmp_path / "x.anno") == written


def test_a_flag_without_a_block_is_an_error():
    with pytest.raises(VictorError, match=r"x\.anno:3: a flag stands behind the line of its block"):
        loads("#victorpy-anno 1\n#segmenter: 2 victor\n#flag: x\n#html\n<p>one", "x.anno")


def test_flags_go_with_their_texts_when_blocks_change():
    assert realigned_flags(["a", "b", "c"], {1: "note", 2: ""}, ["new", "a", "b"]) == {2: "note"}
