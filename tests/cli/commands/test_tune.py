import json

import pytest

from victorpy.models import config


@pytest.fixture
def tune(victor, folder, small_config, annotations):
    folder.joinpath("sites.tsv").write_text("".join(f"part-{number}\tletter\tsite-{number}\n" for number in range(6)))
    shared = ("--config", small_config, "--folds", 2, "--jobs", 1, "--samples", 100, "--kinds", "sites.tsv")
    return lambda *words: victor("tune", annotations, *shared, *words)


def test_a_grid_is_searched_and_the_best_config_written(tune, folder):
    ran = tune("--grid", "--set", "crf.c2=0.1,1000000", "--figure", "accuracy", "--best", "best.yaml", "-f", "json")

    found = json.loads(ran.out)["table"]
    assert (ran.status, ran.err) == (0, "")
    assert sorted(row["trial"] for row in found) == [0, 1, 2]
    assert found[-1]["crf.c2"] == 1_000_000
    means = [row["mean"] for row in found]
    assert means == sorted(means, reverse=True)
    best = config.load(folder / "best.yaml")
    assert best.crf.c2 in {0.1, 1}
    assert best.crf.max_iterations == 30


def test_draws_end_with_the_budget_and_a_second_run_goes_on_from_there(tune, folder):
    tune("--trials", 1, "--set", "crf.c2=0.1..10")
    first = {path: path.stat().st_mtime_ns for path in folder.joinpath("experiments").rglob("*.*")}

    ran = tune("--trials", 2, "--set", "crf.c2=0.1..10", "-f", "json")

    assert len(json.loads(ran.out)["table"]) == 3
    assert len(list(folder.joinpath("experiments").iterdir())) == 3
    assert all(path.stat().st_mtime_ns == time for path, time in first.items())


def test_the_settings_are_shown_as_they_are_and_scores_in_percent(tune):
    ran = tune("--grid", "--set", "decoding.min-probability=0.03", "decoding.method=viterbi", "-f", "json")

    row = next(row for row in json.loads(ran.out)["table"] if row["trial"] == 1)
    assert (row["decoding.min-probability"], row["decoding.method"]) == (0.03, "viterbi")
    assert 50 < row["mean"] <= 100


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "crf.c9=1"], "no option to tune is named 'crf.c9'"),
        (["--set", "crf.c2=-1"], "crf.c2: expected at least 0, got -1"),
        (["--grid", "--set", "crf.c2=1..2"], "crf.c2: a grid needs values, got a range"),
        (["--minutes", "0"], "expected a number (more than 0), got '0'"),
        (["--trials", "none"], "expected a whole number (at least 1), got 'none'"),
    ],
)
def test_what_cannot_be_tuned_is_named(tune, words, message):
    ran = tune(*words)

    assert ran.status == 2
    assert message in ran.err
