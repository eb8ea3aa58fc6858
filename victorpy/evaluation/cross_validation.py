"""Cross-validate configs over the same folds; a folder keeps the results, so that nothing is trained twice."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pandas as pd

from victorpy.annotation.anno_files import page_as_annotated, read
from victorpy.annotation.page_groups import Membership
from victorpy.errors import VictorError
from victorpy.evaluation.fold_training import FoldTraining, curve_sizes, fold_training, trained_predictions
from victorpy.evaluation.predictions import Predictions, is_prediction_folder, page_ids, with_gold_texts
from victorpy.evaluation.scoring import ScoredPage, scores_table, texts_of
from victorpy.foundation.digests import data_digest, versions
from victorpy.foundation.files import read_text, write_text
from victorpy.models.config import Config, config_digest
from victorpy.page.blocks import Label

log = logging.getLogger("victorpy")

_TEXT_COLUMNS = ("kind", "group")
_DIGITS = 16


@dataclass(frozen=True, kw_only=True)
class CrossValidation:
    """Pages and folds that several configs share.

    `gold_texts` maps ids of pages to the expected text. Without it the gold labels give the expected text.
    """

    files: tuple[Path, ...]
    count: int = 6
    seed: int = 0
    jobs: int = 2
    folder: Path | None = None
    members: Mapping[str, Membership] = field(default_factory=dict)
    gold_texts: Mapping[str, str] = field(default_factory=dict)

    def predictions(self, config: Config) -> Predictions:
        """Labels of every page by a model that was trained without the page's fold."""
        return self._predictions(self._training(config))

    def curve(self, config: Config, sizes: Sequence[int] = ()) -> dict[int, Predictions]:
        """Predictions by the number of training pages; a larger number has all pages of a smaller one."""
        training = self._training(config)
        return {size: self._predictions(training.with_pages(size)) for size in curve_sizes(training, sizes)}

    def scores(self, config: Config) -> pd.DataFrame:
        """One row per page, from the folder if the same was scored before."""
        if not self.folder:
            return self._scores(config)
        path = self.home(config) / self.scores_file
        if path.exists():
            log.info("%s: scored before", path.parent)
            return read_scores(path)
        table = self._scores(config)
        write_text(path, table.to_csv())
        return table

    def _scores(self, config: Config) -> pd.DataFrame:
        return scores_table(self.predictions(config).pages, self.jobs)

    def _training(self, config: Config) -> FoldTraining:
        return fold_training(self.files, config, self.count, self.seed, self.members)

    def _predictions(self, training: FoldTraining) -> Predictions:
        folder = self.home(training.config, training.facts.training_pages) if self.folder else None
        found = trained_predictions(training, self.jobs, folder)
        return with_gold_texts(found, self.gold_texts) if self.gold_texts else found

    def home(self, config: Config, training_pages: int = 0) -> Path:
        """The folder of these predictions: `pages-N` for a point of a learning curve.

        A folder from an earlier version may hold one cross-validation by itself, and is used as it is.
        """
        if not self.folder:
            raise ValueError("no folder")
        inner = f"pages-{training_pages}" if training_pages else ""
        if is_prediction_folder(self.folder / inner):
            return self.folder / inner
        return self.folder / self.name_of(config) / inner

    def name_of(self, config: Config) -> str:
        """The name of a config's folder: a digest of all that its predictions depend on."""
        common = (self.data, self.count, self.seed, sorted(self.members.items()), versions())
        return _digest(config_digest(config), *common)

    @cached_property
    def scores_file(self) -> str:
        """The name holds a digest of all else that scores depend on: gold texts and versions."""
        return f"scores-{_digest(sorted(self.gold_texts.items()), versions())}.csv"

    @cached_property
    def data(self) -> str:
        return data_digest(self.files)


def cross_validate(  # noqa: PLR0913, PLR0917
    files: Sequence[Path],
    config: Config,
    count: int = 6,
    seed: int = 0,
    jobs: int = 2,
    folder: Path | None = None,
    members: Mapping[str, Membership] | None = None,
) -> Predictions:
    """Train once per fold without that fold, and label the fold; `folder` keeps the folds that are done."""
    validation = CrossValidation(
        files=tuple(files), count=count, seed=seed, jobs=jobs, folder=folder, members=members or {}
    )
    return validation.predictions(config)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def read_scores(path: Path) -> pd.DataFrame:
    """A table of scores exactly as it was written."""
    table = pd.read_csv(StringIO(read_text(path)), dtype=str, keep_default_na=False).set_index("id")
    types = scores_table([]).dtypes
    if list(table.columns) != list(types.index):
        raise VictorError("this table of scores has other columns than this version writes: remove the file", path)
    numbers = [name for name in types.index if name not in _TEXT_COLUMNS]
    columns = {name: pd.Series(_numbers(table[name]), table.index, types[name]) for name in numbers}
    return table.assign(**columns)


def _numbers(column: "pd.Series[str]") -> list[float]:
    """Parsed by Python: the fast parser of pandas changes the last digit."""
    return [float(cell or "nan") for cell in column]


def annotated_texts(files: Sequence[Path]) -> dict[str, str]:
    """The text that each page's labels print, with the blocks that the page had when it was annotated."""
    return {id: _annotated_text(path) for id, path in zip(page_ids(files), files, strict=True)}


def _annotated_text(path: Path) -> str:
    annotation = read(path)
    page, labels, _ = page_as_annotated(annotation)
    return texts_of(ScoredPage(page.id, page, labels, [Label.OTHER] * len(page))).gold
