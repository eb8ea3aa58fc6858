"""Compare models, labelers, folders of texts and cross-validated configs on the same pages."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, NamedTuple

import pandas as pd

from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError
from victorpy.evaluation.comparison import compare
from victorpy.evaluation.cross_validation import CrossValidation, annotated_texts
from victorpy.evaluation.evaluating import cleaned_texts, labeled_pages
from victorpy.evaluation.predictions import gold_texts, page_ids
from victorpy.evaluation.scoring import Texts, folder_texts, scores_table, table_of_texts, texts_in
from victorpy.evaluation.statistics import USUAL, Bootstrap
from victorpy.foundation.digests import data_digest
from victorpy.foundation.files import read_text
from victorpy.foundation.resources import available, find
from victorpy.labelers.registry import LABELERS
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.config import Config, config_digest, labeler
from victorpy.models.core_networks import CARD
from victorpy.page.markup import Markup
from victorpy.pipeline.cleaner import Cleaner, cleaner, untrained
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages


class ComparedSystem(NamedTuple):
    """A system under comparison: how to score it, its markup options if it has any, and its digest."""

    scores: Callable[["ComparedPages"], pd.DataFrame]
    markup: Markup | None
    digest: str


class SystemComparison(NamedTuple):
    """One table per figure, and the digests of the pages and of each system."""

    tables: dict[str, pd.DataFrame]
    data: str
    systems: dict[str, str]


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedPages:
    """Annotated pages, HTML pages with gold texts, or gold texts alone; the last four fields are for configs."""

    inputs: Sequence[str] = ()
    gold: Path | None = None
    members: Mapping[str, Membership] = field(default_factory=dict)
    figures: Sequence[str] = ("word_f1",)
    jobs: int = 2
    folds: int = 6
    seed: int = 0
    folder: Path | None = None
    is_annotated: bool = True
    has_one_markup: bool = True

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return {id: member.kind for id, member in self.members.items()}

    @cached_property
    def files(self) -> tuple[Path, ...]:
        return tuple(Path(file.path) for file in find_pages(self.inputs, ANNOTATION_SUFFIXES))

    @cached_property
    def texts(self) -> dict[str, str]:
        """The gold texts of annotated pages; empty where the gold labels serve all systems alike.

        Systems with different blocks are all measured by the page as it was annotated.
        """
        if self.gold:
            return gold_texts(self.gold, page_ids(self.files))
        return {} if self.has_one_markup else annotated_texts(self.files)

    @property
    def digest(self) -> str:
        gold = list(texts_in(self.gold).values()) if self.gold else []
        return data_digest([*(self.files if self.is_annotated else ()), *gold])

    def scores_of_cleaner(self, cleaner: Cleaner, name: str) -> pd.DataFrame:
        if self.gold and not self.is_annotated:
            if not self.inputs:
                raise UsageError(f"--on: '{name}' needs the HTML pages of the gold texts")
            return self._scores_of_texts(cleaned_texts(cleaner, self.inputs, self.gold, self.kinds))
        pages = labeled_pages(cleaner, self.inputs, self.kinds)
        labeled = [page._replace(id=id) for id, page in zip(page_ids(self.files), pages, strict=True)]
        if self.texts:
            labeled = [page._replace(gold_text=self.texts[page.id]) for page in labeled]
        return scores_table(labeled, self.jobs, self.figures)

    def scores_of_folder(self, folder: Path) -> pd.DataFrame:
        if self.gold and not self.is_annotated:
            return self._scores_of_texts(folder_texts(folder, self.gold, self.kinds))
        printed = texts_in(folder)
        if not printed.keys() & self.texts.keys():
            first = next(iter(self.texts))
            raise UsageError(f"none of these texts has the name of an annotated page, such as {first}", folder)
        texts = (
            Texts(id, read_text(printed[id]) if id in printed else "", gold, self.kinds.get(id, ""))
            for id, gold in self.texts.items()
        )
        return self._scores_of_texts(texts)

    def scores_of_config(self, config: Config) -> pd.DataFrame:
        validation = CrossValidation(
            files=self.files,
            count=self.folds,
            seed=self.seed,
            jobs=self.jobs,
            folder=self.folder,
            members=self.members,
            gold_texts=self.texts,
        )
        return validation.scores(config)

    def _scores_of_texts(self, texts: Iterable[Texts]) -> pd.DataFrame:
        return table_of_texts(texts, self.jobs, self.figures)


def compare_systems(  # noqa: PLR0913
    systems: Sequence[str],
    *,
    cross_validated: Sequence[str] = (),
    on: Sequence[str] = (),
    gold: Path | None = None,
    members: Mapping[str, Membership] | None = None,
    by: str | None = None,
    figures: Sequence[str] = ("word_f1",),
    folds: int = 6,
    folder: Path | None = None,
    jobs: int = 2,
    bootstrap: Bootstrap = USUAL,
) -> SystemComparison:
    """Compare each system with the first one, page by page; `cross_validated` are configs.

    A system is a model, a labeler, or a folder of cleaned texts. The pages are `on` (.anno, or HTML with `gold` texts).
    """
    found = compared_systems(systems, cross_validated)
    if not (gold or on):
        raise UsageError("--on: expected annotated pages, or --gold with a folder of gold texts")
    markups = [system.markup for system in found.values()]
    pages = ComparedPages(
        inputs=on,
        gold=gold,
        members=members or {},
        figures=figures,
        jobs=jobs,
        folds=folds,
        seed=bootstrap.seed,
        folder=folder,
        is_annotated=not gold or bool(cross_validated) or _holds_annotations(on),
        has_one_markup=None not in markups and all(markup == markups[0] for markup in markups),
    )
    scores = {name: system.scores(pages) for name, system in found.items()}
    tables = {figure: compare(scores, figure, by, bootstrap) for figure in figures}
    return SystemComparison(tables, pages.digest, {name: system.digest for name, system in found.items()})


def compared_systems(names: Sequence[str], cross_validated: Sequence[str] = ()) -> dict[str, ComparedSystem]:
    """The systems by their names; at least two, each named once."""
    both = [*names, *cross_validated]
    if len(both) < 2:
        raise UsageError("expected two or more systems: models, labelers, folders of texts, or configs (--xval)")
    twice = [name for name in both if both.count(name) > 1]
    if twice:
        raise UsageError(f"'{twice[0]}' is named twice")
    found = {name: _named(name) for name in names}
    return found | {name: _cross_validated(configs.load(name)) for name in cross_validated}


def _named(name: str) -> ComparedSystem:
    return _SYSTEMS[system_kind(name)](name)


def system_kind(name: str) -> Literal["model", "labeler", "folder"]:
    """A name means a model first, then a labeler, then a folder of texts; a .yaml file is a labeler's."""
    if Path(name).suffix == ".yaml" or (name in LABELERS and name not in available("models")):
        return "labeler"
    return "model" if _is_model(name) else "folder"


