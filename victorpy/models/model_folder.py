"""Model folders: `model.yaml`, which people can read, and `weights.npz`, plain arrays. Never pickle."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import Any

from victorpy.errors import UsageError, VictorError
from victorpy.features.table import Columns, columns, matrix
from victorpy.foundation.arrays import ArrayFile, packed, read_arrays
from victorpy.foundation.files import write_text
from victorpy.foundation.paired_files import digest_of, read_pair, write_pair
from victorpy.foundation.resources import find
from victorpy.foundation.yaml_options import dump, entries, mapping, node, read, with_current_names
from victorpy.labelers import Labeling
from victorpy.models.chain import marginals
from victorpy.models.config import Config
from victorpy.models.core_networks import CARD, WEIGHTS
from victorpy.models.crf import CRF, Layout
from victorpy.models.decision_tree import DecisionTree
from victorpy.models.decoding import decoded
from victorpy.models.doubts import reviewed
from victorpy.models.earlier_configs import upgraded
from victorpy.models.label_probabilities import detailed, likeliest_path, summed_by_base, with_fields
from victorpy.models.model_card import MODEL_FORMAT, Card
from victorpy.models.model_parts import array_names, arrays_of, parts_of
from victorpy.models.network import Network
from victorpy.models.scopes import scope_row
from victorpy.models.templates import Templates, parse
from victorpy.page.block_fields import fields_of
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Floats
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import SEGMENTER_VERSION

log = logging.getLogger("victorpy")


@dataclass(frozen=True, eq=False)
class Model:
    """A trained labeler: config, feature columns, weights, and the card that says where they are from.

    `template_model` is what was trained over the templates: a CRF, or a decision tree, which labels each block
    independently. With a `network`, the probabilities of both are averaged.
    """

    config: Config
    columns: Columns
    template_model: CRF | DecisionTree
    card: Card
    name: str = ""
    digest: str = ""
    network: Network | None = None

    def save(self, folder: str | PathLike[str]) -> None:
        """Write the model to a folder; `models/NAME` is found as NAME."""
        save(self, Path(folder))

    def labeling(self, page: Page) -> Labeling:
        decoding = self.config.decoding
        labels, probabilities = decoded(page, self.marginals(page).tobytes(), decoding)
        if decoding.method == "viterbi":
            labels = likeliest_path(self.scores(page), self.template_model.transitions, decoding.bias, self.labels)
        labels, reason = reviewed(page, labels, decoding) if self.network else (labels, "")
        labeling = Labeling(
            labels,
            probabilities=probabilities,
            reason=reason,
            calibration=decoding.calibration,
            fields=fields_of(_said_by_network(page, self)[1]) if self.network else None,
        )
        return self._with_fields(labeling, page) if self.config.labels else labeling

    def _with_fields(self, labeling: Labeling, page: Page) -> Labeling:
        found = detailed(labeling.labels, self.detailed_marginals(page), self.labels)
        return replace(labeling, detailed=found, posts=labeled_posts(page, found))

    @property
    def labels(self) -> tuple[Label, ...]:
        """The five labels, then the fields that the model has learned."""
        return self.template_model.layout.labels

    def detailed_marginals(self, page: Page) -> Floats:
        """The probability of each of `labels`: block × label."""
        return with_fields(self.marginals(page), self._all_template_marginals(page), self.labels)

    def marginals(self, page: Page) -> Floats:
        """The probability of each of the five labels: block × label."""
        network, share = self.network_marginals(page), self.config.network.share
        if network is None:
            return self.template_marginals(page)
        return network if share == 1 else (1 - share) * self.template_marginals(page) + share * network

    def template_marginals(self, page: Page) -> Floats:
        """The probabilities according to the CRF or decision tree alone."""
        return summed_by_base(self._all_template_marginals(page), self.labels)

    def _all_template_marginals(self, page: Page) -> Floats:
        return marginals(self.scores(page), self.template_model.transitions)

    def scores(self, page: Page) -> Floats:
        """The scores of each block by itself, before transitions: block × label."""
        return _scores(page, self)

    def network_marginals(self, page: Page) -> Floats | None:
        """The probabilities according to the network alone."""
        return _said_by_network(page, self)[0] if self.scoped_network else None

    @cached_property
    def scoped_network(self) -> Network | None:
        """The network for the scope of the decoding."""
        scope = self.config.decoding.scope
        if self.network is not None:
            return self.network.of_scope(scope)
        scope_row((), scope)
        return None

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def label(self, page: Page) -> list[Label]:
        return self.labeling(page).labels

    def decoding_by(self, **changes: Any) -> "Model":
        """The model with other decoding options."""
        if self.card.adapted_from and changes.get("method") == "viterbi":
            raise UsageError(
                "an adapted model cannot decode by viterbi: its network was trained further, but not its CRF", self.name
            )
        changed = replace(self, config=replace(self.config, decoding=replace(self.config.decoding, **changes)))
        scope_row(self.network.scopes if self.network else (), changed.config.decoding.scope)
        return changed


@once_per_page
def _scores(page: Page, model: Model) -> Floats:
    return model.template_model.scores(model.columns.codes(page))


@once_per_page
def _said_by_network(page: Page, model: Model) -> tuple[Floats, bytes]:
    """The probability of every label, and the code of each block's field."""
    network = model.scoped_network
    assert network
    figures = None if network.is_native else matrix(page, network.features, model.config.regexp)
    return network.with_fields_of_page(page, figures)


