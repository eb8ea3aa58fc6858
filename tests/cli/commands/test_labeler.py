"""Labelers that nobody trained, wherever a command takes a model."""

import json
import sys

import pytest

import victorpy
from victorpy.errors import UsageError, VictorError
from victorpy.labelers.merge import _labelers
from victorpy.labelers.registry import LABELERS


def line_of(ran, name):
    return next(line for line in ran.out.splitlines() if line.split()[2] == name)


@pytest.mark.process
@pytest.mark.parametrize("name", LABELERS)
def test_a_page_is_cleaned_by_a_labeler(victor, page, name):
    # Blocks of less than thirty words are never good by the letter of that paper.
    options = ("--option", "length-high=5", "--option", "length-low=3") if name == "noise-blocks" else ()
    ran = victor("clean", page, "--labeler", name, "-j", 1, *options)

    assert ran.status == 0
    assert "We counted the boats in the harbour" in ran.out


@pytest.mark.process
def test_options_change_what_a_labeler_keeps(victor, page):
    usual = victor("clean", page, "--labeler", "bte", "-j", 1)
    light = victor("clean", page, "--labeler", "bte", "--option", "tag-weight=0", "-j", 1)

    assert "Imprint" not in usual.out
    assert "Imprint" in light.out


@pytest.mark.process
def test_options_stand_in_a_config_too_and_those_of_the_command_line_win(victor, folder, page):
    folder.joinpath("light.yaml").write_text("include: cleaneval\nlabeler:\n  name: bte\n  tag-weight: 0\n")

    from_file = victor("clean", page, "--labeler", "light.yaml", "-j", 1)
    over_it = victor("clean", page, "--labeler", "light.yaml", "--option", "tag-weight=1", "-j", 1)

    assert from_file.out == victor("clean", page, "--labeler", "bte", "--option", "tag-weight=0", "-j", 1).out
    assert over_it.out == victor("clean", page, "--labeler", "bte", "-j", 1).out


@pytest.mark.process
def test_a_section_that_is_included_is_replaced_as_a_whole(victor, folder, page):
    folder.joinpath("base.yaml").write_text("labeler: {name: bte, tag-weight: 0}\n")
    folder.joinpath("mine.yaml").write_text("include: ./base.yaml\nlabeler: {name: bte}\n")

    assert (
        victor("clean", page, "--labeler", "mine.yaml", "-j", 1).out
        == victor("clean", page, "--labeler", "bte", "-j", 1).out
    )


