"""Learning boosted trees: the only place that knows CatBoost."""

import json
import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from victorpy.errors import MisfitError, UsageError, VictorError
from victorpy.models.trees import MOST_DEPTH, Matrix, Trees
from victorpy.page.blocks import Label
from victorpy.page.elements import Flags, Floats

log = logging.getLogger("victorpy")

# Whatever the machine has, because sums depend on how they are shared out.
_THREADS = 2

_MOST_SEED = (1 << 31) - 1


@dataclass(frozen=True)
class Scoring:
    """A scorer of single blocks beside the CRF: what it sees, how it learns, and its share of the probability.

    A block counts in learning by its characters to the power of `weight-power`: 0 counts all blocks alike.
    """

    learner: Literal["none", "trees"] = "none"
    features: tuple[str, ...] = ()
    share: float = 0.5
    trees: int = 200
    depth: int = 6
    learning_rate: float = 0.2
    l2: float = 3.0
    weight_power: float = 1.0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.share <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.share:g}", "share")
        if not 0 < self.learning_rate <= 1:
            raise MisfitError(f"above 0, and 1 at most, is wanted, not {self.learning_rate:g}", "learning-rate")
        for name, least, most in (("trees", 1, 10_000), ("depth", 1, MOST_DEPTH), ("seed", 0, _MOST_SEED)):
            if not least <= getattr(self, name) <= most:
                raise MisfitError(f"from {least} to {most} is wanted, not {getattr(self, name)}", name)
        for name in ("l2", "weight_power"):
            if getattr(self, name) < 0:
                raise MisfitError(f"0 or more is wanted, not {getattr(self, name):g}", name.replace("_", "-"))
        if self.learner == "trees" and not self.features:
            raise MisfitError("trees want at least one feature: scorer.features names none", "learner")

    @property
    def has_trees(self) -> bool:
        return self.learner == "trees"


class MeasuredPage(NamedTuple):
    """What is learned from: a page's labeled blocks, which of them are content, and how much each counts."""

    matrix: Matrix
    is_content: Flags
    weights: Floats


def measured(matrix: Matrix, labels: Sequence[Label | None], weights: Floats) -> MeasuredPage:
    """Of all blocks (feature × block) those that have a label."""
    labeled = [block for block, label in enumerate(labels) if label is not None]
    is_content = np.array([label.is_content for label in labels if label is not None], np.bool_)
    return MeasuredPage(matrix[:, labeled], is_content, weights[labeled])


def check_installed() -> None:
    """Tells before long work that trees could not be learned."""
    try:
        import catboost  # noqa: F401, PLC0415
    except ImportError:
        raise UsageError("learning trees needs CatBoost: pip install 'victor-cleaner[trees]'") from None


def learn(pages: Sequence[MeasuredPage], features: Sequence[str], scoring: Scoring) -> Trees:
    """Learns to tell content from noise."""
    check_installed()
    from catboost import CatBoostClassifier, Pool  # noqa: PLC0415

    matrix = np.concatenate([page.matrix for page in pages], axis=1)
    is_content = np.concatenate([page.is_content for page in pages])
    weights = np.concatenate([page.weights for page in pages])
    _check(matrix, is_content, weights)
    log.info("%d blocks, %d features, %d trees", len(is_content), len(features), scoring.trees)
    # Blocks × features in the order of columns, which CatBoost reads without a copy.
    pool = Pool(matrix.T, is_content.astype(np.int32), weight=weights / weights.mean(), feature_names=list(features))
    estimator = CatBoostClassifier(**_options(scoring))
    estimator.fit(pool)
    return compiled(_exported(estimator))


def _check(matrix: Matrix, is_content: Flags, weights: Floats) -> None:
    if is_content.all() or not is_content.any():
        found = "content" if is_content.any() else "noise"
        raise VictorError(f"nothing for trees to tell apart: every labeled block of these pages is {found}")
    if not (matrix != matrix[:, :1]).any():
        raise VictorError("nothing for trees to learn from: no feature of scorer.features differs between blocks")
    if not weights.sum() > 0:
        raise VictorError("nothing for trees to learn from: no page has a weight")


def _options(scoring: Scoring) -> dict[str, Any]:
    return {
        "iterations": scoring.trees,
        "depth": scoring.depth,
        "learning_rate": scoring.learning_rate,
        "l2_leaf_reg": scoring.l2,
        "random_seed": scoring.seed,
        "grow_policy": "SymmetricTree",
        "boosting_type": "Plain",
        "thread_count": _THREADS,
        "logging_level": "Silent",
        "allow_writing_files": False,
    }


def _exported(estimator: Any) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model.json")
        estimator.save_model(str(file), format="json")
        exported: dict[str, Any] = json.loads(file.read_bytes())
    return exported


# CatBoost's export in JSON


class _Split(NamedTuple):
    """Is the feature above the border?"""

    feature: int
    border: float


def compiled(exported: Mapping[str, Any]) -> Trees:
    """Lays out CatBoost's export as arrays, with those features only that some tree asks for."""
    questions = [[_split(split) for split in tree["splits"] or ()] for tree in exported["oblivious_trees"]]
    depth = max(1, *map(len, questions))
    splits = sorted({*chain.from_iterable(questions)}) or [_Split(0, np.inf)]
    used = sorted({split.feature for split in splits})
    names = {info["feature_index"]: info["feature_id"] for info in exported["features_info"]["float_features"]}
    scale, (bias,) = exported["scale_and_bias"]
    return Trees(
        tuple(names[feature] for feature in used),
        np.array([used.index(split.feature) for split in splits], np.int32),
        np.array([split.border for split in splits], np.float32),
        _question_table(questions, splits, depth),
        scale * np.array([_all_leaves(tree["leaf_values"], depth) for tree in exported["oblivious_trees"]]),
        float(bias),
    )


def _split(exported: Mapping[str, Any]) -> _Split:
    return _Split(exported["float_feature_index"], exported["border"])


def _question_table(questions: Sequence[Sequence[_Split]], splits: Sequence[_Split], depth: int) -> Any:
    """The numbers of the splits: depth × tree; a shallow tree asks further questions, whose answers do not matter."""
    numbers = {split: number for number, split in enumerate(splits)}
    table = np.zeros((depth, len(questions)), np.int32)
    for tree, of_tree in enumerate(questions):
        table[: len(of_tree), tree] = [numbers[split] for split in of_tree]
    return table


def _all_leaves(values: Sequence[float], depth: int) -> Floats:
    """Of a shallow tree every leaf again for each answer that does not matter."""
    return np.tile(np.array(values, np.float64), (1 << depth) // len(values))
