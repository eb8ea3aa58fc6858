"""Evaluate a cleaner on annotated pages or gold texts, or compare two folders of texts."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.scoring import (
    SUMMARY_BOOTSTRAP,
    Mistakes,
    ScoredPage,
    Texts,
    Weight,
    check_gold_texts,
    confusion,
    folder_texts,
    label_scores,
    scores_table,
    summary,
    table_of_texts,
    texts_in,
    worst,
    worst_texts,
)
from victorpy.evaluation.statistics import Bootstrap
from victorpy.foundation.digests import digest
from victorpy.foundation.files import read_text
from victorpy.foundation.progress import shown
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.pipeline.cleaner import Cleaner
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages, read_page

log = logging.getLogger("victorpy")

Kinds = Mapping[str, str]

_NO_KINDS: Kinds = {}


@dataclass(frozen=True, eq=False, kw_only=True)
class Evaluation:
    """The scores of pages, and the tables made from them; `pages` is empty where only texts were compared."""

    pages: Sequence[ScoredPage] = ()
    texts: Sequence[Texts] = ()
    jobs: int = field(default=1, repr=False)

    @cached_property
    def scores(self) -> pd.DataFrame:
        """One row per page: kind, group, sizes and all figures."""
        return scores_table(self.pages, self.jobs) if self.pages else table_of_texts(self.texts, self.jobs)

    @cached_property
    def digest(self) -> str:
        """A digest of the gold labels and texts that the figures depend on."""
        if self.pages:
            return digest(f"{label}\t{text}" for page in self.pages for label, text in _gold_blocks(page))
        return digest(part for text in self.texts for part in (text.id, text.printed, text.gold))

    def summary(self, by: str | None = None, bootstrap: Bootstrap = SUMMARY_BOOTSTRAP) -> pd.DataFrame:
        """Means with bootstrap intervals, of the figures that any page has."""
        found = summary(self.scores, by, bootstrap)
        return found[found["pages"] > 0]

    def labels(self, weight: Weight = "blocks") -> pd.DataFrame:
        """Precision, recall and F1 of each label."""
        return label_scores(self._labeled, weight)

    def confusion(self, weight: Weight = "blocks") -> pd.DataFrame:
        """Gold labels against predicted labels."""
        return confusion(self._labeled, weight)

    def worst(self, figure: str = "word_f1", count: int = 10) -> list[Mistakes]:
        """The pages with the lowest values of a figure, and their mistakes."""
        if self.pages:
            return worst(self.pages, self.scores, figure, count)
        return worst_texts(self.texts, self.scores, figure, count)

    @property
    def _labeled(self) -> Sequence[ScoredPage]:
        if self.texts and not self.pages:
            raise UsageError("tables of labels need annotated pages, but only texts were compared")
        return self.pages


def _gold_blocks(page: ScoredPage) -> Iterator[tuple[object, str]]:
    return zip(page.gold, page.page.texts, strict=True)


def evaluate(
    cleaner: Cleaner,
    inputs: Sequence[str],
    gold: Path | None = None,
    kinds: Kinds = _NO_KINDS,
    jobs: int = 1,
) -> Evaluation:
    """Score a cleaner on annotated pages or, with a folder of `gold` texts (ID.txt), on HTML pages."""
    if gold:
        return Evaluation(texts=list(cleaned_texts(cleaner, inputs, gold, kinds)), jobs=jobs)
    return Evaluation(pages=list(labeled_pages(cleaner, inputs, kinds)), jobs=jobs)


def evaluate_texts(printed: Path, gold: Path, kinds: Kinds = _NO_KINDS, jobs: int = 1) -> Evaluation:
    """Score a folder of printed texts against a folder of gold texts, both ID.txt."""
    return Evaluation(texts=folder_texts(printed, gold, kinds), jobs=jobs)


def labeled_pages(cleaner: Cleaner, inputs: Sequence[str], kinds: Kinds = _NO_KINDS) -> Iterator[ScoredPage]:
    """Annotated pages with the labels that the cleaner's labeler gives them."""
    files = find_pages(inputs, ANNOTATION_SUFFIXES)
    for file in shown(files, len(files), "pages"):
        page, gold, changes = labeled_page(read(file.path), cleaner.markup)
        if not changes.is_none:
            log.info("%s: %s", file.path, changes)
        id = page.id or file.id
        found = cleaner.labeler.labeling(page)
        yield ScoredPage(id, page, gold, found.labels, kinds.get(id, ""), omissions=found.omissions)


def cleaned_texts(cleaner: Cleaner, inputs: Sequence[str], gold: Path, kinds: Kinds = _NO_KINDS) -> Iterator[Texts]:
    """The cleaned texts of HTML pages beside their gold texts; every page needs a gold text."""
    pages, texts, clean = find_pages(inputs), texts_in(gold), cleaner.clean
    check_gold_texts([page.id for page in pages], texts, gold)
    for location in shown(pages, len(pages), "pages"):
        page = read_page(location)
        if page.data is None:
            raise VictorError(page.problem, location.path)
        printed = cleaneval(clean(page.data, id=page.id))
        yield Texts(page.id, printed, read_text(texts[page.id]), kinds.get(page.id, ""))
