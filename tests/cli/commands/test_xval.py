import json

import pytest


@pytest.fixture
def pages(annotations, tmp_path):
    """Six pages and the table that makes six sites of them."""
    table = tmp_path / "pages.tsv"
    table.write_text("".join(f"part-{number}\tletter\tsite-{number}\n" for number in range(6)))
    return [annotations, "--kinds", table]


@pytest.fixture
def xval(victor, small_config, pages):
    return lambda *words: victor("xval", *pages, "--config", small_config, "--folds", "3", "--jobs", "1", *words)


def test_the_original_s_table_is_printed_with_every_fold(xval):
    ran = xval("--format", "csv")

    head, *rows = [line for line in ran.out.splitlines() if not line.startswith("#")]
    assert (ran.status, ran.err) == (0, "")
    assert head == "figure,mean,sd,least,most,fold 1,fold 2,fold 3"
    assert [row.partition(",")[0] for row in rows] == ["accuracy", "content_accuracy", "markup_only", "text", "total"]
    assert float(rows[1].split(",")[1]) > 90


@pytest.mark.process
def test_the_same_command_gives_the_same_figures(xval):
    assert xval().out == xval("--jobs", "2").out


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "csv", "json", "latex", "markdown"])
def test_every_format_says_what_the_figures_come_from(xval, format):
    out = xval("--format", format, "--seed", "4").out

    assert "sha256:" in out
    assert "victorpy" in out


def test_facts_are_fields_of_json(xval):
    facts = json.loads(xval("--format", "json", "--seed", "4").out)["facts"]

    assert {name: facts[name] for name in ("seed", "folds", "pages", "texts")} == {
        "seed": 4,
        "folds": 3,
        "pages": 6,
        "texts": "gold labels, printed",
    }


def test_what_is_kept_is_not_done_again(xval, folder):
    first = xval("--folder", "kept")
    made = {path.name: path.stat().st_mtime_ns for path in folder.glob("kept/*/fold-*")}

    again = xval("--keep", "kept")

    assert again == first
    assert {path.name: path.stat().st_mtime_ns for path in folder.glob("kept/*/fold-*")} == made
    assert sorted(made) == ["fold-1.jsonl", "fold-2.jsonl", "fold-3.jsonl"]
    assert next(folder.glob("kept/*/scores.csv")).read_text().count("\npart-") == 6


def test_texts_that_people_wrote_can_be_the_measure(xval, folder):
    folder.joinpath("gold").mkdir()
    for number in range(6):
        folder.joinpath(f"gold/part-{number}.txt").write_text("<p> nothing of the kind here indeed")

    ran = xval("--gold", "gold", "--figures", "word_f1", "accuracy", "--format", "json")

    table = {row["figure"]: row["mean"] for row in json.loads(ran.out)["table"]}
    assert table["word_f1"] < 10
    assert table["accuracy"] > 90


def test_a_learning_curve_is_a_row_for_each_number_of_pages(xval, folder):
    ran = xval("--curve", "--sizes", "4,1", "--format", "csv", "--keep", "kept", "--output", "curve.csv")

    rows = [line for line in folder.joinpath("curve.csv").read_text().splitlines() if not line.startswith("#")]
    assert (ran.status, ran.out) == (0, "")
    assert rows[0] == "training pages,accuracy,content_accuracy,markup_only,text,total"
    assert [row.partition(",")[0] for row in rows[1:]] == ["1", "4"]
    assert sorted(path.name for path in folder.glob("kept/*/*")) == ["pages-1", "pages-4"]


def test_a_learning_curve_can_be_drawn(xval, folder):
    pytest.importorskip("matplotlib")

    assert xval("--curve", "--sizes", "1,4", "--plot", "curve.svg").status == 0
    assert "<svg" in folder.joinpath("curve.svg").read_text()


def test_confusion_and_thresholds_can_be_drawn(xval, folder):
    pytest.importorskip("matplotlib")

    assert xval("--confusion", "confusion.svg", "--thresholds", "thresholds.png").status == 0
    assert "<svg" in folder.joinpath("confusion.svg").read_text()
    assert folder.joinpath("thresholds.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("--curve", "--confusion", "x.png"), 2, "--confusion and --thresholds do not work with --curve"),
        (("--thresholds", "x.doc"), 2, "x.doc: expected the name of a plot to end in"),
        (("--folds", "9"), 2, "9 folds need 9 groups of pages"),
        (("--folds", "1"), 2, "expected at least 2 folds"),
        (("--sizes", "5"), 2, "--sizes and --plot need --curve"),
        (("--curve", "--sizes", "5,many"), 2, "expected whole numbers such as 5,10,20, got '5,many'"),
        (("--curve", "--sizes", "5"), 2, "expected from 1 to 4 training pages, got 5"),
        (("--curve", "--plot", "curve.doc"), 2, "curve.doc: expected the name of a plot to end in"),
        (("--gold", "gone"), 2, "gone: no such folder"),
        (("--kinds", "gone.tsv"), 2, "gone.tsv: no such file"),
        (("--config", "gone"), 2, "no config 'gone'"),
        (("--keep", "pages.tsv"), 1, "pages.tsv: cannot be written"),
        (("--figures", "beauty"), 2, "got 'beauty'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("folder")
def test_wrong_usage_is_told(xval, words, status, message):
    ran = xval(*words)

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_a_page_that_the_table_puts_into_two_groups_is_told(xval, tmp_path):
    with tmp_path.joinpath("pages.tsv").open("a") as table:
        table.write("part-0\tletter\tsite-5\n")

    ran = xval()

    assert (ran.status, ran.out) == (1, "")
    assert "pages.tsv:7: 'part-0' has another kind or group than in line 1" in ran.err


def test_pages_of_one_site_cannot_be_parted(victor, annotations):
    ran = victor("xval", annotations)

    assert (ran.status, ran.err) == (
        2,
        "victor: 6 folds need 6 groups of pages, but there is 1 group\n",
    )
