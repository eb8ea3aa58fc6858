import csv
import io
import json
from pathlib import Path

import pytest
from sklearn.metrics import mutual_info_score


def rows(text):
    return list(csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#")))


def test_a_model_is_told_in_tables(victor, folder, model):
    ran = victor("explain", model)

    assert (ran.status, ran.err) == (0, "")
    assert "Weights that speak most for and against each label" in ran.out
    assert "Transitions from label to label" in ran.out
    assert "Features that the model knows in one bucket only: none" in ran.out
    assert "Information gain" not in ran.out


def test_annotated_pages_tell_of_features(victor, folder, model, annotations):
    out = victor("explain", model, "--on", annotations).out

    assert "Information gain of each feature, in bits" in out
    assert "Features that never fire on these pages: none" in out


def test_a_table_by_itself_is_for_programs(victor, folder, model, annotations):
    weights = rows(victor("explain", model, "-t", "weights", "-f", "csv", "--count", 1).out)
    gains = rows(victor("explain", model, "-t", "gain", "-f", "csv", "--on", annotations).out)

    assert list(weights[0]) == ["label", "template", "value", "weight"]
    assert [row["label"] for row in weights][:2] == ["p", "p"]
    assert float(weights[0]["weight"]) > 0 > float(weights[1]["weight"])
    assert list(gains[0]) == ["feature", "gain", "gain_share", "content_gain", "content_gain_share"]
    assert len(gains) == 7


def test_all_tables_go_into_json(victor, folder, model, annotations):
    found = json.loads(victor("explain", model, "--on", annotations, "-f", "json").out)

    assert list(found) == ["facts", "weights", "transitions", "unlearned", "silent", "gain"]
    assert set(found["facts"]) == {"config", "data", "model", "versions"}
    assert [row["from"] for row in found["transitions"]] == ["p", "h", "l", "c", "other"]


def test_a_file_is_written(victor, folder, model):
    ran = victor("explain", model, "-t", "transitions", "-f", "markdown", "-o", "out/transitions.md")

    assert ran == (0, "", "")
    assert "| from | p | h | l | c | other |" in (folder / "out/transitions.md").read_text()


def test_information_gain_is_that_of_scikit_learn(victor, folder, model):
    """From the .anno file to the printed figure: two links and two texts, of which one is noise."""
    html = "<p>One.<p><a href='/'>Two</a><p><a href='/'>three</a><p>four"
    lines = ["p\tOne.", "other\tTwo", "other\tthree", "other\tfour"]
    head = "#victorpy-anno 1\n#id: x\n#segmenter: 1 victor\n"
    folder.joinpath("x.anno").write_text(head + "\n".join(lines) + f"\n#html\n{html}")

    gains = {row["feature"]: row for row in rows(victor("explain", model, "-t", "gain", "-f", "csv", "--on", ".").out)}

    bits = mutual_info_score([1, 0, 0, 0], [0, 1, 1, 0]) / 0.6931471805599453
    assert float(gains["container.a"]["gain"]) == pytest.approx(bits)
    assert float(gains["sentence-end"]["gain_share"]) == pytest.approx(1)
    assert float(gains["container.class-list"]["gain"]) == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("nope",), 2, "no model 'nope'"),
        (("{model}", "--on", "gone.anno"), 2, "gone.anno: no such file or folder"),
        (("{model}", "-t", "gain"), 2, "--tables gain needs annotated pages: name them with --on"),
        (("{model}", "-t", "flips"), 2, "--tables flips explains a block of a page: name it with --block"),
        (("{model}", "--bias", "1"), 2, "--model, --decode, --threshold, --bias and --scope explain a block of a page"),
        (("{model}", "-f", "csv"), 2, "csv holds one table, got 3: weights, transitions, unlearned"),
        (("{model}", "-n", "0"), 2, "expected a whole number (at least 1), got '0'"),
        (("{model}", "--on", "x.anno"), 1, "no block of these pages has a label"),
        (("{model}", "-o", "x.anno/out"), 1, "cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_told_is_said(victor, model, words, status, message):
    Path("x.anno").write_text("#victorpy-anno 1\n#segmenter: 1 victor\n-\tone\n#html\n<p>one")

    ran = victor("explain", *(word.format(model=model) for word in words))

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
