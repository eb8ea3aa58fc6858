import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from small_pages import article

import victorpy
from victorpy.errors import UsageError
from victorpy.foundation.processes import Limits
from victorpy.pipeline.adapters.frames import MADE
from victorpy.pipeline.adapters.ray import Clean
from victorpy.pipeline.adapters.spark import SCHEMA, cleaned, schema
from victorpy.pipeline.cleaner import load


def table(*pages, **columns):
    return pd.DataFrame({"html": pd.Series(pages, dtype=object)} | columns)


@pytest.fixture
def pages():
    return [article(number)[0] for number in range(5)]


@pytest.mark.process
def test_every_row_has_a_row_with_the_text_that_the_cleaner_gives(model, pages):
    frame = table(*pages, id=list("abcde"), url=[f"https://harbour.example/{number}" for number in range(5)])

    made = Clean(model=str(model))(frame)

    assert tuple(made.columns) == MADE
    assert list(made["id"]) == list("abcde")
    assert list(made["url"]) == list(frame["url"])
    assert list(made["text"]) == [load(str(model)).clean(page).text for page in pages]
    assert list(made["title"]) == [f"Letters from the harbour, part {number}" for number in range(5)]
    assert set(made["status"]) == {"ok"}


@pytest.mark.process
def test_a_table_has_the_texts_that_are_asked_for(model, pages):
    made = Clean(model=str(model), columns=("text", "markdown", "html"), without=("emphasis",))(table(pages[0]))

    cleaned_page = load(str(model)).clean(pages[0])
    assert made["markdown"][0] == cleaned_page.markdown_without("emphasis")
    assert made["html"][0] == cleaned_page.html
    assert [field.split()[0] for field in schema("text", "markdown", "html").split(", ")] == list(made.columns)
    assert "text" not in Clean(model=str(model), columns=("markdown",))(table(pages[0])).columns


ODD = {
    "text": ("<p>The ferry leaves at seven, and nobody is awake on the island.</p>", "ok"),
    "bytes": (b"<p>The ferry leaves at seven, and nobody is awake on the island.</p>", "ok"),
    "bytearray": (bytearray(b"<p>The ferry leaves at seven, and nobody is awake on the island.</p>"), "ok"),
    "none": (None, "unreadable"),
    "nan": (float("nan"), "unreadable"),
    "number": (7, "unreadable"),
    "list": (["<p>one"], "unreadable"),
    "array": (np.array([1, 2]), "unreadable"),
    "empty": ("", "empty"),
    "binary": (b"\x89PNG\r\n\x1a\n", "undecodable"),
    "half a character": ("<title>\ud800</title><p>The ferry leaves at \udfff seven, and nobody is awake.</p>", "ok"),
    "huge": ("<p>" + "x" * 1_000_001, "dropped"),
}


@pytest.mark.process
def test_no_row_is_lost_whatever_it_holds():
    odd = [value for value, _ in ODD.values()]

    made = Clean(model="density", max_bytes=1_000_000, limits=Limits(1, 1_000))(table(*odd, id=list(ODD)))

    assert dict(zip(made["id"], made["status"], strict=True)) == {id: status for id, (_, status) in ODD.items()}
    assert all((made["reason"] != "") == (made["status"] != "ok"))
    assert made["text"].str.encode("utf-8").notna().all()


@pytest.mark.process
def test_the_same_without_child_processes(model, pages):
    frame = table(*pages, None, b"\x89PNG\r\n\x1a\n")

    inside = Clean(model=str(model), limits=None)(frame)

    pd.testing.assert_frame_equal(inside, Clean(model=str(model))(frame))


@pytest.mark.process
def test_columns_may_have_other_names_and_others_are_kept(model, pages):
    frame = table(*pages[:2], link=["https://harbour.example/1", None], number=[1, 2], day=["Monday", "Sunday"])

    clean = Clean(model=str(model), html="page", url="link", id="number", keep=("day",))
    made = clean(frame.rename(columns={"html": "page"}))

    assert made["url"].fillna("").tolist() == ["https://harbour.example/1", ""]
    assert list(made["id"]) == ["1", "2"]
    assert list(made["day"]) == ["Monday", "Sunday"]
    assert list(made["status"]) == ["ok", "ok"]


@pytest.mark.process
def test_ids_and_addresses_need_not_be_there(model, pages):
    made = Clean(model=str(model))(table(pages[0]))

    assert made[["id", "url"]].isna().all(axis=None)
    assert list(made["status"]) == ["ok"]


def test_no_rows_give_no_rows(model):
    made = Clean(model=str(model))(table())

    assert (len(made), tuple(made.columns)) == (0, MADE)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"html": "htlm"}, "no column 'htlm'; there are html"),
        ({"url": "link"}, "no column 'link'; there are html"),
        ({"keep": ("day",)}, "no column 'day'; there are html"),
        ({"keep": ("text",)}, "keep: 'text' is a new column of the result"),
        ({"format": "markdwn"}, r"no format 'markdwn' .*did you mean 'markdown'\?"),
        ({"model": "wep"}, "no model 'wep'.*did you mean 'web'"),
    ],
    ids=["html", "url", "keep", "doubled", "format", "model"],
)
def test_what_the_user_got_wrong_is_no_outcome_of_a_page(options, said):
    with pytest.raises(UsageError, match=said):
        Clean(**options)(table("<p>one"))


@pytest.mark.process
def test_the_text_may_have_any_format_and_the_decoding_options(model, pages):
    made = Clean(model=str(model), format="cleaneval", decoding={"bias": 100.0})(table(pages[0]))

    assert made["text"][0].startswith("<")
    assert len(made["text"][0]) > len(Clean(model=str(model), decoding={"bias": -100.0})(table(pages[0]))["text"][0])


@pytest.mark.process
def test_spark_gets_a_frame_for_each_frame_as_its_schema_says(model, pages):
    clean = pickle.loads(pickle.dumps(cleaned(model=str(model), html="html", url="url")))
    frames = [table(*pages[:2], url=["a", "b"]), table(pages[2], url=["c"])]

    made = list(clean(iter(frames)))

    assert [list(frame["url"]) for frame in made] == [["a", "b"], ["c"]]
    assert [field.split() for field in SCHEMA.split(", ")] == [[name, "string"] for name in made[0].columns]


@pytest.mark.process
def test_the_model_is_loaded_once_in_a_process_and_never_sent(folder, model, pages):
    copied = shutil.copytree(model, folder / "short-lived")
    sent = pickle.dumps(Clean(model=str(copied)))

    before = pickle.loads(sent)(table(*pages))
    shutil.rmtree(copied)

    pd.testing.assert_frame_equal(pickle.loads(sent)(table(*pages)), before)
    assert len(sent) < 1_000


@pytest.mark.process
def test_importing_needs_no_engine():
    script = (
        "import sys\n"
        "from victorpy.pipeline.adapters import documents, ray, spark\n"
        "print({'ray', 'pyspark', 'pandas', 'datatrove'} & sys.modules.keys())"
    )
    package = str(Path(victorpy.__file__).parents[1])

    ran = subprocess.run([sys.executable, "-c", script], cwd=package, capture_output=True, text=True, check=True)

    assert ran.stdout == "set()\n"
