"""Annotated pages and a config -> a model."""

import hashlib
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from victorpy.annotation.anno_files import AnnotatedPage, labeled_page, read
from victorpy.errors import VictorError
from victorpy.features.table import matrix
from victorpy.foundation.digests import versions
from victorpy.foundation.resources import find
from victorpy.labelers.site_counts import CountedSites
from victorpy.models import crf_learning, decision_tree_learning, network_learning
from victorpy.models.config import Config, templates_of
from victorpy.models.crf import CRF, Layout
from victorpy.models.crf_learning import CodedPage
from victorpy.models.decision_tree import DecisionTree
from victorpy.models.model_card import Card, Share, TrainingData
from victorpy.models.model_folder import Model, columns_of, layout_of
from victorpy.models.network import words_of
from victorpy.models.network_pages import NetworkPage, field_marks, label_numbers
from victorpy.page.blocks import LABELS, Label

log = logging.getLogger("victorpy")


def train(pages: Iterable[AnnotatedPage], config: Config, source: str = "", licence: str = "") -> Model:
    """Train a model; `source` and `licence` of the pages go into its card."""
    examples = TrainingSet(config)
    for annotated in pages:
        examples.add(annotated)
    examples.check()
    tally, templates = examples.tally, examples.layout.templates
    log.info("%d pages, %d labeled blocks, %d templates", tally.pages, tally.blocks, len(templates.unigrams))
    network = None
    if config.network.enabled:
        network = network_learning.learn(examples.network_pages, config.network_features, config.network)
    template_model = _TEMPLATE_LEARNERS[config.learner](examples)
    card = Card(data=tally.data(source, licence), made_by=makers(config), config=config, templates=str(templates))
    return Model(config, examples.columns, template_model, card, network=network)


class Tally:
    """The facts about the training pages that go into a card."""

    def __init__(self, labels: Sequence[Label] = LABELS):
        self.labels, self.pages = labels, 0
        self.counts = Counter[str]()
        self._digest = hashlib.sha256()

    def add(self, annotated: AnnotatedPage) -> None:
        self.pages += 1
        self.counts.update(label.value for label in annotated.labels if label)
        self._digest.update(_content(annotated))

    @property
    def blocks(self) -> int:
        return self.counts.total()

    def check(self) -> None:
        if not self.counts:
            raise VictorError("nothing to learn from: no block of these pages has a label")
        if len(self.counts) == 1:
            (only,) = self.counts
            raise VictorError(f"nothing to learn from: every labeled block of these pages is '{only}'")

    def data(self, source: str = "", licence: str = "") -> TrainingData:
        return TrainingData(self.pages, self.blocks, self._digest.hexdigest(), self._shares(), source, licence)

    def _shares(self) -> dict[str, Share]:
        shares = ((label.value, self.counts[label]) for label in self.labels)
        return {name: Share(count, round(100 * count / self.blocks, 2)) for name, count in shares}


class TrainingSet:
    """The values of all pages that each learner of a config needs; the pages themselves are not kept."""

    def __init__(self, config: Config):
        self.config = config
        self.columns = columns_of(config)
        self.layout = layout_of(self.columns, templates_of(config), config)
        self.coded_pages: list[CodedPage] = []
        self.network_pages: list[NetworkPage] = []
        self.tally = Tally(self.layout.labels)
        if config.network.enabled:
            network_learning.check_installed()

    def add(self, annotated: AnnotatedPage) -> None:
        annotated, of_five = annotated.known_as(self.layout.labels), annotated.known_as(LABELS)
        self.coded_pages.append(CodedPage(self.columns.codes(annotated.page), annotated.labels))
        if self.config.network.enabled:
            self.network_pages.append(network_page(of_five, self.config.network_features, self.config))
        self.tally.add(annotated)

    def check(self) -> None:
        self.tally.check()
        _check_templates(self.layout, self.config)


_TEMPLATE_LEARNERS: Mapping[str, Callable[[TrainingSet], CRF | DecisionTree]] = {
    "crf": lambda pages: crf_learning.learn(pages.coded_pages, pages.layout, pages.config.crf),
    "tree": lambda pages: decision_tree_learning.learn(pages.coded_pages, pages.layout, pages.config.tree),
}


def network_page(annotated: AnnotatedPage, features: Sequence[str], config: Config) -> NetworkPage:
    """The values of a page that a network with these features needs."""
    page, labels, weight, kinds_weight, scopes, fields, suits = annotated
    figures, options = matrix(page, features, config.regexp), config.network
    words = words_of(page, of_classes=bool(options.class_embedding_size), of_text=bool(options.text_embedding_size))
    marks = {field.value: field_marks(of_blocks) for field, of_blocks in fields.items()}
    numbers = label_numbers(labels)
    return NetworkPage(figures, numbers, page.lengths, weight, kinds_weight, words, scopes, marks, suits)


def _check_templates(layout: Layout, config: Config) -> None:
    if not layout.templates.unigrams:
        raise VictorError("no template names a used feature", find("templates", config.template))
    named = {reference.feature for template in layout.templates.unigrams for reference in template}
    unnamed = sorted(layout.counts.keys() - named)
    if unnamed:
        log.warning("no template names %s: these features have no effect", ", ".join(unnamed))


def _content(annotated: AnnotatedPage) -> bytes:
    page, labels, *weights, scopes, fields, suits = annotated
    lines = [f"{label}\t{text}\n" for label, text in zip(labels, page.texts, strict=True)]
    lines += [f"{weight!r}\n" for weight in weights if weight != 1]
    lines += [f"{scope}\n" for scope in scopes]
    lines += [f"{field}\t{[*of_blocks]}\n" for field, of_blocks in fields.items()]
    lines += [f"suits {suits}\n"] if suits else []
    return "".join(lines).encode("utf-8", "replace")


def makers(config: Config) -> dict[str, str]:
    learners = ["scikit-learn"] if config.learner == "tree" else ["sklearn-crfsuite", "python-crfsuite"]
    return versions("lxml", "numpy", *learners, *["jax", "optax"] * config.network.enabled)


def annotated_pages(
    paths: Iterable[Path], config: Config, sites: CountedSites | None = None
) -> Iterator[AnnotatedPage]:
    """The pages of .anno files, cut into blocks by the config; changes of the re-alignment are logged."""
    for path in paths:
        page, labels, changes = labeled_page(read(path), config.markup, config.label_set)
        if not changes.is_none:
            log.info("%s: %s", path, changes)
        yield AnnotatedPage(sites.with_site_counts(page) if sites else page, labels)
