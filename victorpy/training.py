"""Annotated pages and a config → a model."""

import hashlib
import logging
import platform
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from victorpy import __version__
from victorpy.annotations import AnnotatedPage, labeled_page, read
from victorpy.blocks import LABELS
from victorpy.columns import matrix
from victorpy.config import Config, templates_of
from victorpy.errors import VictorError
from victorpy.labelers import boosting
from victorpy.labelers.boosting import MeasuredPage, measured
from victorpy.labelers.crf import Layout
from victorpy.labelers.crfsuite import CodedPage, learn
from victorpy.library import find
from victorpy.models import Card, Model, Share, TrainingData, columns_of, layout_of

log = logging.getLogger("victorpy")


def train(pages: Iterable[AnnotatedPage], config: Config, source: str = "", licence: str = "") -> Model:
    """Learns a model; where the pages are from, and under which licence, goes into its card."""
    table = columns_of(config)
    layout = layout_of(table, templates_of(config))
    scorer = config.scorer
    if scorer.has_trees:
        boosting.check_installed()
    coded, scored, counts, digest = [], list[MeasuredPage](), Counter[str](), hashlib.sha256()
    for annotated in pages:
        coded.append(CodedPage(table.codes(annotated.page), annotated.labels))
        if scorer.has_trees:
            scored.append(_measured(annotated, config))
        counts.update(label.value for label in annotated.labels if label)
        digest.update(_content(annotated))
    _check_labels(counts)
    _check_templates(layout, config)
    log.info("%d pages, %d labeled blocks, %d templates", len(coded), counts.total(), len(layout.templates.unigrams))
    # Trees first: they may find nothing to learn from, and tell at once.
    trees = boosting.learn(scored, config.scored_features, scorer) if scorer.has_trees else None
    crf = learn(coded, layout, config.learner)
    data = TrainingData(len(coded), counts.total(), digest.hexdigest(), _shares(counts), source, licence)
    card = Card(data=data, made_by=_makers(config), config=config, templates=str(layout.templates))
    return Model(config, table, crf, card, trees=trees)


def _measured(annotated: AnnotatedPage, config: Config) -> MeasuredPage:
    values = matrix(annotated.page, config.scored_features, config.regexp)
    weights = annotated.weight * annotated.page.lengths.astype(float) ** config.scorer.weight_power
    return measured(values, annotated.labels, weights)


def _check_labels(counts: Counter[str]) -> None:
    if not counts:
        raise VictorError("nothing to learn from: no block of these pages has a label")
    if len(counts) == 1:
        raise VictorError(f"nothing to tell apart: every labeled block of these pages is '{next(iter(counts))}'")


def _check_templates(layout: Layout, config: Config) -> None:
    if not layout.templates.unigrams:
        raise VictorError("no template names a feature that is in use", find("templates", config.template))
    named = {reference.feature for template in layout.templates.unigrams for reference in template}
    unnamed = sorted(layout.counts.keys() - named)
    if unnamed:
        log.warning("no template names %s: not learned from", ", ".join(unnamed))


def _content(annotated: AnnotatedPage) -> bytes:
    page, labels, weight = annotated
    lines = [f"{label}\t{text}\n" for label, text in zip(labels, page.texts, strict=True)]
    return "".join([*lines, *[f"{weight!r}\n"] * (weight != 1)]).encode("utf-8", "replace")


def _shares(counts: Counter[str]) -> dict[str, Share]:
    return {label.value: Share(counts[label], round(100 * counts[label] / counts.total(), 2)) for label in LABELS}


def _makers(config: Config) -> dict[str, str]:
    packages = ("lxml", "numpy", "sklearn-crfsuite", "python-crfsuite", *["catboost"] * config.scorer.has_trees)
    return {"victorpy": __version__, "python": platform.python_version()} | {name: version(name) for name in packages}


def annotated_pages(paths: Iterable[Path], config: Config) -> Iterator[AnnotatedPage]:
    """The pages of .anno files, cut into blocks as the config says; what re-alignment changed is logged."""
    for path in paths:
        page, labels, changes = labeled_page(read(path), config.markup)
        if not changes.is_none:
            log.info("%s: %s", path, changes)
        yield AnnotatedPage(page, labels)
