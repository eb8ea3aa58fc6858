import json

import pytest

from victorpy.models import model_folder

TEXTS = {
    "gold": {"a": "<h> Ferry times", "b": "<p> She leaves at seven.", "c": "<l> a lantern\n<l> some oil"},
    "old": {"a": "<h> Ferry times", "b": "<p> Home\n<p> She leaves at seven.", "c": "<p> a lantern"},
    "new": {"a": "<h> Ferry times", "b": "<p> She leaves at seven.", "c": "<p> a lantern\n<p> some"},
}


@pytest.fixture
def compare(victor, folder):
    return lambda *words: victor("evaluate", "--samples", 200, "--jobs", 1, *words)


@pytest.fixture
def texts(folder):
    """Folders of texts: the new ones are better on b and c."""
    for name, of_pages in TEXTS.items():
        folder.joinpath(name).mkdir()
        for id, text in of_pages.items():
            folder.joinpath(name, f"{id}.txt").write_text(text)
    folder.joinpath("pages.tsv").write_text("a\tnews\nb\tnews\nc\tforum\n")
    return folder


@pytest.fixture
def sites(folder):
    folder.joinpath("sites.tsv").write_text("".join(f"part-{number}\tletter\tsite-{number}\n" for number in range(6)))
    return "sites.tsv"


def rows(ran):
    assert (ran.status, ran.err) == (0, "")
    return json.loads(ran.out)["table"]


def test_folders_of_texts_are_compared(compare, texts):
    old, new = rows(compare("old", "new", "--gold", "gold", "-f", "json"))

    assert (old["system"], old["pages"], old["difference"]) == ("old", 3, None)
    assert (new["wins"], new["losses"], new["ties"]) == (2, 0, 1)
    assert new["mean"] - old["mean"] == pytest.approx(new["difference"])
    assert new["bootstrap_p"] < 1 >= new["wilcoxon_p"]


def test_several_figures_and_kinds_have_rows_of_their_own(compare, texts):
    found = rows(
        compare(
            "old",
            "new",
            "--gold",
            "gold",
            "--kinds",
            "pages.tsv",
            "--by",
            "kind",
            "--figure",
            "total",
            "--figure",
            "tag_f1",
            "-f",
            "json",
        )
    )

    assert [row["kind"] for row in found] == ["all", "all", "forum", "forum", "news", "news"] * 2
    assert [row["figure"] for row in found] == ["total"] * 6 + ["tag_f1"] * 6


def test_models_are_compared_on_annotated_pages(compare, model, annotations, folder):
    noisy = model_folder.load(str(model)).decoding_by(bias=-50)
    model_folder.save(noisy, folder / "models" / "noisy")

    found = rows(compare(model, "noisy", "--on", annotations, "--figure", "accuracy", "-f", "json"))

    assert [row["system"] for row in found] == [str(model), "noisy"]
    assert found[0]["mean"] == 100


def test_a_folder_of_texts_meets_a_model_on_annotated_pages(compare, victor, model, annotations):
    victor("convert", annotations, "--format", "cleaneval", "--output", "texts/")

    found = rows(compare("./texts", model, "--on", annotations, "-f", "json"))

    assert [row["mean"] for row in found] == [100, 100]
    assert (found[1]["ties"], found[1]["wilcoxon_p"]) == (6, 1)


def test_configs_are_cross_validated(compare, small_config, annotations, sites, folder):
    folder.joinpath("weak.yaml").write_text(f"include: {small_config}\ncrf: {{c2: 1000000}}\n")
    words = ("--xval", small_config, "./weak.yaml", "--on", annotations, "--kinds", sites, "--folds", 2, "-f", "json")

    found = rows(compare(*words))

    assert found[1]["system"] == "./weak.yaml"
    assert found[1]["losses"] == 6
    assert len(list(folder.joinpath("experiments").iterdir())) == 2
    assert rows(compare(*words)) == found


def test_systems_that_cut_blocks_differently_are_held_to_the_page_as_annotated(
    compare, small_config, annotations, sites, folder
):
    folder.joinpath("block.yaml").write_text(f"include: {small_config}\nmarkup: {{mode: block}}\n")

    found = rows(
        compare(
            "--xval", small_config, "./block.yaml", "--on", annotations, "--kinds", sites, "--folds", 2, "-f", "json"
        )
    )

    assert [row["pages"] for row in found] == [6, 6]


def test_what_is_printed_says_what_it_depends_on(compare, texts):
    ran = compare("old", "new", "--gold", "gold")

    assert [line.split(":")[0] for line in ran.out.splitlines()[:5]] == [
        "# data",
        "# seed",
        "# samples",
        "# systems",
        "# versions",
    ]
    assert "scipy" in ran.out
    assert ran.out == compare("old", "new", "--gold", "gold").out


def test_a_plot_and_a_table_are_written(compare, texts):
    pytest.importorskip("matplotlib")

    ran = compare("old", "new", "--gold", "gold", "--plot", "plot.svg", "-f", "csv", "-o", "table.csv")

    assert ran == (0, "", "")
    assert (
        "points against old" in texts.joinpath("plot.svg").read_text()
        or texts.joinpath("plot.svg").stat().st_size > 2000
    )
    assert "figure,system,pages,mean" in texts.joinpath("table.csv").read_text()


WRONG = {
    "tables of one system": (["old", "new", "--gold", "gold", "--worst", "3"], "are for one system"),
    "systems twice": (["old", "-m", "web", "--on", "gold"], "leave out --model and --labeler"),
    "one config": (["--xval", "web", "--on", "old"], "expected two or more systems"),
    "no pages": (["old", "new", "--xval", "web"], "--on: expected annotated pages, or --gold"),
    "twice": (["old", "old", "--gold", "gold"], "'old' is named twice"),
    "unknown": (["old", "nwe", "--gold", "gold"], "no model 'nwe'"),
    "no gold": (["old", "new", "--gold", "gone"], "gone: no such folder"),
    "model without pages": (["old", "cleaneval", "--gold", "gold"], "--on: 'cleaneval' needs the HTML pages"),
    "no kinds": (["old", "new", "--gold", "gold", "--by", "kind"], "--by kind needs --kinds"),
    "plot": (
        ["old", "new", "--gold", "gold", "--plot", "plot.gif"],
        "plot.gif: expected the name of a plot to end in",
    ),
    "config": (["old", "--xval", "gone", "--gold", "gold"], "no config 'gone'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_compared_is_named(compare, texts, name):
    words, message = WRONG[name]

    ran = compare(*words)

    assert ran.status == 2
    assert message in ran.err
    assert "Traceback" not in ran.err
