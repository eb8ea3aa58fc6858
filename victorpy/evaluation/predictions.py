"""The predictions of a cross-validation, in memory and in files: labels of each page by a model trained without it."""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from victorpy.annotation.anno_files import AnnotatedPage, Annotation, labeled_page, read
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.scoring import ScoredPage, check_gold_texts, texts_in
from victorpy.foundation.digests import data_digest, versions
from victorpy.foundation.distinct_ids import distinct_ids
from victorpy.foundation.files import read_text, write_text
from victorpy.foundation.hosts import site_of
from victorpy.foundation.yaml_options import dump
from victorpy.foundation.yaml_options import read as read_options
from victorpy.models import config as configs
from victorpy.models.config import Config, config_digest
from victorpy.page.blocks import LABELS, Label, Page

log = logging.getLogger("victorpy")

FACTS, CONFIG = "facts.yaml", "config.yaml"


class Sample(NamedTuple):
    """An annotated page, with the kind and the group that decide its fold."""

    id: str
    page: Page
    labels: Sequence[Label | None]
    kind: str
    group: str

    @property
    def annotated(self) -> AnnotatedPage:
        return AnnotatedPage(self.page, self.labels)


@dataclass(frozen=True)
class CrossValidationFacts:
    """What predictions depend on: the same facts give the same predictions. `training_pages` 0 means all pages."""

    config: str
    data: str
    seed: int
    training_pages: int
    versions: Mapping[str, str]
    files: tuple[str, ...]
    folds: Mapping[str, int]

    @property
    def numbers(self) -> list[int]:
        """The numbers of the folds."""
        return sorted(set(self.folds.values()))

    def differences(self, other: "CrossValidationFacts") -> list[str]:
        """The names of the facts that differ; the folder of the annotated files does not count."""
        mine, theirs = asdict(self), asdict(other)
        return [name.replace("_", " ") for name in mine if name != "files" and mine[name] != theirs[name]]


class PagePrediction(NamedTuple):
    """What the model of a fold predicts for one page."""

    id: str
    fold: int
    kind: str
    group: str
    labels: Sequence[Label]
    probabilities: Sequence[float]


@dataclass(frozen=True)
class Predictions:
    """The labeled pages; by their ids the fold of each page, and the probability of each block to be content."""

    pages: Sequence[ScoredPage]
    folds: Mapping[str, int]
    probabilities: Mapping[str, Sequence[float]]
    facts: CrossValidationFacts


# Annotated pages


def samples_of(files: Iterable[Path], config: Config, members: Mapping[str, Membership]) -> list[Sample]:
    """The pages of .anno files, each with an id of its own."""
    samples = [_sample(path, config, members) for path in files]
    given = [sample.id for sample in samples]
    unknown = [id for id in dict.fromkeys(given) if members and id not in members]
    if unknown:
        log.warning("%d pages have no kind or group, such as '%s'", len(unknown), unknown[0])
    return [sample._replace(id=id) for sample, id in zip(samples, distinct_ids(given), strict=True)]


def _sample(path: Path, config: Config, members: Mapping[str, Membership]) -> Sample:
    """Without a given group, a page belongs to its site; pages that share an id share a group."""
    annotation = read(path)
    page, labels, changes = labeled_page(annotation, config.markup, config.label_set)
    if not changes.is_none:
        log.info("%s: %s", path, changes)
    id = _id(annotation, path)
    kind, group = members.get(id, Membership())
    return Sample(id, page, labels, kind, group or site_of(page.url) or id)


def page_ids(files: Iterable[Path]) -> list[str]:
    """The ids that cross-validation gives the pages of these files."""
    return distinct_ids([_id(read(path), path) for path in files])


def _id(annotation: Annotation, path: Path) -> str:
    return annotation.id or path.stem


def facts_of(files: Sequence[Path], config: Config, folds: Mapping[str, int], seed: int) -> CrossValidationFacts:
    names = tuple(str(path.absolute()) for path in files)
    return CrossValidationFacts(config_digest(config), data_digest(files), seed, 0, versions(), names, folds)


# Predictions in memory


def predictions_of(
    samples: Iterable[Sample], found: Iterable[PagePrediction], facts: CrossValidationFacts
) -> Predictions:
    by_id = {prediction.id: prediction for prediction in found}
    pages = [_scored_page(sample, by_id.get(sample.id)) for sample in samples]
    return Predictions(pages, facts.folds, {id: page.probabilities for id, page in by_id.items()}, facts)


