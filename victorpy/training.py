"""Annotated pages and a config → a model."""

import hashlib
import logging
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from victorpy import __version__
from victorpy.annotations import labeled_page, read
from victorpy.blocks import LABELS, Label, Page
from victorpy.config import Config, templates_of
from victorpy.errors import VictorError
from victorpy.labelers.crf import Layout
from victorpy.labelers.crfsuite import CodedPage, learn
from victorpy.library import find
from victorpy.models import Card, Model, Share, TrainingData, columns_of, layout_of

log = logging.getLogger("victorpy")


class AnnotatedPage(NamedTuple):
    """A page with one label per block; None where a block was not labeled yet."""

    page: Page
    labels: Sequence[Label | None]


def train(pages: Iterable[AnnotatedPage], config: Config, source: str = "", licence: str = "") -> Model:
    """Learns a model; where the pages are from, and under which licence, goes into its card."""
    table = columns_of(config)
    layout = layout_of(table, templates_of(config))
    coded, counts, digest = [], Counter[str](), hashlib.sha256()
    for page, labels in pages:
        coded.append(CodedPage(table.codes(page), labels))
        counts.update(label.value for label in labels if label)
        digest.update(_content(page, labels))
    _check_labels(counts)
    _check_templates(layout, config)
    log.info("%d pages, %d labeled blocks, %d templates", len(coded), counts.total(), len(layout.templates.unigrams))
    crf = learn(coded, layout, config.learner)
    data = TrainingData(len(coded), counts.total(), digest.hexdigest(), _shares(counts), source, licence)
    return Model(config, table, crf, Card(data=data, made_by=_makers(), config=config, templates=str(layout.templates)))


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


def _content(page: Page, labels: Sequence[Label | None]) -> bytes:
    return "".join(f"{label}\t{text}\n" for label, text in zip(labels, page.texts, strict=True)).encode(
        "utf-8", "replace"
    )


def _shares(counts: Counter[str]) -> dict[str, Share]:
    return {label.value: Share(counts[label], round(100 * counts[label] / counts.total(), 2)) for label in LABELS}


def _makers() -> dict[str, str]:
    packages = ("lxml", "numpy", "sklearn-crfsuite", "python-crfsuite")
    return {"victorpy": __version__, "python": platform.python_version()} | {name: version(name) for name in packages}


def annotated_pages(paths: Iterable[Path], config: Config) -> Iterator[AnnotatedPage]:
    """The pages of .anno files, cut into blocks as the config says; what re-alignment changed is logged."""
    for path in paths:
        page, labels, changes = labeled_page(read(path), config.markup)
        if not changes.is_none:
            log.info("%s: %s", path, changes)
        yield AnnotatedPage(page, labels)
