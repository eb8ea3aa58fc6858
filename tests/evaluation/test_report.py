import csv
import io
import json
from dataclasses import replace

import pandas as pd
import pytest

from victorpy.errors import UsageError
from victorpy.evaluation.report import FORMATS, facts, percent, render, render_all
from victorpy.foundation.digests import data_digest
from victorpy.models import config

TABLE = pd.DataFrame(
    {"share": [0.123456, float("nan")], "pages": [3, 0], "text": ["a|b", "50% & <i>\nmore_"]},
    index=pd.Index(["x", "y"], name="id"),
)
FACTS = {"seed": 0, "versions": {"victorpy": "1", "python": "3"}}


def test_text_stands_in_columns_with_numbers_to_the_right():
    assert render(TABLE.drop(columns="text")) == "id  share  pages\nx    0.12      3\ny              0\n"


def test_markdown_is_a_table_and_nothing_in_it_is_markup():
    assert render(TABLE, "markdown").splitlines() == [
        "| id | share | pages | text |",
        "| --- | ---: | ---: | --- |",
        "| x | 0.12 | 3 | a\\|b |",
        "| y |  | 0 | 50% & &lt;i> more_ |",
    ]


def test_latex_is_a_tabular_with_its_signs_escaped():
    assert render(TABLE, "latex").splitlines() == [
        "\\begin{tabular}{lrrl}",
        "\\toprule",
        "id & share & pages & text \\\\",
        "\\midrule",
        "x & 0.12 & 3 & a|b \\\\",
        "y &  & 0 & 50\\% \\& <i> more\\_ \\\\",
        "\\bottomrule",
        "\\end{tabular}",
    ]


def test_csv_keeps_all_digits_and_all_texts():
    rows = list(csv.reader(io.StringIO(render(TABLE, "csv"))))

    assert rows == [
        ["id", "share", "pages", "text"],
        ["x", "0.123456", "3", "a|b"],
        ["y", "", "0", "50% & <i>\nmore_"],
    ]


def test_csv_with_facts_is_read_by_pandas():
    found = pd.read_csv(io.StringIO(render(TABLE, "csv", FACTS)), comment="#", index_col="id")

    pd.testing.assert_frame_equal(found, TABLE, check_dtype=False)


def test_json_holds_records_and_no_nan():
    assert json.loads(render(TABLE, "json", FACTS)) == {
        "facts": FACTS,
        "table": [
            {"id": "x", "share": 0.123456, "pages": 3, "text": "a|b"},
            {"id": "y", "share": None, "pages": 0, "text": "50% & <i>\nmore_"},
        ],
    }


def test_every_level_of_an_index_is_a_column():
    table = pd.concat({"all": TABLE, "news": TABLE}, names=["kind"])[["pages"]]

    assert render(table).splitlines()[:2] == ["kind  id  pages", "all   x       3"]
    assert json.loads(render(table, "json"))["table"][3] == {"kind": "news", "id": "y", "pages": 0}


@pytest.mark.parametrize("format", FORMATS)
def test_facts_are_in_every_format(format):
    text = render(TABLE, format, facts(data="sha256:abc", seed=17))

    assert "sha256:abc" in text
    assert "17" in text
    assert "pandas" in text


@pytest.mark.parametrize("format", [format for format in FORMATS if format != "csv"])
def test_several_tables_have_their_names(format):
    text = render_all({"labels": TABLE, "confusion": TABLE}, format, FACTS)

    assert text.index("labels") < text.index("confusion")


def test_csv_holds_one_table():
    with pytest.raises(UsageError, match="csv holds one table, got 2: labels, confusion"):
        render_all({"labels": TABLE, "confusion": TABLE}, "csv")


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_without_rows_has_its_columns(format):
    text = render(TABLE[:0], format)

    assert text
    assert format == "json" or "share" in text


def test_shares_become_percentages_and_counts_stay():
    assert percent(TABLE)["share"].tolist()[0] == pytest.approx(12.3456)
    assert percent(TABLE)["pages"].tolist() == [3, 0]


def test_facts_tell_the_config_and_leave_out_what_there_is_not():
    one = config.load("cleaneval")
    other = replace(one, crf=replace(one.crf, c2=one.crf.c2 + 1))

    assert facts(one, seed=0)["config"] == facts(one)["config"] != facts(other)["config"]
    assert facts().keys() == {"versions"}
    assert facts(seed=0, model="web") == {"seed": 0, "model": "web", "versions": facts()["versions"]}


def test_the_digest_of_data_is_of_names_and_contents_wherever_they_are(tmp_path):
    paths = [tmp_path / folder / name for folder in ("here", "there") for name in ("a.anno", "b.anno")]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.write_text(path.name)

    here, there = data_digest(paths[:2]), data_digest(reversed(paths[2:]))
    paths[0].write_text("changed")

    assert here == there
    assert data_digest(paths[:2]) != here


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_a_name_in_a_report_for_people_gives_no_orders(format):
    table = pd.DataFrame({"pages": [1]}, index=["a\x1b[2J\u202eb\nc"])

    text = render(table, format, {"data": "\x9b"})

    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\x9b" not in text
    assert "b\nc" not in text
