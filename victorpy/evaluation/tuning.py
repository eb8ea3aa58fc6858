"""Search for better settings of a config or of a labeler: a grid, or random draws.

Configs are cross-validated, all over the same folds. Labelers need no training, so each is scored on all pages.

Random search as in Bergstra & Bengio 2012: it finds the important settings sooner than a grid.
"""

import itertools
import logging
import math
import os
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import singledispatch
from pathlib import Path
from time import monotonic
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, get_type_hints

import pandas as pd

from victorpy.errors import OptionError, UsageError, VictorError, suggestion
from victorpy.evaluation.comparison import compare
from victorpy.evaluation.evaluating import labeled_pages
from victorpy.evaluation.predictions import page_ids
from victorpy.evaluation.scoring import scores_table
from victorpy.evaluation.statistics import USUAL, Bootstrap
from victorpy.features.buckets import Bucketing
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.foundation.progress import shown
from victorpy.foundation.yaml_options import dump, options_of, read
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS, name_in
from victorpy.models.config import Config
from victorpy.models.earlier_configs import current_option
from victorpy.pipeline.cleaner import untrained

log = logging.getLogger("victorpy")

# Not an option of a config: a factor for the number of buckets of all features.
BUCKETS = "buckets"

SPACE = (
    "crf.c1=0,0.03,0.1,0.3,1",
    "crf.c2=0.3..300",
    "decoding.prior-characters=0,250,500,1000,2000",
    "decoding.min-probability=0.03,0.15",
    "buckets=0.5,1,2",
)

_MOST_BUCKETS = 255


@dataclass(frozen=True)
class Dimension:
    """An option with its possible values, or with a range of numbers."""

    name: str
    values: tuple[Any, ...] = ()
    low: float = 0.0
    high: float = 0.0
    is_whole: bool = False

    def drawn(self, chance: random.Random) -> Any:
        """A random value; log-uniform between positive numbers, because orders of magnitude matter."""
        if self.values:
            return chance.choice(self.values)
        if self.low > 0:
            value = math.exp(chance.uniform(math.log(self.low), math.log(self.high)))
        else:
            value = chance.uniform(self.low, self.high)
        return round(value) if self.is_whole else float(f"{value:.3g}")


# What is tuned.
Tuned = TypeVar("Tuned", bound=Config | Untrained)
Scored_contra = TypeVar("Scored_contra", bound=Config | Untrained, contravariant=True)


class Trial(NamedTuple, Generic[Tuned]):
    """Settings to try, and the config or labeler with them; trial 0 changes nothing."""

    settings: Mapping[str, Any]
    config: Tuned


class Scorer(Protocol[Scored_contra]):
    """Scores what a trial has made: one row per page."""

    def scores(self, config: Scored_contra, /) -> pd.DataFrame: ...


@dataclass(frozen=True, kw_only=True)
class LabelerScores:
    """Annotated pages on which labelers are scored, each with its gold text if there is one."""

    files: tuple[Path, ...]
    jobs: int = 2
    kinds: Mapping[str, str] = field(default_factory=dict)
    gold_texts: Mapping[str, str] = field(default_factory=dict)
    figure: str = "word_f1"

    def scores(self, labeler: Untrained, /) -> pd.DataFrame:
        pages = zip(page_ids(self.files), labeled_pages(untrained(labeler), [*map(str, self.files)]), strict=True)
        named = [page._replace(id=id, kind=self.kinds.get(id, "")) for id, page in pages]
        texts = self.gold_texts
        with_texts = [page._replace(gold_text=texts[page.id]) for page in named] if texts else named
        return scores_table(with_texts, self.jobs, (self.figure,))


class Budget(NamedTuple):
    """The end of a search, whichever comes first; time is checked between trials."""

    trials: int = 20
    minutes: float = math.inf


_USUAL = Budget()


