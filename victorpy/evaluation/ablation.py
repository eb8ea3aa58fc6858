"""Measure the worth of features: remove each feature or group in turn, or keep it alone."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import pandas as pd

from victorpy.errors import UsageError, VictorError, suggestion
from victorpy.evaluation.comparison import compare, holm
from victorpy.evaluation.cross_validation import CrossValidation
from victorpy.evaluation.statistics import USUAL, Bootstrap
from victorpy.features import matches_any
from victorpy.foundation.progress import shown
from victorpy.models.config import Config

log = logging.getLogger("victorpy")

# Four disjoint parts of the features; together they are all features.
PARTS: Mapping[str, tuple[str, ...]] = {
    "markup": ("container.*", "split.*"),
    "content": ("char.*", "token.*", "sentence*", "*-duplicate", "duplicate-*", "regexp.*", "bullet"),
    "groups": ("div-group.*", "td-group.*"),
    "document": ("document.*", "position"),
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    **PARTS,
    "container": ("container.*",),
    "split": ("split.*",),
    "char": ("char.*",),
    "token": ("token.*",),
    "sentence": ("sentence*",),
    "duplicate": ("*-duplicate", "duplicate-*"),
    "regexp": ("regexp.*",),
    "bullet": ("bullet",),
}

By = Literal["feature", "group", "both"]

BASELINE = "all"


def ablate(
    validation: CrossValidation,
    config: Config,
    variants: Mapping[str, Config],
    figure: str = "total",
    bootstrap: Bootstrap = USUAL,
) -> pd.DataFrame:
    """One row for each variant against the whole config, the greatest loss first; the config is the first row.

    `holm_p` is `bootstrap_p` adjusted for the number of variants.
    """
    tables = {BASELINE: validation.scores(config)}
    for name, variant in shown(variants.items(), len(variants), "variants"):
        try:
            tables[name] = validation.scores(variant)
        except VictorError as error:
            log.warning("%s: %s", name, error)
    return _worst_first(_adjusted(compare(tables, figure, bootstrap=bootstrap)), config, variants)


def _adjusted(table: pd.DataFrame) -> pd.DataFrame:
    """Add p values that account for the number of variants."""
    adjusted = table.copy()
    place = list(table.columns).index("bootstrap_p")
    adjusted.insert(place + 1, "holm_p", holm(table["bootstrap_p"].to_list()))
    return adjusted


def _worst_first(table: pd.DataFrame, config: Config, variants: Mapping[str, Config]) -> pd.DataFrame:
    """Variants that could not be trained come last, in empty rows."""
    order = table["difference"].iloc[1:].sort_values(kind="stable").index
    failed = [name for name in variants if name not in table.index]
    table = table.reindex(pd.Index([BASELINE, *order, *failed], name="variant")).astype({"pages": "Int64"})
    sizes = {BASELINE: config, **variants}
    table.insert(0, "features", [len(sizes[name].used_features) for name in table.index])
    return table


def variants(config: Config, by: By = "both", names: Sequence[str] = ()) -> dict[str, Config]:
    """Configs with something removed, by name; `names` are patterns that choose features and groups."""
    _check(config, names)
    chosen = list(_chosen(config, by, names))
    off = {f"without {name}": _without(config, members) for name, members in chosen if _others(config, members)}
    alone = {
        f"only {name}": _without(config, _others(config, members))
        for name, members in chosen
        if name in PARTS and _others(config, members)
    }
    return off | alone


def _check(config: Config, names: Sequence[str]) -> None:
    known = [*GROUPS, *config.used_features]
    for pattern in names:
        if not any(matches_any(name, [pattern]) for name in known):
            raise UsageError(f"no feature in use and no group is named '{pattern}'{suggestion(pattern, known)}")


def _chosen(config: Config, by: By, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names of groups and features, with the features that they stand for."""
    found = groups(config) if by != "feature" or names else {}
    if by != "group" or names:
        found |= {name: (name,) for name in config.used_features}
    for name, members in found.items():
        if not names or matches_any(name, names):
            yield name, members


def groups(config: Config) -> dict[str, tuple[str, ...]]:
    """The features in use of each group that has any."""
    found = {name: _members(config, patterns) for name, patterns in GROUPS.items()}
    return {name: members for name, members in found.items() if members}


def _members(config: Config, patterns: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in config.used_features if matches_any(name, patterns))


def _others(config: Config, members: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in config.used_features if name not in members)


def _without(config: Config, members: Sequence[str]) -> Config:
    return replace(config, without=(*config.without, *members))