def _scored_page(sample: Sample, prediction: PagePrediction | None) -> ScoredPage:
    if prediction is None or len(prediction.labels) != len(sample.page):
        raise VictorError(f"the predictions do not fit page '{sample.id}': remove them and cross-validate again")
    gold = sample.annotated.known_as(LABELS).labels
    return ScoredPage(sample.id, sample.page, gold, prediction.labels, sample.kind, sample.group)


def gold_texts(folder: Path, ids: Iterable[str]) -> dict[str, str]:
    """The texts ID.txt of the folder, one for each page."""
    files, names = texts_in(folder), list(ids)
    check_gold_texts(names, files, folder)
    # CLEANEVAL's texts have several encodings.
    return {id: files[id].read_text("utf-8", "replace") for id in names}


def with_gold_texts(predictions: Predictions, texts: Mapping[str, str]) -> Predictions:
    """The same predictions, to be scored by these texts instead of the text that gold labels print."""
    pages = [page._replace(gold_text=texts[page.id]) for page in predictions.pages]
    return replace(predictions, pages=pages)


# Predictions in a folder


def is_prediction_folder(folder: Path) -> bool:
    return (folder / FACTS).is_file()


def claim(folder: Path, config: Config, facts: CrossValidationFacts) -> None:
    """Write the facts into the folder; refuse a folder with predictions of something else."""
    if is_prediction_folder(folder):
        differences = read_facts(folder).differences(facts)
        if differences:
            raise UsageError(f"has predictions of other {', '.join(differences)}: name another folder", folder)
        return
    write_text(folder / CONFIG, dump(config))
    write_text(folder / FACTS, dump(facts))


def read_facts(folder: Path) -> CrossValidationFacts:
    path = folder / FACTS
    return read_options(CrossValidationFacts, read_text(path), path)


def fold_file(folder: Path, fold: int) -> Path:
    return folder / f"fold-{fold}.jsonl"


def write_fold(path: Path, predictions: Iterable[PagePrediction]) -> None:
    rows = (json.dumps(page._asdict(), ensure_ascii=False, separators=(",", ":")) for page in predictions)
    write_text(path, "".join(f"{row}\n" for row in rows))


def read_fold(path: Path) -> Iterator[PagePrediction]:
    for number, line in enumerate(read_text(path).split("\n")[:-1], start=1):
        try:
            yield _parsed(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise VictorError("damaged: remove the file and cross-validate again", path, number) from error


def _parsed(labels: Sequence[str], probabilities: Sequence[float], **others: Any) -> PagePrediction:
    if not all(type(value) is _TYPES.get(name) for name, value in others.items()):
        raise TypeError(others)
    return PagePrediction(**others, labels=[*map(Label, labels)], probabilities=[*map(float, probabilities)])


_TYPES = {"id": str, "fold": int, "kind": str, "group": str}


def read_predictions(folder: Path, files: Sequence[Path] = ()) -> Predictions:
    """Read predictions without training. Pass `files` if the annotated pages have moved since.

    The folder holds a cross-validation, or one folder with a cross-validation.
    """
    folder = _prediction_folder(folder)
    facts = read_facts(folder)
    paths = list(files) or [Path(name) for name in facts.files]
    if data_digest(paths) != facts.data:
        raise VictorError("these predictions are of other annotated pages", folder)
    unfinished = [fold for fold in facts.numbers if not fold_file(folder, fold).is_file()]
    if unfinished:
        raise VictorError(f"fold {unfinished[0]} is not done yet: run the same cross-validation again", folder)
    found = [prediction for fold in facts.numbers for prediction in read_fold(fold_file(folder, fold))]
    members = {page.id: Membership(page.kind, page.group) for page in found}
    config = configs.read_text(read_text(folder / CONFIG), folder / CONFIG)
    return predictions_of(samples_of(paths, config, members), found, facts)


def _prediction_folder(folder: Path) -> Path:
    if is_prediction_folder(folder):
        return folder
    inner = sorted(path.parent for path in folder.glob(f"*/{FACTS}"))
    if not inner:
        raise UsageError(f"no predictions here: there is no {FACTS}", folder)
    if len(inner) > 1:
        names = ", ".join(path.name for path in inner)
        raise UsageError(f"has several cross-validations, name one of them: {names}", folder)
    return inner[0]
