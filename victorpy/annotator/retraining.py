"""A model of the pages annotated so far, and how good it is, made in the background while annotation goes on."""

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


class Progress(NamedTuple):
    """How far a training is; the score is the word F1, from 0 to 1, on pages that their models have not seen."""

    message: str
    score: float | None = None
    model: Path | None = None
    is_over: bool = False


class Past(NamedTuple):
    """The score of an earlier training, and how much was annotated then."""

    pages: int
    blocks: int
    word_f1: float


@dataclass
class Retraining:
    """Trains on the labeled blocks of .anno files; the model and the history of scores stay in the folder."""

    files: Sequence[Path]
    config: Config
    folder: Path
    _background: Background[Progress] | None = field(default=None, init=False, repr=False)

    def start(self) -> None:
        """From the files as they are now; a training under way is given up."""
        self.stop()
        self._background = Background(partial(trained, tuple(self.files), self.config, self.folder))

    def poll(self) -> Progress | None:
        """The next news, if there are any by now."""
        found = self._background.poll() if self._background else None
        return Progress(f"no model: {found.reason}", is_over=True) if isinstance(found, Crash) else found

    def stop(self) -> None:
        if self._background:
            self._background.stop()
        self._background = None

    @property
    def history(self) -> list[Past]:
        """The scores so far, oldest first."""
        return read_history(self.folder / HISTORY)


def trained(files: Sequence[Path], config: Config, folder: Path) -> Iterator[Progress]:
    """First the model, which is wanted soon, then its score; the last news is the one that is over."""
    try:
        labeled = [file for file in files if any(read(file).labels)]
        samples = samples_of(labeled, config, {})
        yield Progress(f"learning from {_pages(len(samples))}")
        model_folder.save(train([sample.annotated for sample in samples], config), folder / MODEL)
        yield Progress(f"a new model, from {_pages(len(samples))}", model=folder / MODEL)
        yield from _scored(_fold_training(labeled, samples, config), folder / HISTORY)
    except VictorError as error:
        yield Progress(str(error), is_over=True)


def _pages(count: int) -> str:
    return f"{count} page{'s' * (count != 1)}"


def _fold_training(files: Sequence[Path], samples: Sequence[Sample], config: Config) -> FoldTraining:
    """Folds that leave sites whole; those of one page each, where all are of the same site."""
    if len(samples) < 2:
        raise VictorError("no score yet: a second annotated page is wanted, to try a model on")
    groups = {sample.id: sample.group for sample in samples}
    if len(set(groups.values())) == 1:
        groups = {id: id for id in groups}
    count = min(_MOST_FOLDS, len(set(groups.values())))
    return FoldTraining(config, samples, facts_of(files, config, folds(list(groups), groups, {}, count), 0))


def _scored(training: FoldTraining, history: Path) -> Iterator[Progress]:
    found: list[PagePrediction] = []
    numbers = training.facts.numbers
    for fold in numbers:
        yield Progress(f"scoring: part {fold} of {len(numbers)}")
        found += training.predictions(fold)
    pages = predictions_of(training.samples, found, training.facts).pages
    score = float(scores_table(pages)["word_f1"].mean())
    _remember(Past(len(pages), sum(label is not None for page in pages for label in page.gold), score), history)
    yield Progress(f"word F1 {100 * score:.1f} on held-out pages, of {len(pages)}", score=score, is_over=True)


def read_history(path: Path) -> list[Past]:
    if not path.exists():
        return []
    try:
        rows = [line.split("\t") for line in read_text(path).splitlines()[1:]]
        return [Past(int(pages), int(blocks), float(score)) for pages, blocks, score in rows]
    except ValueError as error:
        raise VictorError("no history of scores: remove it, and it begins anew", path) from error


def _remember(past: Past, path: Path) -> None:
    """At the end; the score of the same pages and blocks, made again, takes the place of the last."""
    known = read_history(path)
    kept = known[:-1] if known and known[-1][:2] == past[:2] else known
    lines = [_HEAD, *("\t".join(map(str, row)) for row in (*kept, past))]
    write_text(path, "".join(f"{line}\n" for line in lines))
