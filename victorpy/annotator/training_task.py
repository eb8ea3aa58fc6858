"""Train a model on the pages annotated so far, then score it, in a process of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.anno_files import read
from victorpy.annotation.folds import folds
from victorpy.errors import VictorError
from victorpy.evaluation.fold_training import FoldTraining
from victorpy.evaluation.predictions import PagePrediction, Sample, facts_of, predictions_of, samples_of
from victorpy.evaluation.scoring import scores_table
from victorpy.foundation.files import read_text, write_text
from victorpy.foundation.processes import Crash
from victorpy.foundation.processes.background import Background
from victorpy.models import model_folder
from victorpy.models.config import Config
from victorpy.models.training import train

MODEL, HISTORY = "model", "scores.tsv"

_MOST_FOLDS = 5
_HEAD = "pages\tblocks\tword_f1"


class TrainingProgress(NamedTuple):
    """The state of a training; the score is word F1, from 0 to 1, on pages that the model was not trained on."""

    message: str
    score: float | None = None
    model: Path | None = None
    is_over: bool = False


class PastScore(NamedTuple):
    """The score of an earlier training, with the number of pages and blocks labeled then."""

    pages: int
    blocks: int
    word_f1: float


@dataclass
class TrainingTask:
    """Trains on the labeled blocks of .anno files; the folder keeps the model and the history of scores."""

    files: Sequence[Path]
    config: Config
    folder: Path
    _background: Background[TrainingProgress] | None = field(default=None, init=False, repr=False)

    def start(self) -> None:
        """Start with the files as they are now; a running training is stopped."""
        self.stop()
        self._background = Background(partial(training_steps, tuple(self.files), self.config, self.folder))

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


def training_steps(files: Sequence[Path], config: Config, folder: Path) -> Iterator[TrainingProgress]:
    """First the model, because suggestions need it soon, then its score. The last progress has `is_over`."""
    try:
        labeled = [file for file in files if any(read(file).labels)]
        samples = samples_of(labeled, config, {})
        yield TrainingProgress(f"training on {_pages(len(samples))}")
        model_folder.save(train([sample.annotated for sample in samples], config), folder / MODEL)
        yield TrainingProgress(f"new model from {_pages(len(samples))}", model=folder / MODEL)
        yield from _scoring_steps(_fold_training(labeled, samples, config), folder / HISTORY)
    except VictorError as error:
        yield TrainingProgress(str(error), is_over=True)


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


def _fold_training(files: Sequence[Path], samples: Sequence[Sample], config: Config) -> FoldTraining:
    """Folds of whole sites; folds of single pages if all pages are of one site."""
    if len(samples) < 2:
        raise VictorError("no score yet: scoring needs a second annotated page")
    groups = {sample.id: sample.group for sample in samples}
    if len(set(groups.values())) == 1:
        groups = {id: id for id in groups}
    count = min(_MOST_FOLDS, len(set(groups.values())))
    return FoldTraining(config, samples, facts_of(files, config, folds(list(groups), groups, {}, count), 0))


def _scoring_steps(training: FoldTraining, history: Path) -> Iterator[TrainingProgress]:
    found: list[PagePrediction] = []
    numbers = training.facts.numbers
    for fold in numbers:
        yield TrainingProgress(f"scoring: fold {fold} of {len(numbers)}")
        found += training.predictions(fold)
    pages = predictions_of(training.samples, found, training.facts).pages
    score = float(scores_table(pages)["word_f1"].mean())
    _append(PastScore(len(pages), sum(label is not None for page in pages for label in page.gold), score), history)
    yield TrainingProgress(f"word F1 {100 * score:.1f} on {len(pages)} held-out pages", score=score, is_over=True)


def read_history(path: Path) -> list[PastScore]:
    if not path.exists():
        return []
    try:
        rows = [line.split("\t") for line in read_text(path).splitlines()[1:]]
        return [PastScore(int(pages), int(blocks), float(score)) for pages, blocks, score in rows]
    except ValueError as error:
        raise VictorError("not a history of scores: remove the file to start a new one", path) from error


def _append(past: PastScore, path: Path) -> None:
    """Append the score, or replace the last one if pages and blocks are the same."""
    known = read_history(path)
    kept = known[:-1] if known and known[-1][:2] == past[:2] else known
    lines = [_HEAD, *("\t".join(map(str, row)) for row in (*kept, past))]
    write_text(path, "".join(f"{line}\n" for line in lines))