def tune(
    validation: Scorer[Tuned],
    trials: Iterator[Trial[Tuned]],
    figure: str = "word_f1",
    budget: Budget = _USUAL,
    bootstrap: Bootstrap = USUAL,
) -> tuple[pd.DataFrame, list[Trial[Tuned]]]:
    """One row for each trial, the best first, against trial 0; and the trials by their numbers."""
    done: list[Trial[Tuned]] = []
    tables: dict[str, pd.DataFrame] = {}
    end = monotonic() + 60 * budget.minutes
    for trial in shown(itertools.islice(trials, budget.trials + 1), budget.trials + 1, "trials"):
        if len(done) > 1 and monotonic() > end:
            log.warning("stopped after %d trials: no time left", len(done) - 1)
            break
        tables[str(len(done))] = table = validation.scores(trial.config)
        log.info("trial %d: %s %.4f: %s", len(done), figure, table[figure].mean(), _described(trial.settings))
        done.append(trial)
    return _best_first(compare(tables, figure, bootstrap=bootstrap), done), done


def _described(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items()) or "unchanged"


def _best_first(table: pd.DataFrame, trials: Sequence[Trial[Tuned]]) -> pd.DataFrame:
    settings = pd.DataFrame(
        [dict(trial.settings) for trial in trials], index=pd.Index(range(len(trials)), name="trial")
    )
    results = table.set_axis(pd.Index(range(len(trials)), name="trial"))
    return pd.concat([settings, results], axis=1).sort_values("mean", ascending=False, kind="stable")


# The settings to try


def space(config: Config | Untrained, definitions: Sequence[str] = SPACE) -> list[Dimension]:
    """Parse `option=value,value,…` and `option=least..most`; the config or labeler must accept all values."""
    dimensions = [_dimension(config, definition) for definition in definitions]
    for dimension in dimensions:
        for value in dimension.values or (dimension.low, dimension.high):
            changed(config, {dimension.name: value})
    return dimensions


def _dimension(config: Config | Untrained, definition: str) -> Dimension:
    name, is_given, values = definition.partition("=")
    if not is_given or not values:
        raise UsageError(f"expected OPTION=VALUE,VALUE,… or OPTION=LEAST..MOST, got '{definition}'")
    name = current_option(Config, name) if isinstance(config, Config) else name
    known = _kinds(config)
    kind = known.get(name)
    if kind is None:
        raise UsageError(f"no option to tune is named '{name}'{suggestion(name, known)}")
    low, is_range, high = values.partition("..")
    if is_range and kind in {int, float}:
        return _range(name, kind, _read(kind, low, definition), _read(kind, high, definition))
    return Dimension(name, tuple(_read(kind, value, definition) for value in values.split(",")))


def _range(name: str, kind: Any, low: float, high: float) -> Dimension:
    if low >= high:
        raise UsageError(f"{name}: expected an increasing range, got {low:g}..{high:g}")
    return Dimension(name, low=low, high=high, is_whole=kind is int)


def _read(kind: Any, value: str, definition: str) -> Any:
    try:
        return read(kind, value, definition)
    except VictorError as error:
        raise UsageError(str(error).replace(f"{definition}:1:", f"{definition}:")) from None


@singledispatch
def _kinds(labeler: Any) -> dict[str, Any]:
    """The types of the options of a labeler by their names, or of the options of a config with single values."""
    kinds = get_type_hints(type(labeler))
    return {_dashed(option.name): kinds[option.name] for option in fields(labeler)}


@_kinds.register
def _(config: Config) -> dict[str, Any]:
    sections = {field.name: getattr(config, field.name) for field in fields(config)}
    found = {
        f"{section}.{_dashed(option.name)}": get_type_hints(type(value))[option.name]
        for section, value in sections.items()
        if is_dataclass(value) and section != "markup"
        for option in fields(value)
    }
    return found | {BUCKETS: float}


