import csv
import io
import json
from pathlib import Path

import pytest

from victorpy.evaluation.report import FORMATS
from victorpy.evaluation.scoring import FIGURES


@pytest.fixture
def evaluate(victor):
    return lambda *words: victor("evaluate", "--jobs", 1, *words)


@pytest.fixture
def folders(folder):
    """Texts: a is right, b has too much, c too little."""
    texts = {
        "printed": {"a": "<h> Ferry times", "b": "<p> Home\n<p> She leaves at seven.", "c": "<p> a lantern"},
        "gold": {"a": "<h> Ferry times", "b": "<p> She leaves at seven.", "c": "<l> a lantern\n<l> some oil"},
    }
    for name, contents in texts.items():
        folder.joinpath(name).mkdir()
        for id, text in contents.items():
            folder.joinpath(name, f"{id}.txt").write_text(text)
    folder.joinpath("pages.tsv").write_text("a\tnews\nb\tnews\nc\tforum\n")
    return "printed", "gold"


def read(ran):
    return json.loads(ran.out)


def test_a_model_is_evaluated_on_annotated_pages(evaluate, model, annotations):
    ran = evaluate(annotations, "--model", model)

    assert (ran.status, ran.err) == (0, "")
    assert "\nsummary\nfigure " in ran.out
    assert "\naccuracy                100.00  100.00  100.00  100.00      6\n" in ran.out
    assert "\nlabels\nlabel  precision  recall      f1  support\np         100.00  100.00  100.00       12\n" in ran.out
    assert "\nconfusion\ngold    p  h   l   c  other\np      12  0   0   0      0\n" in ran.out


def test_the_result_names_all_that_it_depends_on(evaluate, model, annotations):
    words = (annotations, "--model", model, "-f", "json", "--seed", 5)

    facts = read(evaluate(*words))["facts"]

    assert facts.keys() == {"config", "data", "seed", "model", "weights", "versions"}
    assert (facts["seed"], facts["model"]) == (5, "small")
    assert evaluate(*words).out == evaluate(*words).out
    assert read(evaluate(annotations / "part-0.anno", *words[1:]))["facts"]["data"] != facts["data"]


@pytest.mark.usefixtures("folders")
def test_one_system_is_evaluated_by_its_name(evaluate, model, annotations):
    assert evaluate(model, "--on", annotations).out == evaluate("-m", model, annotations).out
    assert evaluate("bte", "--on", annotations).out == evaluate("--labeler", "bte", annotations).out
    assert evaluate("printed", "--gold", "gold").out == evaluate("printed", "gold").out


def test_folders_of_texts_are_compared(evaluate, folders):
    found = read(evaluate(*folders, "-f", "json"))

    figures = {row["figure"]: row for row in found["summary"]}
    assert figures["word_recall"]["mean"] == pytest.approx(100 * (1 + 1 + 1 / 2) / 3)
    assert figures["word_recall"]["pages"] == 3
    assert "accuracy" not in figures
    assert "config" not in found["facts"]


def test_each_kind_has_its_summary(evaluate, folders):
    found = read(evaluate(*folders, "--kinds", "pages.tsv", "--by", "kind", "-f", "json"))

    recalls = {row["kind"]: row["mean"] for row in found["summary"] if row["figure"] == "word_recall"}
    assert recalls == pytest.approx({"all": 250 / 3, "news": 100, "forum": 50})


def test_every_page_can_have_its_row(evaluate, folders):
    ran = evaluate(*folders, "--tables", "pages", "--kinds", "pages.tsv", "-f", "csv")

    lines = [line for line in ran.out.splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(lines))
    assert [(row["id"], row["kind"], float(row["word_precision"])) for row in rows] == [
        ("a", "news", 100),
        ("b", "news", 80),
        ("c", "forum", 100),
    ]


def test_the_worst_pages_say_what_is_wrong_with_them(evaluate, folders):
    found = read(evaluate(*folders, "--worst", 2, "-f", "json"))

    assert [(row["id"], row["wrongly"], row["text"]) for row in found["worst"]] == [
        ("c", "dropped", "some oil"),
        ("b", "kept", "Home"),
    ]


