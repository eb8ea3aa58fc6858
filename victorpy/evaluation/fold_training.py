"""Train one model per fold on all other folds, and label the pages of the fold with it."""

import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.annotation.folds import folds
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.predictions import (
    CrossValidationFacts,
    PagePrediction,
    Predictions,
    Sample,
    claim,
    facts_of,
    fold_file,
    predictions_of,
    read_fold,
    samples_of,
    write_fold,
)
from victorpy.foundation.processes import Crash, mapped
from victorpy.foundation.progress import shown
from victorpy.labelers import Labeler, Labeling
from victorpy.models.adapting import adapted
from victorpy.models.config import Config
from victorpy.models.model_folder import Model
from victorpy.models.training import train
from victorpy.page.blocks import Label, Page

log = logging.getLogger("victorpy")

_SMALLEST_CURVE_SIZE = 5
_DIGITS = 6


@dataclass(frozen=True)
class FoldTraining:
    """All that a process needs to train without a fold and to label that fold.

    With an `origin`, this model is adapted to the other folds instead of training a new one.
    """

    config: Config
    samples: Sequence[Sample]
    facts: CrossValidationFacts
    origin: Model | None = None

    @property
    def most_training_pages(self) -> int:
        """The number of training pages that every fold has."""
        return min(len(self._outside(fold)) for fold in self.facts.numbers)

    def with_pages(self, count: int) -> "FoldTraining":
        """The same with `count` training pages per fold; 0 means all."""
        return replace(self, facts=replace(self.facts, training_pages=count))

    def test_samples(self, fold: int) -> list[Sample]:
        return [sample for sample in self.samples if self.facts.folds[sample.id] == fold]

    def training_samples(self, fold: int) -> list[Sample]:
        """In their original order, because the order of pages changes a model."""
        available, count = self._outside(fold), self.facts.training_pages
        chosen = set(sorted((sample.id for sample in available), key=self._ranks().__getitem__)[: count or None])
        return [sample for sample in available if sample.id in chosen]

    def _outside(self, fold: int) -> list[Sample]:
        return [sample for sample in self.samples if self.facts.folds[sample.id] != fold]

    def _ranks(self) -> dict[str, int]:
        ids = sorted(self.facts.folds)
        random.Random(self.facts.seed).shuffle(ids)
        return {id: rank for rank, id in enumerate(ids)}

    def labeler(self, fold: int) -> Labeler:
        pages = [sample.annotated for sample in self.training_samples(fold)]
        if self.origin:
            return _adapted_or_same(self.origin, pages)
        known = {label.base for page in pages for label in page.labels if label}
        if len(known) == 1:
            log.warning("fold %d: its training pages have no label but '%s', and so has its model", fold, *known)
            return ConstantLabeler(known.pop())
        return train(pages, self.config)

    def predictions_before(self) -> list[PagePrediction]:
        """What the origin says of all pages."""
        assert self.origin
        folds = self.facts.folds
        return [_prediction(self.origin.labeling(one.page), one, folds[one.id]) for one in self.samples]

    def predictions(self, fold: int) -> list[PagePrediction]:
        labeler = self.labeler(fold)
        return [_prediction(labeler.labeling(sample.page), sample, fold) for sample in self.test_samples(fold)]


def _adapted_or_same(origin: Model, pages: Sequence[AnnotatedPage]) -> Model:
    """Pages that nothing can be learned from leave the model as it is."""
    try:
        return adapted(origin, pages)
    except VictorError as error:
        log.warning("%s", error)
        return origin


@dataclass(frozen=True)
class ConstantLabeler:
    """Gives every block the same label: all that training pages with a single label teach."""

    label: Label

    def labeling(self, page: Page) -> Labeling:
        return Labeling([self.label] * len(page), probabilities=[float(self.label.is_content)] * len(page))


def _prediction(labeling: Labeling, sample: Sample, fold: int) -> PagePrediction:
    return PagePrediction(
        id=sample.id,
        fold=fold,
        kind=sample.kind,
        group=sample.group,
        labels=labeling.labels,
        probabilities=[round(value, _DIGITS) for value in labeling.probabilities or ()],
    )


def fold_training(
    files: Sequence[Path], config: Config, count: int, seed: int, members: Mapping[str, Membership] | None = None
) -> FoldTraining:
    """Read annotated pages and assign them to `count` folds."""
    samples = samples_of(files, config, members or {})
    groups = {sample.id: sample.group for sample in samples}
    kinds = {sample.id: sample.kind for sample in samples}
    assigned = folds([sample.id for sample in samples], groups, kinds, count, seed)
    return FoldTraining(config, samples, facts_of(files, config, assigned, seed))


def trained_predictions(training: FoldTraining, jobs: int, folder: Path | None = None) -> Predictions:
    """Train the folds that the folder does not hold yet, and return the predictions of all folds."""
    if folder:
        claim(folder, training.config, training.facts)
    files = {fold: fold_file(folder, fold) for fold in training.facts.numbers} if folder else {}
    done = [fold for fold, file in files.items() if file.exists()]
    found = [prediction for fold in done for prediction in read_fold(files[fold])]
    missing = [fold for fold in training.facts.numbers if fold not in done]
    for predictions in shown(_trained(_FoldWorker(training, files), missing, jobs), len(missing), "folds"):
        found += predictions
    return predictions_of(training.samples, found, training.facts)


@dataclass(frozen=True)
class _FoldWorker:
    """Trains one fold at a time and writes each fold as soon as it is done."""

    training: FoldTraining
    files: Mapping[int, Path]

    def predictions(self, fold: int) -> list[PagePrediction]:
        found = self.training.predictions(fold)
        if fold in self.files:
            write_fold(self.files[fold], found)
        return found


def _trained(worker: _FoldWorker, missing: Sequence[int], jobs: int) -> Iterator[list[PagePrediction]]:
    for fold, predictions in mapped(worker.predictions, missing, jobs, chunk_size=1):
        if isinstance(predictions, Crash):
            raise VictorError(f"fold {fold}: {predictions.reason}")
        yield predictions


def curve_sizes(training: FoldTraining, sizes: Sequence[int] = ()) -> list[int]:
    """The numbers of training pages of a learning curve; every fold must have so many pages."""
    most = training.most_training_pages
    for size in sizes:
        if not 1 <= size <= most:
            raise UsageError(f"expected from 1 to {most} training pages, got {size}: these folds have no more")
    return sorted(set(sizes)) or doubled_sizes(most)


def doubled_sizes(most: int) -> list[int]:
    """5, 10, 20 and so on, and finally `most`."""
    sizes = [most]
    size = _SMALLEST_CURVE_SIZE
    while size < most:
        sizes.append(size)
        size *= 2
    return sorted(sizes)