def _is_model(name: str) -> bool:
    return name in available("models") or not Path(name).is_dir() or Path(name, CARD).exists()


def _model(name: str) -> ComparedSystem:
    if not Path(name).exists():
        find("models", name)  # suggests near names if nothing has this one
    model = model_folder.load(name)
    digest = f"sha256:{model.digest}"
    return ComparedSystem(lambda pages: pages.scores_of_cleaner(cleaner(model), name), model.config.markup, digest)


def _untrained(name: str) -> ComparedSystem:
    found = untrained(labeler(name))
    return ComparedSystem(lambda pages: pages.scores_of_cleaner(found, name), found.markup, found.model)


def _folder(name: str) -> ComparedSystem:
    folder = Path(name)
    digest = data_digest(texts_in(folder).values())
    return ComparedSystem(lambda pages: pages.scores_of_folder(folder), None, digest)


_SYSTEMS = {"model": _model, "labeler": _untrained, "folder": _folder}


def _cross_validated(config: Config) -> ComparedSystem:
    return ComparedSystem(lambda pages: pages.scores_of_config(config), config.markup, config_digest(config))


def _holds_annotations(names: Sequence[str]) -> bool:
    ending = ANNOTATION_SUFFIXES[0]
    return any(name.endswith(ending) or any(Path(name).rglob(f"*{ending}")) for name in names)