def test_the_worst_pages_of_a_model_show_their_blocks(evaluate, model, annotations):
    ran = evaluate(annotations, "-m", model, "--bias", 20, "--decode", "viterbi", "--worst", 1, "-f", "csv")

    rows = list(csv.DictReader(io.StringIO("".join(ran.out.partition("id,")[1:]))))
    assert {row["wrongly"] for row in rows} == {"kept"}
    assert [row["text"] for row in rows] == ["Home", "About us", "Imprint"]


@pytest.mark.process
def test_a_model_is_evaluated_on_pages_with_gold_texts(evaluate, victor, model, site, folder):
    victor("clean", site, "-m", model, "-o", "gold")

    ran = evaluate("-m", model, "--gold", "gold", site, "-f", "json")

    assert ran.status == 0
    assert evaluate(model, "--on", site, "--gold", "gold", "-f", "json") == ran
    assert {row["figure"]: (row["mean"], row["pages"]) for row in read(ran)["summary"]}["total"] == (100, 12)


@pytest.mark.parametrize("format", FORMATS)
def test_a_file_holds_what_would_have_been_printed(evaluate, folders, format):
    printed, written = evaluate(*folders, "-f", format), evaluate(*folders, "-f", format, "-o", "out/scores")

    assert (written.status, written.out) == (0, "")
    assert Path("out/scores").read_text() == printed.out


@pytest.mark.usefixtures("folders")
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("printed",), 2, "expected two folders, of printed and of gold texts"),
        (("printed", "gone"), 2, "gone: no such folder"),
        (("printed", "--on", "gold"), 2, "a folder of texts needs --gold without --on"),
        (("--gold", "gold"), 2, "name a system"),
        (("{model}", "--gold", "gold"), 2, "needs the HTML pages of the gold texts"),
        (("printed", "gold", "--figure", "total", "--figure", "word_f1"), 2, "several figures are for several systems"),
        (("printed", "empty"), 2, "empty: no texts"),
        (
            ("printed", "gold", "--bias", "1"),
            2,
            "--decode, --threshold, --bias and --scope need a --model",
        ),
        (("printed", "gold", "--tables", "labels"), 2, "labels: tables of labels need annotated pages"),
        (("printed", "gold", "--tables", "summary", "pages", "-f", "csv"), 2, "csv holds one table"),
        (("printed", "gold", "--kinds", "gone.tsv"), 2, "gone.tsv: no such file"),
        (("printed", "gold", "--worst", "0"), 2, "expected a whole number (at least 1), got '0'"),
        (("printed", "gold", "--figure", "speed"), 2, "got 'speed'"),
        (("x.html", "-m", "{model}", "--gold", "gold"), 2, "no gold text for 1 of 1 pages, such as x"),
        (("gold", "-m", "{model}"), 2, "no pages in this folder"),
        (("gold", "-m", "nope"), 2, "no model 'nope'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_told(evaluate, model, words, status, message):
    Path("empty").mkdir()
    Path("x.html").write_text("<p>one")

    ran = evaluate(*(word.format(model=model) for word in words))

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err


def test_unequal_folders_are_warned_of(evaluate, folders):
    Path("printed/b.txt").rename("printed/z.txt")

    ran = evaluate(*folders)

    assert ran.status == 0
    assert "left out for lack of a gold text: 1 texts: z" in ran.err
    assert "missing, scored as empty: 1 texts: b" in ran.err


def test_one_page_of_no_words_has_defined_figures(evaluate, folder):
    for name in ("printed", "gold"):
        folder.joinpath(name).mkdir()
        folder.joinpath(name, "x.txt").touch()

    figures = {row["figure"]: row["mean"] for row in read(evaluate("printed", "gold", "-f", "json"))["summary"]}

    assert figures == {figure: 100 for figure in FIGURES if "accuracy" not in figure}
