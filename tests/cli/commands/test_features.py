import csv
import io

import pytest


def rows(ran):
    return list(csv.DictReader(io.StringIO(ran.out)))


def test_every_block_has_a_row_with_its_features_and_text(victor, page):
    ran = victor("features", page, "-c", "cleaneval", "--csv")

    assert (ran.status, ran.err) == (0, "")
    assert len(rows(ran)) == 10
    assert rows(ran)[3]["container.p"] == "True"
    assert rows(ran)[4]["text"] == "cold"
    assert len(rows(ran)[0]) == 47


def test_pages_are_cut_as_the_default_model_cuts_them(victor, page):
    default, web = victor("features", page, "--csv"), victor("features", page, "-c", "web", "--csv")

    assert default == web
    assert len(rows(default)) == 8


def test_a_table_is_for_people(victor, page):
    lines = victor("features", page, "-c", "cleaneval", "--only", "position", "container.a").out.splitlines()

    assert lines[0].split() == ["position", "container.a", "text"]
    assert lines[2].split() == ["0", "0", "True", "Home"]
    assert len(lines) == 12
    assert all(len(line) < 100 for line in lines)


def test_only_some_features_in_their_order(victor, page):
    ran = victor("features", page, "--csv", "--only", "token.alpha-abs", "container.h1", "split.li")

    assert list(rows(ran)[0]) == ["block", "token.alpha-abs", "container.h1", "split.li", "text"]
    assert [row["container.h1"] for row in rows(ran)][:4] == ["False", "False", "True", "False"]


def test_buckets_are_what_the_learner_sees(victor, page):
    words = ("features", page, "-c", "cleaneval", "--csv", "--only", "token.alpha-abs")
    values = [row["token.alpha-abs"] for row in rows(victor(*words))]
    buckets = [row["token.alpha-abs"] for row in rows(victor(*words, "--buckets"))]

    assert (values[3], buckets[3]) == ("16", "13")
    assert all(float(bucket) <= float(value) for bucket, value in zip(buckets, values, strict=True))


def test_the_config_chooses_the_features(victor, page, small_config):
    ran = victor("features", page, "--csv", "-c", small_config)

    assert len(rows(ran)[0]) == 9


def test_standard_input_is_a_page(victor_process):
    ran = victor_process("features", "-", "--csv", "--only", "position", given=b"<p>one<p>two")

    assert (ran.status, ran.out) == (0, "block,position,text\n0,0.0,one\n1,1.0,two\n")


def test_a_page_without_text_has_no_rows(victor, folder):
    folder.joinpath("x.html").touch()

    assert victor("features", "x.html") == (0, "no text in the page\n", "")
    assert rows(victor("features", "x.html", "--csv")) == []


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("gone.html",), 2, "gone.html: no such file or folder"),
        (("site",), 2, "site: expected one page, got a folder of 12"),
        (("binary.html",), 1, "binary.html: not a text: binary data"),
        (("page.html", "-c", "nope"), 2, "no config 'nope' (known: base, blog, cleaneval"),
        (("page.html", "-c", "cleanval"), 2, "did you mean 'cleaneval'?"),
        (("page.html", "--only", "positoin"), 1, "no such feature 'positoin'; did you mean 'position'?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("page", "site")
def test_what_cannot_be_shown_is_told(victor, folder, words, status, message):
    folder.joinpath("binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")

    ran = victor("features", *words)

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
