"""The folder whose pages the web app labels, and the models that suggest labels."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from victorpy.annotator import keys
from victorpy.annotator.background_training import BackgroundTraining
from victorpy.annotator.chosen_pages import labels_of_both, pages_to_review
from victorpy.annotator.keys import Keys
from victorpy.annotator.label_store import resume_loaded
from victorpy.annotator.page_queue import QueuedPage, queued_pages
from victorpy.annotator.session import Labels
from victorpy.annotator.training_history import MODEL
from victorpy.errors import UsageError
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.model_folder import Model
from victorpy.serve.label_processes import LabelProcesses, OpenedPage, page_source
from victorpy.serve.label_works import OpenedTexts, suggested
from victorpy.serve.page_leases import Lease, PageLeases
from victorpy.serve.server_settings import ServerSettings

if TYPE_CHECKING:
    from victorpy.annotator.training_task import TrainingTask

RETRAINED = "retrained"


class ReviewedFolders(NamedTuple):
    """The folders of two annotators, and the folder for the decisions; all within the served folder."""

    one: str
    two: str
    output: str


class LabeledFolder:
    """What the views Annotate, Review and Models share."""

    def __init__(self, settings: ServerSettings, processes: LabelProcesses):
        self.processes = processes
        self.settings, self.leases = settings, PageLeases(settings.max_bytes)
        self.folder, self.annotations = settings.folder, settings.annotations or settings.folder
        self.model_name = self.suggesting = settings.model
        self.training = BackgroundTraining(self._new_task)
        self._model: Model | None = None
        self._origin, self._config = settings.model, ""
        self.generation = 0
        self._lock = Lock()
        # Each key would otherwise read the whole queue.
        self._annos: dict[tuple[str, ReviewedFolders | None], Path] = {}

    @property
    def model(self) -> Model:
        """The model that suggests labels; it is loaded when it is first asked for."""
        with self._lock:
            if self._model is None:
                self._model = model_folder.load(self.model_name)
            return self._model

    @property
    def keys(self) -> Keys:
        path = keys.default_file()
        return keys.load(path) if path.exists() else keys.STANDARD

    def queue(self, review: ReviewedFolders | None = None) -> list[QueuedPage]:
        if review is None:
            return queued_pages(self.folder, self.settings.annotations)
        one, two, output = (self._within(name) for name in review)
        return pages_to_review(one, two, output)

    def entry(self, id: str, review: ReviewedFolders | None = None) -> QueuedPage:
        """The page with this id as it is now."""
        for entry in self.queue(review):
            if entry.id == id:
                return entry
        raise UsageError("no such page in the folder: it may have been moved or removed", id)

    def lease(self, id: str, tab: str, review: ReviewedFolders | None = None) -> Lease:
        """The page with this id, which the tab has open."""
        anno = self._annos.get((id, review))
        return self.leases.of(anno or self.entry(id, review).anno, tab)

    def open(self, id: str, tab: str, review: ReviewedFolders | None, *, takes_over: bool) -> Lease:
        entry = self.entry(id, review)
        lease = self.leases.open(entry, tab, self.opened, takes_over=takes_over)
        self._annos[id, review] = entry.anno
        return lease

    def opened(self, entry: QueuedPage) -> OpenedPage:
        """The page, parsed by a child process."""
        markup, annotator = self.model.config.markup, self.settings.annotator
        load = partial(self.processes.loaded, markup=markup, annotator=annotator)
        return resume_loaded(entry.source, entry.anno, load)

    def sides(self, entry: QueuedPage, page: OpenedTexts, review: ReviewedFolders) -> tuple[Labels, Labels]:
        one, two = self._within(review.one), self._within(review.two)
        return self.processes.call(entry.anno, labels_of_both, one, two, entry, page)

    def suggestions(self, lease: Lease) -> list[tuple[str, float]]:
        """What the model suggests for each block."""
        source, model = page_source(lease.opened), self.model
        return self.processes.call(lease.entry.anno, suggested, source, self.suggesting, model.digest)

    def folders_with_annotations(self) -> list[str]:
        """The folders inside the served one that hold .anno files themselves."""
        found = {path.parent for path in self.folder.rglob("*.anno") if not path.name.startswith(".")}
        return sorted(str(path.relative_to(self.folder)) for path in found)

    def train(self, files: Sequence[Path], origin: str, config: str = "") -> None:
        """Adapt a model to these pages, or train one by a config, in a process of its own."""
        with self._lock:
            self._origin, self._config = origin, config
            self.training.start(files)

    def poll(self) -> None:
        """Take over what the training has made so far."""
        with self._lock:
            new = self.training.poll()
            if new:
                self.generation += 1
                self._model, self.suggesting = new, str(self.annotations / RETRAINED / MODEL)

    def use(self, name: str) -> None:
        """Let another model suggest labels."""
        model = model_folder.load(name)
        with self._lock:
            self.model_name = self.suggesting = name
            self._model = model

    def end(self) -> None:
        self.leases.close_all()
        self.training.stop()

    def _new_task(self, files: Sequence[Path]) -> "TrainingTask":
        from victorpy.annotator.training_task import TrainingTask  # noqa: PLC0415 - slow to import, and seldom used

        config = configs.load(self._config) if self._config else model_folder.load(self._origin).config
        return TrainingTask(files, config, self.annotations / RETRAINED, self._origin)

    def _within(self, name: str) -> Path:
        """A path inside the served folder; others are refused."""
        path = (self.folder / name).resolve()
        if not path.is_relative_to(self.folder.resolve()):
            raise UsageError("outside the folder that victor serve was started with", name)
        return path
