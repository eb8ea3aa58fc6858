"""Cross-validation: every page labeled by a model that has seen neither it nor its group."""

import logging
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from victorpy.annotation.folds import folds
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.predictions import (
    Answer,
    Facts,
    Predictions,
    Sample,
    claim,
    facts_of,
    fold_file,
    predictions_of,
    read_answers,
    samples_of,
    write_answers,
)
from victorpy.evaluation.scoring import FIGURES, scores_table
from victorpy.foundation.processes import Crash, mapped
from victorpy.foundation.progress import shown
from victorpy.labelers import Labeler, Labeling
from victorpy.models.config import Config
from victorpy.models.training import train
from victorpy.page.blocks import Label, Page

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger("victorpy")

# The original's table: labeling (1) and (2), cleaning (3), (4) and (5).
ORIGINAL = ("accuracy", "content_accuracy", "text_markup", "text", "total")

# The original counts labels over all blocks, and texts page by page.
OVER_BLOCKS = ("accuracy", "content_accuracy")

_FIRST_SIZE = 5
_DIGITS = 6


def cross_validate(  # noqa: PLR0913, PLR0917
    files: Sequence[Path],
    config: Config,
    count: int = 6,
    seed: int = 0,
    jobs: int = 2,
    folder: Path | None = None,
    members: Mapping[str, Membership] | None = None,
) -> Predictions:
    """Trains as often as there are folds, each time without one; `folder` keeps the folds that are done."""
    return run(trial_of(files, config, count, seed, members), jobs, folder)


@dataclass(frozen=True)
class Trial:
    """All that a process needs to train without a fold, and to label that fold."""

    config: Config
    samples: Sequence[Sample]
    facts: Facts

    @property
    def most_training_pages(self) -> int:
        """As many as every fold leaves."""
        return min(len(self._left_by(fold)) for fold in self.facts.numbers)

    def with_pages(self, count: int) -> "Trial":
        return replace(self, facts=replace(self.facts, training_pages=count))

    def tested(self, fold: int) -> list[Sample]:
        return [sample for sample in self.samples if self.facts.folds[sample.id] == fold]

    def trained_on(self, fold: int) -> list[Sample]:
        """In the order in which they came: all pages give the same model, however they were chosen."""
        available, wanted = self._left_by(fold), self.facts.training_pages
        chosen = set(sorted((sample.id for sample in available), key=self._ranks().__getitem__)[: wanted or None])
        return [sample for sample in available if sample.id in chosen]

    def _left_by(self, fold: int) -> list[Sample]:
        return [sample for sample in self.samples if self.facts.folds[sample.id] != fold]

    def _ranks(self) -> dict[str, int]:
        ids = sorted(self.facts.folds)
        random.Random(self.facts.seed).shuffle(ids)
        return {id: rank for rank, id in enumerate(ids)}

    def labeler(self, fold: int) -> Labeler:
        pages = [sample.annotated for sample in self.trained_on(fold)]
        known = {label.base for page in pages for label in page.labels if label}
        if len(known) == 1:
            log.warning("fold %d: its training pages have no label but '%s', and so has its model", fold, *known)
            return Always(known.pop())
        return train(pages, self.config)

    def answers(self, fold: int) -> list[Answer]:
        labeler = self.labeler(fold)
        return [_answer(labeler.labeling(sample.page), sample, fold) for sample in self.tested(fold)]


@dataclass(frozen=True)
class Always:
    """Labels every block the same: all there is to learn from pages with a single label."""

    label: Label

    def labeling(self, page: Page) -> Labeling:
        return Labeling([self.label] * len(page), probabilities=[float(self.label.is_content)] * len(page))


def _answer(labeling: Labeling, sample: Sample, fold: int) -> Answer:
    probabilities = [round(value, _DIGITS) for value in labeling.probabilities or ()]
    return Answer(sample.id, fold, sample.kind, sample.group, labeling.labels, probabilities)


def trial_of(
    files: Sequence[Path], config: Config, count: int, seed: int, members: Mapping[str, Membership] | None = None
) -> Trial:
    samples = samples_of(files, config, members or {})
    groups = {sample.id: sample.group for sample in samples}
    kinds = {sample.id: sample.kind for sample in samples}
    assigned = folds([sample.id for sample in samples], groups, kinds, count, seed)
    return Trial(config, samples, facts_of(files, config, assigned, seed))