WRONG = {
    "unknown labeler": (["--labeler", "btee"], 2, "no labeler 'btee' (known: "),
    "unknown option": (
        ["--labeler", "bte", "--option", "tag-wieght=1"],
        2,
        "--option: tag-wieght: no such option; did you mean 'tag-weight'?",
    ),
    "wrong type": (["--labeler", "bte", "--option", "tag-weight=much"], 2, "--option: tag-weight: expected a number"),
    "wrong value": (
        ["--labeler", "density", "--option", "share=2"],
        2,
        "--option: share: expected a number from 0 to 1",
    ),
    "no value": (["--labeler", "bte", "--option", "tag-weight"], 2, "--option: 'tag-weight' is not NAME=VALUE"),
    "option without labeler": (["--option", "share=1"], 2, "--option needs a --labeler"),
    "model as well": (["--labeler", "bte", "--model", "web"], 2, "are for models, not for a --labeler"),
    "no such file": (["--labeler", "gone.yaml"], 2, "gone.yaml: no such config"),
    "no section": (["--labeler", "bare.yaml"], 1, "bare.yaml: expected a section 'labeler'"),
    "unknown name in a file": (["--labeler", "a.yaml"], 1, "a.yaml:2: labeler.name: no labeler 'densty'; did you mean"),
    "unknown option in a file": (["--labeler", "b.yaml"], 1, "b.yaml:3: labeler.shar: no such option; did you mean"),
    "wrong value in a file": (
        ["--labeler", "c.yaml"],
        1,
        "c.yaml:3: labeler.share: expected a number from",
    ),
    "no name in a file": (["--labeler", "d.yaml"], 1, "d.yaml:2: labeler.name: missing; expected one of "),
}
FILES = {
    "bare.yaml": "include: cleaneval\n",
    "a.yaml": "labeler:\n  name: densty\n",
    "b.yaml": "labeler:\n  name: density\n  shar: 0.4\n",
    "c.yaml": "labeler:\n  name: density\n  share: 7\n",
    "d.yaml": "labeler:\n  share: 0.4\n",
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_are_named_with_their_place(victor, folder, page, name):
    for file, text in FILES.items():
        folder.joinpath(file).write_text(text)
    words, status, message = WRONG[name]

    ran = victor("clean", page, *words)

    assert ran.status == status
    assert message in ran.err


def test_a_config_for_models_may_hold_a_labeler_but_a_right_one(victor, folder):
    folder.joinpath("configs").mkdir()
    folder.joinpath("configs/mine.yaml").write_text("include: cleaneval\nlabeler: {name: bte}\n")
    folder.joinpath("configs/wrong.yaml").write_text("include: cleaneval\nlabeler:\n  name: bte\n  weight: 1\n")

    ran = victor("doctor")

    assert line_of(ran, "mine").startswith("ok")
    assert "configs/wrong.yaml:4: labeler.weight: no such option; did you mean 'tag-weight'?" in line_of(ran, "wrong")


def test_doctor_lists_all_labelers_with_their_options(victor, folder):
    ran = victor("doctor")

    found = [line.split()[:3] for line in ran.out.splitlines()]
    assert all(["ok", "labeler", name] in found for name in LABELERS)
    assert "tag-weight 1" in line_of(ran, "bte")


@pytest.fixture
def without_rules_extra(monkeypatch):
    """As if the packages of the extra `rules` were not installed."""
    monkeypatch.setattr("victorpy.labelers.stopwords.find_spec", lambda name: None)
    for package in ("stopwordsiso", "py3langid", "py3langid.langid"):
        monkeypatch.setitem(sys.modules, package, None)
    _labelers.cache_clear()


@pytest.mark.process
@pytest.mark.usefixtures("without_rules_extra")
@pytest.mark.parametrize(
    "words",
    [["rules", "--option", "stop-words=words.txt"], ["merge", "--option", "labelers=bte,density"]],
    ids=["a file of stop words", "labelers that need none"],
)
def test_options_that_need_no_package_work_without_it(victor, page, folder, words):
    folder.joinpath("words.txt").write_text("the\nwe\nin\nand\nour\nof\nit\nwas\n")

    ran = victor("clean", page, "--labeler", *words, "-j", 1)

    assert (ran.status, ran.err) == (0, "")
    assert "We counted the boats in the harbour" in ran.out


@pytest.mark.usefixtures("without_rules_extra")
@pytest.mark.parametrize(
    "words", [["rules"], ["rules", "--option", "length-low=9"], ["merge", "--option", "share=0.4"]]
)
def test_what_needs_a_package_names_the_extra(victor, page, words):
    ran = victor("clean", page, "--labeler", *words, "-j", 1)

    assert ran.status in {1, 2}
    assert "pip install 'victor-cleaner[rules]'" in ran.err
    assert "Traceback" not in ran.err


def test_a_wrong_option_of_a_file_keeps_its_place_when_others_are_given(victor, page, folder):
    folder.joinpath("c.yaml").write_text(FILES["c.yaml"])

    ran = victor("clean", page, "--labeler", "c.yaml", "--option", "title=true")

    assert ran.status == 1
    assert "c.yaml:3: labeler.share: expected a number from" in ran.err


def test_a_labeler_is_evaluated_on_annotated_pages(victor, annotations):
    ran = victor("evaluate", "--labeler", "bte", annotations, "-j", 1, "-f", "json")

    found = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert found["facts"]["labeler"] == "bte tag-weight=1"
    assert {row["figure"] for row in found["summary"]} >= {"accuracy", "word_f1"}


def test_a_labeler_is_evaluated_on_html_and_gold_texts(victor, folder, site):
    gold = folder / "gold"
    gold.joinpath("old").mkdir(parents=True)
    for path in (folder / "site").rglob("*.html"):
        gold.joinpath(path.relative_to(folder / "site")).with_suffix(".txt").write_text("<p> Nobody had told.")

    ran = victor("evaluate", "--labeler", "density", "--gold", gold, site, "-j", 1, "-f", "json")

    assert ran.status == 0
    assert json.loads(ran.out)["facts"]["labeler"].startswith("density ")


def test_labelers_are_compared_with_models_and_files(victor, folder, model, annotations):
    folder.joinpath("light.yaml").write_text("labeler: {name: bte, tag-weight: 0}\n")

    ran = victor("compare", model, "bte", "light.yaml", "--on", annotations, "--samples", 50, "-j", 1, "-f", "json")

    found = json.loads(ran.out)
    assert [row["system"] for row in found["table"]] == [str(model), "bte", "light.yaml"]
    assert found["facts"]["systems"]["light.yaml"] == "bte tag-weight=0"


def test_python_loads_labelers_by_name_or_file(folder, page):
    folder.joinpath("light.yaml").write_text("labeler: {name: bte, tag-weight: 0}\n")
    html = folder.joinpath(page).read_text()

    texts = [victorpy.labeler("bte", tag_weight=0).clean(html).text, victorpy.labeler("light.yaml").clean(html).text]

    assert texts[0] == texts[1] != victorpy.labeler("bte").clean(html).text
    assert victorpy.load("bte").clean(html).text == victorpy.labeler("light.yaml", tag_weight=1.0).clean(html).text
    assert victorpy.labeler("bte").clean(html).model == "bte tag-weight=1"
    with pytest.raises(UsageError, match="no labeler 'web'"):
        victorpy.labeler("web")
    with pytest.raises(VictorError, match="tag-weight: expected at least 0"):
        victorpy.labeler("bte", tag_weight=-1)


@pytest.mark.process
def test_processes_share_the_work(victor, site):
    alone = victor("clean", site, "--labeler", "bte", "-j", 1, "-f", "jsonl", "-o", "-")

    assert victor("clean", site, "--labeler", "bte", "-j", 2, "-f", "jsonl", "-o", "-").out == alone.out
