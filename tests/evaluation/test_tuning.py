from itertools import islice
from random import Random

import pytest

from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError
from victorpy.evaluation.cross_validation import CrossValidation
from victorpy.evaluation.statistics import Bootstrap
from victorpy.evaluation.tuning import Budget, Trial, as_yaml, changed, grid_trials, random_trials, resized, space, tune
from victorpy.features.buckets import Bucketing
from victorpy.models import config

CLEANEVAL = config.load("cleaneval")
SITES = {f"part-{number}": Membership("letter", f"site-{number}") for number in range(6)}


@pytest.fixture
def small(small_config):
    return config.load(small_config)


@pytest.fixture
def validation(annotations, tmp_path):
    return CrossValidation(
        files=tuple(sorted(annotations.glob("*.anno"))), count=2, jobs=1, folder=tmp_path, members=SITES
    )


def trials(base, *definitions, count=5, seed=0):
    return list(islice(random_trials(base, space(base, definitions), seed), count))


def test_draws_are_what_the_definitions_say():
    found = trials(CLEANEVAL, "crf.c1=0,0.5", "crf.c2=0.1..10", "crf.max-iterations=5..9", count=50)[1:]

    assert {trial.config.crf.c1 for trial in found} == {0, 0.5}
    assert all(0.1 <= trial.config.crf.c2 <= 10 for trial in found)
    assert {trial.config.crf.max_iterations for trial in found} == {5, 6, 7, 8, 9}
    # By their order of magnitude: half of them are under 1.
    assert 12 < sum(trial.config.crf.c2 < 1 for trial in found) < 38


def test_the_first_trial_is_the_config_itself():
    assert trials(CLEANEVAL, "crf.c1=1")[0] == Trial({}, CLEANEVAL)


def test_a_longer_search_begins_like_a_shorter_one_and_other_seeds_draw_others():
    few, many = (trials(CLEANEVAL, "crf.c2=1..100", count=count) for count in (3, 6))

    assert many[:3] == few
    assert trials(CLEANEVAL, "crf.c2=1..100", count=3, seed=1)[1:] != few[1:]


def test_a_grid_has_every_point():
    found = list(grid_trials(CLEANEVAL, space(CLEANEVAL, ["crf.c1=0,1", "decoding.method=viterbi,expected-f1"])))

    assert [tuple(trial.settings.values()) for trial in found] == [
        (),
        (0, "viterbi"),
        (0, "expected-f1"),
        (1, "viterbi"),
        (1, "expected-f1"),
    ]


def test_the_usual_space_fits_the_shipped_config():
    for trial in trials(CLEANEVAL, *[f"{name}" for name in ("crf.c1=0,1", "buckets=0.5,1,2")], count=20):
        assert trial.config.used_features == CLEANEVAL.used_features


@pytest.mark.parametrize(
    ("bucketing", "factor", "expected"),
    [
        (Bucketing(scale=20), 0.5, Bucketing(scale=10)),
        (Bucketing(scale=200), 2, Bucketing(scale=254)),
        (Bucketing(values=(0, 1)), 0.25, Bucketing(values=(0, 1))),
        (Bucketing(values=(0, 1)), 4, Bucketing(values=(0, 1))),
        (Bucketing(values=(0, 1, 2, 4, 9)), 0.5, Bucketing(values=(0, 2, 9))),
        (Bucketing(values=(0, 1, 2, 4, 9)), 2, Bucketing(values=(0, 1, 2, 3, 4, 6, 9))),
        (Bucketing(values=(0, 0.5, 1)), 2, Bucketing(values=(0, 0.25, 0.5, 0.75, 1))),
        (Bucketing(values=(0, 1, 2)), 1, Bucketing(values=(0, 1, 2))),
    ],
)
def test_buckets_become_fewer_or_more(bucketing, factor, expected):
    assert resized(bucketing, factor) == expected


WRONG = {
    "crf.c3=1": "no option to tune is named 'crf.c3'; did you mean 'crf.c2'?",
    "crf.c2": "expected OPTION=VALUE,VALUE,… or OPTION=LEAST..MOST, got 'crf.c2'",
    "crf.c2=much": "expected a number, got 'much'",
    "crf.c2=9..3": "crf.c2: expected an increasing range, got 9..3",
    "decoding.method=best": "expected one of viterbi, likeliest, expected-f1, threshold, got 'best'",
    "crf.max-iterations=1.5": "expected a whole number",
    "features=position": "no option to tune is named 'features'",
    "buckets=0,1": "buckets: expected more than 0",
}


@pytest.mark.parametrize("definition", WRONG)
def test_a_wrong_definition_is_named(definition):
    with pytest.raises(UsageError) as caught:
        space(CLEANEVAL, [definition])

    assert WRONG[definition] in str(caught.value)


def test_a_value_that_the_config_refuses_is_named():
    with pytest.raises(UsageError, match=r"crf\.c2: expected at least 0, got -1"):
        changed(CLEANEVAL, {"crf.c2": -1.0})


def test_a_grid_of_a_range_is_refused():
    with pytest.raises(UsageError, match=r"crf\.c2: a grid needs values, got a range"):
        grid_trials(CLEANEVAL, space(CLEANEVAL, ["crf.c2=1..2"]))


def test_the_best_trial_comes_first(small, validation):
    grid = grid_trials(small, space(small, ["crf.c2=0.1,1000000"]))

    table, done = tune(validation, grid, "accuracy", bootstrap=Bootstrap(samples=100))

    assert len(done) == 3
    assert table["mean"].is_monotonic_decreasing
    assert table.index[-1] == 2
    assert table["crf.c2"].to_dict()[1] == 0.1


def test_the_budget_ends_the_search(small, validation, caplog):
    endless = random_trials(small, space(small, ["crf.c2=0.1..10"]))

    table, done = tune(validation, endless, budget=Budget(trials=2))

    assert len(done) == len(table) == 3
    assert len(tune(validation, endless, budget=Budget(minutes=0))[1]) == 2
    assert "stopped after 1 trials" in caplog.text


def test_the_best_config_builds_on_the_one_it_was_tuned_from(small, small_config, tmp_path):
    settings = {"crf.c2": 3.5, "decoding.method": "viterbi", "buckets": 0.5}
    best = Trial(settings, changed(small, settings))

    tmp_path.joinpath("best.yaml").write_text(as_yaml(str(small_config), best, tmp_path / "best.yaml"))

    found = config.load(tmp_path / "best.yaml")
    assert (found.crf, found.decoding, found.buckets) == (
        best.config.crf,
        best.config.decoding,
        best.config.buckets,
    )
    assert found.used_features == small.used_features
    assert as_yaml("cleaneval", Trial({"crf.c1": 1.0}, CLEANEVAL), tmp_path / "x.yaml") == (
        "include: cleaneval\ncrf: {c1: 1}\n"
    )


def test_whole_numbers_are_drawn_from_their_ends_too():
    (dimension,) = space(CLEANEVAL, ["crf.max-iterations=1..2"])

    assert {dimension.drawn(Random(seed)) for seed in range(20)} == {1, 2}