def run(trial: Trial, jobs: int, folder: Path | None = None) -> Predictions:
    """Does the folds that the folder does not have yet."""
    if folder:
        claim(folder, trial.config, trial.facts)
    files = {fold: fold_file(folder, fold) for fold in trial.facts.numbers} if folder else {}
    known = [fold for fold, file in files.items() if file.exists()]
    answers = [answer for fold in known for answer in read_answers(files[fold])]
    unknown = [fold for fold in trial.facts.numbers if fold not in known]
    for found in shown(_found(Worker(trial, files), unknown, jobs), len(unknown), "folds"):
        answers += found
    return predictions_of(trial.samples, answers, trial.facts)


def run_curve(
    trial: Trial, sizes: Iterable[int] = (), jobs: int = 2, folder: Path | None = None
) -> dict[int, Predictions]:
    """The same with so many training pages only, by their number; a larger number has all pages of a smaller one."""
    wanted, most = sorted(set(sizes)), trial.most_training_pages
    wrong = [size for size in wanted if not 1 <= size <= most]
    if wrong:
        raise UsageError(f"{wrong[0]} training pages: these folds leave 1 to {most}")
    return {
        size: run(trial.with_pages(size), jobs, folder and folder / f"pages-{size}") for size in wanted or doubled(most)
    }


def doubled(most: int) -> list[int]:
    """5, 10, 20 and so on, and the most at the end."""
    sizes = [most]
    size = _FIRST_SIZE
    while size < most:
        sizes.append(size)
        size *= 2
    return sorted(sizes)


@dataclass(frozen=True)
class Worker:
    """Does one fold after another in a process of its own, and writes each as soon as it is done."""

    trial: Trial
    files: Mapping[int, Path]

    def answers(self, fold: int) -> list[Answer]:
        answers = self.trial.answers(fold)
        if fold in self.files:
            write_answers(self.files[fold], answers)
        return answers


def _found(worker: Worker, unknown: Sequence[int], jobs: int) -> Iterator[list[Answer]]:
    for fold, answers in mapped(worker.answers, unknown, jobs, chunk_size=1):
        if isinstance(answers, Crash):
            raise VictorError(f"fold {fold}: {answers.reason}")
        yield answers


# Figures


def page_scores(predictions: Predictions, figures: Collection[str] = tuple(FIGURES)) -> "pd.DataFrame":
    """The figures of every page, and its fold; `figures` as for `scores_table`."""
    table = scores_table(predictions.pages, figures=figures)
    table.insert(0, "fold", [predictions.folds[str(id)] for id in table.index])
    return table


def original_table(scores: "pd.DataFrame", figures: Sequence[str] = ORIGINAL) -> "pd.DataFrame":
    """The original's table from `page_scores`: the mean of the folds, how they spread, and each fold."""
    import pandas as pd  # noqa: PLC0415

    by_fold = pd.DataFrame({f"fold {fold}": _fold_figures(pages, figures) for fold, pages in scores.groupby("fold")})
    summary = {"mean": by_fold.mean(axis=1), "sd": by_fold.std(axis=1)}
    summary |= {"least": by_fold.min(axis=1), "most": by_fold.max(axis=1)}
    return pd.concat([pd.DataFrame(summary), by_fold], axis=1).rename_axis("figure")


def _fold_figures(pages: "pd.DataFrame", figures: Sequence[str]) -> dict[str, float]:
    return {
        figure: _over_blocks(pages, figure) if figure in OVER_BLOCKS else pages[figure].mean() for figure in figures
    }


def _over_blocks(pages: "pd.DataFrame", figure: str) -> float:
    known = pages[pages[figure].notna()]
    total = known["blocks"].sum()
    return float((known[figure] * known["blocks"]).sum() / total) if total else float("nan")


def curve_table(scores: Mapping[int, "pd.DataFrame"], figures: Sequence[str] = ORIGINAL) -> "pd.DataFrame":
    """A row for each number of training pages, a column for the mean of each figure over the folds."""
    import pandas as pd  # noqa: PLC0415

    means = {size: original_table(table, figures)["mean"] for size, table in scores.items()}
    return pd.DataFrame.from_dict(means, orient="index", columns=list(figures)).rename_axis("training pages")


def curve_of(scores: Mapping[int, "pd.DataFrame"], figure: str) -> "pd.DataFrame":
    """A row for each number of training pages: the mean of the figure over the folds, and one sd below and above."""
    import pandas as pd  # noqa: PLC0415

    rows = {size: original_table(table, [figure]).loc[figure, ["mean", "sd"]] for size, table in scores.items()}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("training pages")
    return table.assign(low=table["mean"] - table["sd"], high=table["mean"] + table["sd"])