def columns_of(config: Config) -> Columns:
    return columns(config.used_features, config.buckets, config.regexp, config.markup)


def layout_of(columns: Columns, templates: Templates, config: Config) -> Layout:
    counts = {name: bucketing.count for name, bucketing in zip(columns.names, columns.bucketings, strict=True)}
    return Layout(counts, templates.only(columns.names), config.label_set)


def save(model: Model, folder: Path) -> None:
    weights = packed(arrays_of(model, model.config))
    card = replace(model.card, victorpy_model=MODEL_FORMAT, weights=digest_of(weights))
    write_pair(folder / WEIGHTS, weights, folder / CARD, dump(card))


def write_scores(folder: Path, scores: Mapping[str, float]) -> None:
    """Replace the scores in the card of a model; its weights stay the same."""
    card = load(str(folder)).card
    write_text(folder / CARD, dump(replace(card, victorpy_model=MODEL_FORMAT, scores=scores)))


def load(name: str) -> Model:
    """The model with this name or in this folder."""
    folder = find("models", name)
    return read_pair(folder / CARD, partial(_loaded, folder))


def _loaded(folder: Path, text: str) -> Model:
    card = _card(text, folder / CARD)
    table = columns_of(card.config)
    templates = parse(card.templates, f"{folder / CARD}: templates", table.names)
    if card.segmenter != SEGMENTER_VERSION:
        log.warning(
            "%s: trained on blocks of segmenter %d, and this is %d: labels may be worse",
            folder,
            card.segmenter,
            SEGMENTER_VERSION,
        )
    layout = layout_of(table, templates, card.config)
    names = array_names(card.config, layout)
    arrays = read_arrays(folder / WEIGHTS, card.weights, names, ArrayFile(CARD, "weights", "a model"))
    try:
        parts = parts_of(arrays, card.config, layout)
    except (ValueError, LookupError, TypeError) as error:
        raise VictorError(f"not the weights of a model: {error}", folder / WEIGHTS) from error
    return Model(card.config, table, card=card, name=folder.name, digest=digest_of(text.encode()), **parts)


def _card(text: str, place: Path) -> Card:
    """The card with current options. It was not written by hand, so old names cause no warnings."""
    _check_format(text, place)
    card = node(text, place)
    sections = entries(card)
    if "config" in sections:
        name_node, config = sections["config"]
        sections["config"] = name_node, upgraded(Config, config, "config", warns=False)
    return read(Card, with_current_names(Card, mapping(sections, card), warns=False))


def _check_format(card: str, place: Path) -> None:
    found = re.match(r"victorpy-model: (\d{1,9})$", card, re.MULTILINE)
    if not found:
        raise VictorError(f"not a model card: its first line is not 'victorpy-model: {MODEL_FORMAT}'", place, 1)
    if int(found[1]) > MODEL_FORMAT:
        raise VictorError(
            f"a model of format {found[1]}, and this victorpy reads up to {MODEL_FORMAT}: upgrade victorpy", place, 1
        )
