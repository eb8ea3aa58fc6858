import csv
import io

import pytest


@pytest.fixture
def ablate(victor, folder, small_config, annotations):
    folder.joinpath("sites.tsv").write_text("".join(f"part-{number}\tletter\tsite-{number}\n" for number in range(6)))
    shared = ("--config", small_config, "--folds", 2, "--jobs", 1, "--samples", 200, "--kinds", "sites.tsv")
    return lambda *words: victor("ablate", annotations, *shared, *words)


def rows(text):
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {row["variant"]: row for row in csv.DictReader(io.StringIO("\n".join(lines)))}


def test_features_and_groups_are_switched_off_one_at_a_time(ablate, folder):
    ran = ablate("--only", "container", "position", "markup", "--format", "csv", "--figure", "accuracy")

    found = rows(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert {name: row["features"] for name, row in found.items()} == {
        "all": "7",
        "without position": "6",
        "without container": "3",
        "without markup": "3",
        "only markup": "4",
    }
    changes = [float(row["difference"]) for row in list(found.values())[1:]]
    assert changes == sorted(changes)
    # The container features are all the markup that there is, so that this is one variant under two names.
    assert found["without container"]["mean"] == found["without markup"]["mean"]
    assert len(list(folder.joinpath("experiments").iterdir())) == 4


def test_a_second_run_gives_the_same_without_learning(ablate, monkeypatch):
    first = ablate("--only", "position")
    monkeypatch.setattr(
        "victorpy.evaluation.cross_validation.trained_predictions", lambda *_: pytest.fail("learned again")
    )

    assert ablate("--only", "position") == first


def test_a_plot_is_drawn(ablate, folder):
    pytest.importorskip("matplotlib")

    ran = ablate("--by", "group", "--only", "markup", "--plot", "plot.png")

    assert ran.status == 0
    assert folder.joinpath("plot.png").read_bytes().startswith(b"\x89PNG")


def test_texts_that_people_wrote_can_be_the_yardstick(ablate, folder):
    folder.joinpath("gold").mkdir()
    for number in range(6):
        folder.joinpath("gold", f"part-{number}.txt").write_text("<p> something else altogether")

    ran = ablate("--only", "position", "--gold", "gold", "--figure", "word_f1", "--format", "csv")

    assert float(rows(ran.out)["all"]["mean"]) == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--only", "positoin"], "no feature in use and no group is named 'positoin'; did you mean 'position'?"),
        (["--folds", "7"], "7 folds need 7 groups of pages"),
        (["--plot", "plot.gif"], "expected the name of a plot to end in"),
        (["--kinds", "gone.tsv"], "gone.tsv: no such file"),
        (["--gold", "gone"], "gone: no such folder"),
    ],
)
def test_what_cannot_be_is_named(ablate, words, message):
    ran = ablate("--by", "group", *words)

    assert ran.status == 2
    assert message in ran.err
