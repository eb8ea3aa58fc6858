"""Adapt or train a model on the pages annotated so far, then score it, in a process of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.anno_files import read
from victorpy.annotation.folds import folds
from victorpy.annotator.training_history import HISTORY, MODEL, PastScore, append, read_history
from victorpy.errors import VictorError
from victorpy.evaluation.fold_training import FoldTraining
from victorpy.evaluation.predictions import PagePrediction, Sample, facts_of, predictions_of, samples_of
from victorpy.evaluation.scoring import scores_table
from victorpy.foundation.processes import Crash
from victorpy.foundation.processes.background import Background
from victorpy.foundation.resources import find
from victorpy.models import model_folder
from victorpy.models.adapting import adapted, can_be_adapted
from victorpy.models.config import Config
from victorpy.models.model_folder import Model
from victorpy.models.training import train

_MOST_FOLDS = 5


class TrainingProgress(NamedTuple):
    """The state of a training; the score is word F1, from 0 to 1, on pages that the model was not trained on.

    `before` is the score of the adapted model before it was adapted. A training that ends without a score says why.
    """

    message: str
    score: float | None = None
    model: Path | None = None
    is_over: bool = False
    before: float | None = None


@dataclass
class TrainingTask:
    """Learns from the labeled blocks of .anno files; the folder keeps the model and the history of scores.

    It adapts the model `origin`, a name or a folder. Without one, or if that has no network, it trains a new model by
    the config.
    """

    files: Sequence[Path]
    config: Config
    folder: Path
    origin: str = ""
    _background: Background[TrainingProgress] | None = field(default=None, init=False, repr=False)

    def start(self) -> None:
        """Start with the files as they are now; a running training is stopped."""
        self.stop()
        self._background = Background(partial(training_steps, tuple(self.files), self.config, self.folder, self.origin))

    def poll(self) -> TrainingProgress | None:
        """The next progress, or None if there is none yet."""
        found = self._background.poll() if self._background else None
        return TrainingProgress(f"training failed: {found.reason}", is_over=True) if isinstance(found, Crash) else found

    def stop(self) -> None:
        if self._background:
            self._background.stop()
        self._background = None

    @property
    def history(self) -> list[PastScore]:
        """The scores so far, oldest first."""
        return read_history(self.folder / HISTORY)


def training_steps(files: Sequence[Path], config: Config, folder: Path, origin: str = "") -> Iterator[TrainingProgress]:
    """First the model, because suggestions need it soon, then its score. The last progress has `is_over`."""
    try:
        old = _model_to_adapt(origin, folder) if origin else None
        labeled = [file for file in files if any(read(file).labels)]
        samples = samples_of(labeled, old.config if old else config, {})
        yield TrainingProgress(f"adapting {old.name} to {_pages(samples)}" if old else f"training on {_pages(samples)}")
        model_folder.save(_learned(samples, config, old), folder / MODEL)
        yield TrainingProgress(f"new model from {_pages(samples)}", model=folder / MODEL)
        yield from _scoring_steps(_fold_training(labeled, samples, config, old), folder / HISTORY)
    except VictorError as error:
        yield TrainingProgress(str(error), is_over=True)


def _model_to_adapt(name: str, folder: Path) -> Model | None:
    """The model of this name or, if it was adapted here before, the model that it was adapted from."""
    model = model_folder.load(name)
    if find("models", name).resolve() == (folder / MODEL).resolve() and model.card.adapted_from:
        model = _original(model)
    return model if can_be_adapted(model) else None


def _original(model: Model) -> Model:
    """The model that this one was adapted from, if it is still here: the pages must not count twice."""
    origin = model.card.adapted_from[-1]
    try:
        found = model_folder.load(origin.model)
    except VictorError:
        return model
    return found if found.digest == origin.digest else model


def _learned(samples: Sequence[Sample], config: Config, old: Model | None) -> Model:
    pages = [sample.annotated for sample in samples]
    return adapted(old, pages) if old else train(pages, config)


def _pages(samples: Sequence[Sample]) -> str:
    return f"{len(samples)} page{'s' * (len(samples) != 1)}"


def _fold_training(files: Sequence[Path], samples: Sequence[Sample], config: Config, old: Model | None) -> FoldTraining:
    """Folds of whole sites; folds of single pages if all pages are of one site."""
    if len(samples) < 2:
        raise VictorError("no score yet: scoring needs a second annotated page")
    groups = {sample.id: sample.group for sample in samples}
    if len(set(groups.values())) == 1:
        groups = {id: id for id in groups}
    count = min(_MOST_FOLDS, len(set(groups.values())))
    return FoldTraining(config, samples, facts_of(files, config, folds(list(groups), groups, {}, count), 0), old)


def _scoring_steps(training: FoldTraining, history: Path) -> Iterator[TrainingProgress]:
    found: list[PagePrediction] = []
    numbers = training.facts.numbers
    for fold in numbers:
        yield TrainingProgress(f"scoring: fold {fold} of {len(numbers)}")
        found += training.predictions(fold)
    score, before = _score(training, found), None
    if training.origin:
        before = _score(training, training.predictions_before())
    blocks = sum(label is not None for sample in training.samples for label in sample.labels)
    past = PastScore(len(training.samples), blocks, score, before)
    append(past, history)
    yield TrainingProgress(_score_message(past), score=score, is_over=True, before=before)


def _score(training: FoldTraining, found: Sequence[PagePrediction]) -> float:
    pages = predictions_of(training.samples, found, training.facts).pages
    return float(scores_table(pages)["word_f1"].mean())


def _score_message(past: PastScore) -> str:
    change = f"{100 * past.word_f1:.1f}" if past.before is None else _change(past.before, past.word_f1)
    return f"word F1 {change} on {past.pages} held-out pages"


def _change(before: float, after: float) -> str:
    return f"{100 * before:.1f} before, {100 * after:.1f} adapted"
