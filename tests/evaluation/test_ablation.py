from dataclasses import replace

import pytest

from victorpy import errors
from victorpy.annotation.page_groups import Membership
from victorpy.evaluation.ablation import BASELINE, GROUPS, PARTS, ablate, groups, variants
from victorpy.evaluation.comparison import holm
from victorpy.evaluation.cross_validation import CrossValidation
from victorpy.evaluation.statistics import Bootstrap
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


def test_every_feature_of_the_shipped_configs_belongs_to_one_part():
    parts = {name: members for name, members in groups(CLEANEVAL).items() if name in PARTS}

    assert sorted(member for members in parts.values() for member in members) == sorted(CLEANEVAL.used_features)


def test_every_group_has_features():
    assert groups(CLEANEVAL).keys() == GROUPS.keys()


def test_each_feature_and_each_group_is_switched_off_and_each_part_used_alone():
    found = variants(CLEANEVAL)

    assert "token.num-rel" not in found["without token.num-rel"].used_features
    assert len(found["without token.num-rel"].used_features) == len(CLEANEVAL.features) - 1
    assert not any(name.startswith("char.") for name in found["without char"].used_features)
    assert {name.partition(".")[0] for name in found["only markup"].used_features} == {"container", "split"}
    assert {name for name in found if name.startswith("only")} == {f"only {part}" for part in PARTS}


def test_what_is_switched_off_already_stays_so(small):
    found = variants(replace(small, without=("position",)), "feature")

    assert "without position" not in found
    assert found["without sentence-end"].without == ("position", "sentence-end")


@pytest.mark.parametrize(
    ("by", "names", "expected"),
    [
        ("feature", ["position"], {"without position"}),
        ("group", ["container"], {"without container"}),
        ("both", ["markup"], {"without markup", "only markup"}),
        ("both", ["*end"], {"without sentence-end"}),
    ],
)
def test_names_choose_features_and_groups(small, by, names, expected):
    assert set(variants(small, by, names)) == expected


def test_an_unknown_name_is_named(small):
    with pytest.raises(errors.UsageError, match=r"no feature .* is named 'positoin'; did you mean 'position'"):
        variants(small, names=["positoin"])


@pytest.mark.slow
def test_what_costs_most_comes_first(small, validation):
    table = ablate(validation, small, variants(small, "group"), "accuracy", Bootstrap(samples=200))

    assert table.index[0] == BASELINE
    assert table["features"].iloc[0] == 7
    assert table["difference"].iloc[1:].dropna().is_monotonic_increasing
    assert set(table.index) == {BASELINE, *variants(small, "group")}


def test_chances_are_adjusted_for_the_number_of_variants(small, validation):
    table = ablate(validation, small, variants(small, names=["position", "sentence-end"]), "accuracy")

    unadjusted = table["bootstrap_p"].iloc[1:].tolist()
    assert table["holm_p"].iloc[1:].tolist() == pytest.approx(holm(unadjusted))
    assert min(table["holm_p"].iloc[1:]) == pytest.approx(min(1, 2 * min(unadjusted)))


def test_what_was_scored_before_is_not_learned_again(small, validation, monkeypatch):
    chosen = variants(small, names=["position"])
    first = ablate(validation, small, chosen, "total")
    monkeypatch.setattr(
        "victorpy.evaluation.cross_validation.trained_predictions", lambda *_: pytest.fail("learned again")
    )

    second = ablate(validation, small, chosen, "total")

    assert second.equals(first)


def test_what_cannot_be_learned_from_is_told_and_has_an_empty_row(small, validation, caplog):
    chosen = variants(small, names=["position", "sentence-end"])
    failing = Failing(validation, chosen["without position"])

    table = ablate(failing, small, chosen, "total")

    assert list(table.index) == [BASELINE, "without sentence-end", "without position"]
    assert table["mean"].isna().tolist() == [False, False, True]
    assert "without position: nothing to learn from" in caplog.text


class Failing:
    """A validation that fails for one config."""

    def __init__(self, validation, config):
        self.validation, self.config = validation, config

    def scores(self, config):
        if config is self.config:
            raise errors.VictorError("nothing to learn from")
        return self.validation.scores(config)
