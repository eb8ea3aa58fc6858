import json
import shutil
from pathlib import Path

import pytest

from victorpy.annotation.anno_files import read, write


@pytest.fixture
def two(folder, annotations):
    """Two folders: in b page part-1 has another label, part-2 one less, part-3 another name, and part-4 is gone."""
    for name in "ab":
        shutil.copytree(annotations, folder / name)
    change(folder / "b" / "part-1.anno", "h\tLetters", "p\tLetters")
    change(folder / "b" / "part-2.anno", "l\ta lantern", "-\ta lantern")
    folder.joinpath("b", "part-3.anno").rename(folder / "b" / "third.anno")
    folder.joinpath("b", "part-4.anno").unlink()
    return "a", "b"


def change(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_two_folders_are_compared_page_by_page(victor, two):
    ran = victor("agree", *two)

    assert ran.status == 0
    assert ran.err == "victor: a: 1 pages that the other annotator does not have are left out: part-4\n"
    for title in ("Agreement\n", "Agreement on all labels, page by page\n", "Labels of A (rows) and B, blocks\n"):
        assert title in ran.out
    assert "Blocks on which they disagree\npage    block  A  B  text\n" in ran.out
    assert " ".join(ran.out.splitlines()[-1].split()) == "part-1 2 h p Letters from the harbour, part 1"


def test_the_tables_go_into_json_with_what_they_depend_on(victor, two, folder):
    assert victor("agree", *two, "-f", "json", "-o", "result.json", "-q").status == 0

    found = json.loads(folder.joinpath("result.json").read_text())
    assert list(found) == ["facts", "agreement", "pages", "confusion", "disagreements"]
    assert (found["facts"]["A"], found["facts"]["B"], found["facts"]["pages"]) == ("a", "b", 5)
    assert [row["page"] for row in found["pages"]] == ["part-0", "part-1", "part-2", "part-3", "part-5"]
    first = found["agreement"][0]
    assert (first["distinction"], first["weight"], first["units"]) == ("all labels", "blocks", 49)
    assert first["observed"] == pytest.approx(48 / 49)
    assert [row["block"] for row in found["disagreements"]] == [2]


def test_two_files_are_compared(victor, two):
    ran = victor("agree", "a/part-1.anno", "b/part-1.anno", "-t", "confusion", "--weight", "words", "-f", "json")

    header = next(row for row in json.loads(ran.out)["confusion"] if row["A \\ B"] == "h")
    assert (header["p"], header["h"]) == (6, 0)


def test_what_has_no_value_is_empty_and_told(victor, two, folder):
    annotation = read("b/part-0.anno")
    write(
        annotation.__class__(**{**vars(annotation), "labels": (None,) * len(annotation.labels)}), folder / "empty.anno"
    )

    ran = victor("agree", "a/part-0.anno", "empty.anno", "-t", "pages", "-f", "json")

    assert (ran.status, ran.err) == (0, "")
    [row] = json.loads(ran.out)["pages"]
    assert row == {
        "page": "part-0",
        "units": 0,
        "observed": None,
        "kappa": None,
        "alpha": None,
        "why not": "no block has two labels",
    }


def test_pages_cut_otherwise_are_paired_by_text_and_named(victor, two):
    change(Path("b/part-0.anno"), "h\tLetters from the harbour", "h\tLetters from\nc\tthe harbour")

    ran = victor("agree", "a/part-0.anno", "b/part-0.anno", "-t", "disagreements", "-f", "csv")

    assert ran.status == 0
    assert (
        "a/part-0.anno and b/part-0.anno have different blocks, paired by their texts: blocks: 9 kept, 1 merged"
        in ran.err
    )
    assert ran.out.endswith("\npage,block,A,B,text\n")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("a",), 2, "the following arguments are required: B"),
        (("a", "gone"), 2, "gone: no such file or folder"),
        (("a", "a/part-0.anno"), 2, "a, a/part-0.anno: expected two files or two folders, got a file and a folder"),
        (("a", "none"), 2, "none: no pages in this folder"),
        (("a/part-0.anno", "page.html"), 1, "page.html:1: not an annotation"),
        (
            ("a/part-0.anno", "other.anno"),
            1,
            "a/part-0.anno: not the same page: no block in common with other.anno",
        ),
        (("a", "others"), 2, "a: no page here has the name or the id of a page in others, such as x"),
        (("a", "b"), 2, "csv holds one table, got 4"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("two")
def test_what_cannot_be_compared_is_told(victor, folder, words, status, message):
    folder.joinpath("none").mkdir()
    folder.joinpath("page.html").write_text("<p>one")
    folder.joinpath("other.anno").write_text("#victorpy-anno 1\n#segmenter: 1 victor\np\tsomething else\n#html\n")
    folder.joinpath("others").mkdir()
    shutil.copy("other.anno", "others/x.anno")

    ran = victor("agree", *words, "-q", "-f", "csv")

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