def random_trials(config: Tuned, dimensions: Sequence[Dimension], seed: int = 0) -> Iterator[Trial[Tuned]]:
    """Endless; a trial depends only on seed and number, so that a longer search starts like a shorter one."""
    yield Trial({}, config)
    for number in itertools.count(1):
        chance = random.Random(f"{seed} {number}")
        yield _trial(config, {dimension.name: dimension.drawn(chance) for dimension in dimensions})


def grid_trials(config: Tuned, dimensions: Sequence[Dimension]) -> Iterator[Trial[Tuned]]:
    """Each point of the grid."""
    endless = [dimension.name for dimension in dimensions if not dimension.values]
    if endless:
        raise UsageError(f"{endless[0]}: a grid needs values, got a range")
    names = [dimension.name for dimension in dimensions]
    points = itertools.product(*(dimension.values for dimension in dimensions))
    trials = (_trial(config, dict(zip(names, point, strict=True))) for point in points)
    return itertools.chain([Trial({}, config)], trials)


def _trial(config: Tuned, settings: Mapping[str, Any]) -> Trial[Tuned]:
    return Trial(settings, changed(config, settings))


def changed(config: Tuned, settings: Mapping[str, Any]) -> Tuned:
    """The config, or the labeler, with these options, named as in a config file."""
    found: Tuned = _changed(config, settings)
    return found


@singledispatch
def _changed(labeler: Any, settings: Mapping[str, Any]) -> Any:
    try:
        return replace(labeler, **{name.replace("-", "_"): value for name, value in settings.items()})
    except OptionError as error:
        raise UsageError(str(error)) from None


@_changed.register
def _(config: Config, settings: Mapping[str, Any]) -> Config:
    for name, value in settings.items():
        section, _, option = name.partition(".")
        try:
            if name == BUCKETS:
                part: Any = {feature: resized(bucketing, value) for feature, bucketing in config.buckets.items()}
            else:
                part = replace(getattr(config, section), **{option.replace("-", "_"): value})
        except OptionError as error:
            raise UsageError(f"{name}: {error.message}") from None
        config = replace(config, **{section: part})
    return config


def resized(bucketing: Bucketing, factor: float) -> Bucketing:
    """About `factor` times as many buckets; two buckets stay two."""
    if problem := MORE_THAN_0.problem(factor):
        raise OptionError(problem, BUCKETS)
    if bucketing.scale:
        return Bucketing(scale=min(max(1, round(bucketing.scale * factor)), _MOST_BUCKETS - 1))
    values = bucketing.values
    while factor >= 2 and 2 < len(values) < len(_with_middles(values)) <= _MOST_BUCKETS:
        values, factor = _with_middles(values), factor / 2
    step = max(1, round(1 / factor))
    return Bucketing(values=values if len(values) <= 2 else values[::step])


def _with_middles(values: Sequence[float]) -> tuple[float, ...]:
    """The values with middles between them; whole numbers get whole middles."""
    is_whole = all(float(value).is_integer() for value in values)
    middles = [(low + high) / 2 for low, high in itertools.pairwise(values)]
    return tuple(sorted({*values, *(math.floor(middle) if is_whole else middle for middle in middles)}))


def labeler_as_yaml(labeler: Untrained) -> str:
    """A config file with the section `labeler`, for --labeler."""
    return dump({"labeler": {"name": name_in(LABELERS, labeler), **options_of(labeler)}})


def as_yaml(base: str, trial: Trial[Config], path: Path) -> str:
    """A config file that includes the tuned config; `path` is where it will be written."""
    name = os.path.relpath(base, path.parent) if Path(base).is_file() else base
    sections: dict[str, Any] = {"include": name if os.sep in name or name == base else f"./{name}"}
    for setting, value in trial.settings.items():
        section, _, option = setting.partition(".")
        if setting == BUCKETS:
            sections[BUCKETS] = trial.config.buckets
        else:
            sections.setdefault(section, {})[option] = value
    return dump(sections)


def _dashed(name: str) -> str:
    return name.replace("_", "-")
