"""What is going on in the background while labels are given: a model learns, and its score grows."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from victorpy.errors import VictorError
from victorpy.models import model_folder
from victorpy.models.model_folder import Model

if TYPE_CHECKING:
    from victorpy.annotator.retraining import Progress, Retraining

_SCORES_SHOWN = 3


class Learning:
    """Trains when it is told to; `news` says in a few words how far that is."""

    def __init__(self, retraining: "Callable[[Sequence[Path]], Retraining]"):
        self.news = ""
        self._make = retraining
        self._current: Retraining | None = None

    def start(self, files: Sequence[Path]) -> None:
        """Begins anew with the files as they are now."""
        self.stop()
        self._current = self._make(files)
        self._current.start()
        self.news = f"training on {len(files)} page{'s' * (len(files) != 1)}"

    def stop(self) -> None:
        if self._current:
            self._current.stop()
        self._current = None

    def poll(self) -> Model | None:
        """Takes in what has happened; a model, if there is a new one."""
        model = None
        while self._current and (progress := self._current.poll()):
            self.news = progress.message if progress.score is None else self._scores()
            model = self._loaded(progress) or model
        return model

    def _loaded(self, progress: "Progress") -> Model | None:
        if progress.model is None:
            return None
        try:
            return model_folder.load(str(progress.model))
        except VictorError as error:
            self.news = str(error)
            return None

    def _scores(self) -> str:
        """From training to training."""
        past = self._current.history[-_SCORES_SHOWN:] if self._current else []
        return f"held-out word F1 {' → '.join(f'{100 * one.word_f1:.1f}' for one in past)}"
