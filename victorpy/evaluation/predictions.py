"""What cross-validation found, in memory and in a folder: labels of every page by a model that has not seen it."""

import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from victorpy.annotation.anno_files import AnnotatedPage, labeled_page, read
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.scoring import Labeled, texts_in
from victorpy.foundation.digests import data_digest, versions
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
    """An annotated page, and what decides the fold it comes into."""

    id: str
    page: Page
    labels: Sequence[Label | None]
    kind: str
    group: str

    @property
    def annotated(self) -> AnnotatedPage:
        return AnnotatedPage(self.page, self.labels)


@dataclass(frozen=True)
class Facts:
    """What the figures come from: the same facts give the same figures. `training_pages` 0 means all there are."""

    config: str
    data: str
    seed: int
    training_pages: int
    versions: Mapping[str, str]
    files: tuple[str, ...]
    folds: Mapping[str, int]

    @property
    def numbers(self) -> list[int]:
        return sorted(set(self.folds.values()))

    def differences(self, other: "Facts") -> list[str]:
        """The names of what is not the same; where the files lie makes no difference."""
        mine, theirs = asdict(self), asdict(other)
        return [name.replace("_", " ") for name in mine if name != "files" and mine[name] != theirs[name]]


class Answer(NamedTuple):
    """What a fold's model says of one page."""

    id: str
    fold: int
    kind: str
    group: str
    labels: Sequence[Label]
    probabilities: Sequence[float]


@dataclass(frozen=True)
class Predictions:
    """The labeled pages; by their ids the fold of each, and the probability of each block that it is content."""

    pages: Sequence[Labeled]
    folds: Mapping[str, int]
    probabilities: Mapping[str, Sequence[float]]
    facts: Facts


# What goes in


def samples_of(files: Iterable[Path], config: Config, members: Mapping[str, Membership]) -> list[Sample]:
    """The pages of .anno files, each under an id of its own."""
    seen = Counter[str]()
    samples = [_sample(path, config, members, seen) for path in files]
    strangers = [id for id in seen if members and id not in members]
    if strangers:
        log.warning("%d pages have no kind or group, such as '%s'", len(strangers), strangers[0])
    return samples


def _sample(path: Path, config: Config, members: Mapping[str, Membership], seen: Counter[str]) -> Sample:
    """A group that nobody named is the page's site; two pages of the same id stay together."""
    page, labels, changes = labeled_page(read(path), config.markup, config.label_set)
    if not changes.is_none:
        log.info("%s: %s", path, changes)
    id = page.id or path.stem
    kind, group = members.get(id, Membership())
    seen[id] += 1
    return Sample(id if seen[id] == 1 else f"{id}-{seen[id]}", page, labels, kind, group or site_of(page.url) or id)


def facts_of(files: Sequence[Path], config: Config, folds: Mapping[str, int], seed: int) -> Facts:
    names = tuple(str(path.absolute()) for path in files)
    return Facts(config_digest(config), data_digest(files), seed, 0, versions(), names, folds)


# What comes out


def predictions_of(samples: Iterable[Sample], answers: Iterable[Answer], facts: Facts) -> Predictions:
    by_id = {answer.id: answer for answer in answers}
    pages = [_labeled(sample, by_id.get(sample.id)) for sample in samples]
    return Predictions(pages, facts.folds, {id: answer.probabilities for id, answer in by_id.items()}, facts)


def _labeled(sample: Sample, answer: Answer | None) -> Labeled:
    if answer is None or len(answer.labels) != len(sample.page):
        raise VictorError(f"the predictions do not fit page '{sample.id}': remove them and cross-validate again")
    gold = sample.annotated.known_as(LABELS).labels
    return Labeled(sample.id, sample.page, gold, answer.labels, sample.kind, sample.group)


def gold_texts(folder: Path, ids: Iterable[str]) -> dict[str, str]:
    """The texts ID.txt of the folder, one for each page."""
    files, wanted = texts_in(folder), list(ids)
    missing = [id for id in wanted if id not in files]
    if missing:
        raise UsageError(f"no gold text for {len(missing)} of {len(wanted)} pages, such as {missing[0]}.txt", folder)
    # CLEANEVAL's texts are in several encodings.
    return {id: files[id].read_text("utf-8", "replace") for id in wanted}


def with_gold_texts(predictions: Predictions, texts: Mapping[str, str]) -> Predictions:
    """To be scored by texts that people wrote, and no longer by what the gold labels print."""
    pages = [page._replace(gold_text=texts[page.id]) for page in predictions.pages]
    return replace(predictions, pages=pages)


# The folder


def claim(folder: Path, config: Config, facts: Facts) -> None:
    """Makes the folder the place of these predictions, or sees that it is."""
    if (folder / FACTS).exists():
        differences = read_facts(folder).differences(facts)
        if differences:
            raise UsageError(f"has predictions of other {', '.join(differences)}: name another folder", folder)
        return
    write_text(folder / CONFIG, dump(config))
    write_text(folder / FACTS, dump(facts))


def read_facts(folder: Path) -> Facts:
    path = folder / FACTS
    if not path.is_file():
        raise UsageError(f"no predictions are kept here: there is no {FACTS}", folder)
    return read_options(Facts, read_text(path), path)


def fold_file(folder: Path, fold: int) -> Path:
    return folder / f"fold-{fold}.jsonl"


def write_answers(path: Path, answers: Iterable[Answer]) -> None:
    rows = (json.dumps(answer._asdict(), ensure_ascii=False, separators=(",", ":")) for answer in answers)
    write_text(path, "".join(f"{row}\n" for row in rows))


def read_answers(path: Path) -> Iterator[Answer]:
    for number, line in enumerate(read_text(path).split("\n")[:-1], start=1):
        try:
            yield _answer(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise VictorError("damaged: remove the file, and cross-validate again", path, number) from error


def _answer(labels: Sequence[str], probabilities: Sequence[float], **others: Any) -> Answer:
    if not all(type(value) is _KINDS.get(name) for name, value in others.items()):
        raise TypeError(others)
    return Answer(**others, labels=[*map(Label, labels)], probabilities=[*map(float, probabilities)])


_KINDS = {"id": str, "fold": int, "kind": str, "group": str}


def read_predictions(folder: Path, files: Sequence[Path] = ()) -> Predictions:
    """What `cross_validate` kept, without training; `files` tells where the annotated pages are, if they have moved."""
    facts = read_facts(folder)
    paths = list(files) or [Path(name) for name in facts.files]
    if data_digest(paths) != facts.data:
        raise VictorError("the annotated pages are not those that these predictions are of", folder)
    unfinished = [fold for fold in facts.numbers if not fold_file(folder, fold).is_file()]
    if unfinished:
        raise VictorError(f"fold {unfinished[0]} is not done yet: run the same cross-validation again", folder)
    answers = [answer for fold in facts.numbers for answer in read_answers(fold_file(folder, fold))]
    members = {answer.id: Membership(answer.kind, answer.group) for answer in answers}
    config = configs.read_text(read_text(folder / CONFIG), folder / CONFIG)
    return predictions_of(samples_of(paths, config, members), answers, facts)
