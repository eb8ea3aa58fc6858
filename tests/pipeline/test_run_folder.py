"""Runs opened from Python, and files of the version before."""

import json
import shutil
from pathlib import Path

import pytest
from small_pages import article

from victorpy.errors import UsageError, VictorError
from victorpy.labelers.density import Density
from victorpy.labelers.filters.language_filters import PageLanguages
from victorpy.labelers.filters.site_filter import SiteFilter
from victorpy.output import quarantine
from victorpy.pipeline.batch import SiteUse
from victorpy.pipeline.deduplication.records import Deduplication
from victorpy.pipeline.runs.manifest import write_manifest
from victorpy.pipeline.runs.plan import begin
from victorpy.pipeline.runs.run_folder import Run
from victorpy.pipeline.runs.settings import DecodingChanges, RunSettings, settings_of
from victorpy.pipeline.runs.work import work
from victorpy.sources import PageColumns

EARLIER = Path(__file__).parents[1] / "cases" / "earlier-version"


@pytest.fixture
def finished(folder):
    """The folder of a run of three pages, one of which is no page."""
    Path("site").mkdir()
    for number in range(2):
        Path("site", f"{number}.html").write_text(article(number)[0])
    Path("site", "binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    settings = RunSettings(inputs=("site",), labeler=Density(title=True), filters=(PageLanguages(("en",)),))
    plan, shards = settings.plan(folder / "run"), settings.shards()
    begin(plan, shards, settings.as_data())
    work(plan, shards)
    write_manifest(plan, shards)
    return folder / "run"


@pytest.mark.process
def test_a_run_opens_from_any_folder(finished, monkeypatch):
    monkeypatch.chdir("/")

    run = Run.open(finished)

    assert run.is_finished()
    assert run.counts() == {"ok": 2, "undecodable": 1}
    assert [path.name for path in run.files()] == ["00001-0001.jsonl.gz"]
    assert [(outcome.id, outcome.status) for outcome in run.failed()] == [("binary", "undecodable")]
    assert run.plan.job.labeler == Density(title=True)
    assert run.plan.job.filters == (PageLanguages(("en",)),)


@pytest.mark.process
def test_a_sound_run_has_no_faults(finished):
    run = Run.open(finished)

    assert run.verify(digest=run.digest) == []


@pytest.mark.process
def test_a_run_is_resumed(finished):
    text = finished.joinpath("00001-0001.jsonl.gz").read_bytes()
    finished.joinpath("shards", "00001.jsonl").unlink()
    run = Run.open(finished)
    assert not run.is_finished()

    run.resume()

    assert run.is_finished()
    assert finished.joinpath("00001-0001.jsonl.gz").read_bytes() == text
    assert finished.joinpath("manifest.json").exists()


@pytest.mark.process
def test_a_damaged_run_has_faults(finished):
    finished.joinpath("00001-0001.jsonl.gz").unlink()

    [fault] = Run.open(finished).verify(sample=0)

    assert fault.endswith("00001-0001.jsonl.gz: is missing or cannot be read")


def test_where_there_is_no_run_none_opens(folder):
    with pytest.raises(UsageError, match=r"not the folder of a run: it has no run\.json"):
        Run.open("nowhere")


SETTINGS = RunSettings(
    inputs=("a b.html", "ü*.warc.gz"),
    lists=("list.txt",),
    input_format="jsonl",
    columns=PageColumns("html", url="address"),
    urls="urls.tsv",
    decoding=DecodingChanges(method="threshold", threshold=0.7, scope="page"),
    filters=(SiteFilter(share=0.2), PageLanguages(("en", "de"))),
    site=SiteUse("sites", "harbour.example"),
    format="parquet",
    packing="",
    deduplication=Deduplication(None, passages=True),
)


@pytest.mark.parametrize("settings", [RunSettings(), SETTINGS, RunSettings(labeler=Density(share=0.25))])
def test_settings_are_read_as_they_were_written(settings):
    assert settings_of(json.loads(json.dumps(settings.as_data())), "run.json") == settings


# Made by the version that kept the options of the command: see run.json.
@pytest.fixture
def earlier(folder):
    shutil.copytree(EARLIER, folder / "earlier")
    for name in ("run.json", "manifest.json"):
        path = folder / "earlier" / "run" / name
        path.write_text(path.read_text().replace("{FOLDER}", str(folder / "earlier")))
    return folder / "earlier"


def test_a_run_of_the_version_before_opens_and_is_sound(earlier):
    run = Run.open(earlier / "run")

    assert run.counts() == {"ok": 3, "dropped": 1, "empty": 1, "unreadable": 1}
    # No page is cleaned again: the wording of a reason may change.
    assert run.verify(sample=0) == []


def test_a_run_of_the_version_before_with_other_options_is_damaged(earlier):
    facts = json.loads((earlier / "run" / "run.json").read_text())
    del facts["options"]["inputs"]
    (earlier / "run" / "run.json").write_text(json.dumps(facts))

    with pytest.raises(VictorError, match=r"run\.json: is damaged: its options are not those of a run: 'inputs'"):
        Run.open(earlier / "run")


@pytest.mark.parametrize("name", ["bad.jsonl", "bad.warc.gz"])
def test_a_quarantine_of_the_version_before_is_read(earlier, name):
    found = list(quarantine.pages(earlier / name, quarantine.KEPT, 1_000))

    assert [(page.id, page.data, page.problem) for page in found] == [("gone", None, "the column 'html' holds no text")]
