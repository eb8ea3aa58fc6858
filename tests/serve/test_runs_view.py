"""Runs in the web app."""

import pytest
from starlette.testclient import TestClient

from victorpy.errors import VictorError
from victorpy.serve import run_records
from victorpy.serve.application import application
from victorpy.serve.server_settings import ServerSettings

pytestmark = pytest.mark.process

PAGE = "<title>The {name}</title><p>The {name} comes at seven, as always."


@pytest.fixture
def asks(folder, model, victor):
    """A run of three pages, one of them no page at all, in the served folder."""
    return asking(folder, model, victor)


def asking(folder, model, victor, *options):
    folder.joinpath("pages").mkdir()
    for name in ("ferry", "baker"):
        folder.joinpath(f"pages/{name}.html").write_text(
            f"<title>The {name}</title><p>The {name} comes at seven, as always."
        )
    folder.joinpath("pages/noise.html").write_bytes(bytes(range(256)) * 8)
    victor("run", "pages", "-m", model, "-o", "run", *options)
    settings = ServerSettings(folder=folder, model=str(model), jobs=0)
    client = TestClient(application(settings), base_url="http://127.0.0.1:8765")
    return lambda path, **body: client.post(f"/runs/{path}", json=body).json()


def test_a_run_shows_its_statuses(asks):
    (run,) = asks("list")["runs"]

    assert (run["name"], run["pages"], run["is_finished"]) == ("run", 3, True)
    assert run["statuses"]["undecodable"] == 1


def test_failed_pages_are_listed_with_their_reasons(asks):
    (failed,) = asks("outcomes", run="run", statuses=["undecodable"])["outcomes"]

    assert (failed["id"], failed["status"]) == ("noise", "undecodable")
    assert "binary" in failed["reason"]


def test_outcomes_are_searched_by_id_and_reason(asks):
    assert [one["id"] for one in asks("outcomes", run="run", statuses=[], search="FERRY")["outcomes"]] == ["ferry"]
    assert [one["id"] for one in asks("outcomes", run="run", statuses=[], search="binary")["outcomes"]] == ["noise"]


@pytest.mark.parametrize("format", ["jsonl", "parquet", "text", "vertical", "warc"])
def test_a_sample_shows_texts_of_each_format(folder, model, victor, format):
    asks = asking(folder, model, victor, "-f", format)

    pages = asks("sample", run="run", seed=1)["pages"]

    assert [page["id"] for page in pages] == ["baker", "ferry"]
    for page in pages:
        words = page["text"].split()
        assert {"comes", "seven"} <= {word.strip(",.") for word in words}
        assert page["id"] in page["text"]


def test_a_folder_that_is_no_run_is_refused(asks):
    assert asks("outcomes", run="../..")["error"].startswith("../..: no such run in the folder")


def test_a_damaged_run_says_so_and_others_are_shown(asks, folder):
    folder.joinpath("broken").mkdir()
    folder.joinpath("broken/run.json").write_text("{")

    found = {run["name"]: run for run in asks("list")["runs"]}
    assert "run.json" in found["broken"]["error"]
    assert found["run"]["pages"] == 3


def test_a_line_that_would_fill_the_memory_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(run_records, "_LONGEST_LINE", 50)
    tmp_path.joinpath("part.jsonl").write_text('{"id":"a"}\n{"id":"' + "b" * 50 + '"}\n')

    lines = run_records.json_lines(tmp_path / "part.jsonl")

    assert next(lines) == {"id": "a"}
    with pytest.raises(VictorError, match="cannot be read"):
        next(lines)
