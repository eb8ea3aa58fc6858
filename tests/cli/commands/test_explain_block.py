import csv
import io
import json

import pytest


@pytest.fixture
def explain(victor, model, page):
    return lambda *words: victor("explain", page, "-m", model, *words)


def rows(text):
    return list(csv.DictReader(line for line in io.StringIO(text) if not line.startswith("#")))


def test_a_block_is_explained(explain):
    ran = explain("--block", 2)

    assert (ran.status, ran.err) == (0, "")
    assert "# block: 2\n# text: Letters from the harbour, part 7\n# label: h\n" in ran.out
    for title in ("Labels", "Weights (margin: h less ", "Transitions from and to ", "Changes of one feature "):
        assert title in ran.out


def test_printed_weights_add_up_to_the_printed_score(explain):
    weights, labels = (rows(explain("-b", 2, "-t", name, "-f", "csv", "-n", 3).out) for name in ("weights", "labels"))

    assert len(weights) == 5
    for row in labels:
        label, score = row["label"], float(row["score"])
        assert sum(float(weight[label]) for weight in weights[:-1]) == pytest.approx(score)
        assert float(weights[-1][label]) == pytest.approx(score)


def test_the_facts_and_all_tables_go_into_json(explain):
    found = json.loads(explain("-b", 2, "-f", "json").out)

    assert list(found) == ["facts", "labels", "figures", "weights", "neighbours", "flips"]
    assert (found["facts"]["page"], found["facts"]["block"], found["facts"]["label"]) == ("page.html", 2, "h")
    assert [row["block"] for row in found["neighbours"]] == [1, 3]
    assert sum(row["probability"] for row in found["labels"]) == pytest.approx(1)


def test_the_decoding_can_be_another(explain):
    found = json.loads(explain("-b", 2, "-f", "json", "--bias", "-100").out)

    assert found["facts"]["label"] == "other"
    assert found["flips"] == []


def test_an_annotated_page_tells_its_label(victor, model, annotations, folder):
    found = json.loads(victor("explain", annotations / "part-0.anno", "-b", 7, "-m", model, "-f", "json").out)

    assert found["facts"]["text"] == "a lantern and some oil."
    assert found["facts"]["annotated"] == "l"


def test_long_texts_are_cut(victor, model, folder):
    folder.joinpath("long.html").write_text(f"<p>{'橋' * 150}")

    assert f"# text: {'橋' * 100}…\n" in victor("explain", "long.html", "-b", 0, "-m", model).out


def test_standard_input_is_a_page(victor_process, model):
    ran = victor_process("explain", "-", "-b", 0, "-m", model, "-t", "neighbours", given=b"<p>one")

    assert ran.status == 0
    assert "# page: -\n# block: 0\n" in ran.out
    assert "neighbours' labels" in ran.out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("page.html",), 2, "page.html: a file, not a model; to explain a block of a page, name it with --block"),
        (("page.html", "-b", "0", "-t", "gain"), 2, "--tables gain explains a model: leave out --block"),
        (("page.html", "-b", "0", "--on", "."), 2, "--on explains a model: leave out --block"),
        (("page.html", "-b", "10"), 2, "page.html: no block 10 in this page: its blocks are 0 to 7"),
        (("page.html", "-b", "-1"), 2, "page.html: no block -1 in this page"),
        (("empty.html", "-b", "0"), 2, "empty.html: no block 0 in this page: it has no text"),
        (("gone.html", "-b", "0"), 2, "gone.html: no such file or folder"),
        (("gone.anno", "-b", "0"), 2, "gone.anno: No such file or directory"),
        (("page.html", "-b", "0", "-m", "nope"), 2, "no model 'nope'"),
        (("page.html", "-b", "0", "-f", "csv"), 2, "csv holds one table, got 5"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("page")
def test_what_cannot_be_explained_is_told(victor, folder, words, status, message):
    folder.joinpath("empty.html").touch()

    ran = victor("explain", *words)

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
