"""Training in the background during annotation: it brings a new model, then its score."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from victorpy.errors import VictorError
from victorpy.models import model_folder
from victorpy.models.model_folder import Model

if TYPE_CHECKING:
    from victorpy.annotator.training_task import TrainingProgress, TrainingTask

_SCORES_SHOWN = 3


class BackgroundTraining:
    """Runs one training task at a time; `status` describes its progress in a few words, `problem` why it ended."""

    def __init__(self, new_task: "Callable[[Sequence[Path]], TrainingTask]"):
        self.status, self.problem = "", ""
        self.is_running = False
        self._new_task = new_task
        self._has_model = False
        self._current: TrainingTask | None = None

    def start(self, files: Sequence[Path]) -> None:
        """Stop the current task, and train on the files as they are now."""
        self.stop()
        self._current = self._new_task(files)
        self._current.start()
        self.problem, self._has_model, self.is_running = "", False, True
        self.status = f"training on {len(files)} page{'s' * (len(files) != 1)}"

    def stop(self) -> None:
        if self._current:
            self._current.stop()
        self._current, self.is_running = None, False

    def poll(self) -> Model | None:
        """Update the status; return a model if there is a new one."""
        model = None
        while self._current and (progress := self._current.poll()):
            self._describe(progress)
            model = self._loaded(progress) or model
        return model

    def _describe(self, progress: "TrainingProgress") -> None:
        if progress.before is not None:
            self.status = progress.message
        elif progress.score is not None:
            self.status = self._scores()
        elif progress.is_over:
            # The line of the status has no room for reasons.
            self.status, self.problem = "no score" if self._has_model else "not trained", progress.message
        else:
            self.status = progress.message
        self.is_running = not progress.is_over
        self._has_model = self._has_model or progress.model is not None

    def take_problem(self) -> str:
        """Why the training ended without a score, once."""
        problem, self.problem = self.problem, ""
        return problem

    def _loaded(self, progress: "TrainingProgress") -> Model | None:
        if progress.model is None:
            return None
        try:
            return model_folder.load(str(progress.model))
        except VictorError as error:
            self.problem = str(error)
            return None

    def _scores(self) -> str:
        """The scores of the last trainings."""
        past = self._current.history[-_SCORES_SHOWN:] if self._current else []
        return f"held-out word F1 {' → '.join(f'{100 * one.word_f1:.1f}' for one in past)}"
