"""Model folders: `model.yaml`, which people read, and `weights.npz`, plain arrays. Never pickle."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import UsageError, VictorError
from victorpy.features import FEATURES
from victorpy.features.table import Columns, columns, matrix
from victorpy.foundation.arrays import digest_of, packed, read_arrays
from victorpy.foundation.files import read_text, write_text, written_whole
from victorpy.foundation.resources import find
from victorpy.foundation.yaml_options import Node, dump, entries, mapping, node, read, with_current_names
from victorpy.labelers import Labeling
from victorpy.models.chain import marginals
from victorpy.models.chances import detailed, folded, likeliest_path, unfolded
from victorpy.models.config import Config
from victorpy.models.core_networks import CARD, WEIGHTS
from victorpy.models.crf import CRF, Conjunction, Layout
from victorpy.models.decision_tree import DecisionTree
from victorpy.models.decoding import decoded
from victorpy.models.earlier_configs import upgraded
from victorpy.models.kernel import kernel
from victorpy.models.network import Network
from victorpy.models.templates import Templates, parse
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Floats
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import SEGMENTER_VERSION

log = logging.getLogger("victorpy")

# Counts up whenever an older victorpy would misread the folder.
MODEL_FORMAT = 3


@dataclass(frozen=True)
class Share:
    """How many blocks have a label, and what percentage of all that is."""

    blocks: int
    percent: float


@dataclass(frozen=True)
class TrainingData:
    """What a model learned from."""

    pages: int
    blocks: int
    digest: str
    labels: Mapping[str, Share]
    source: str = ""
    licence: str = ""


@dataclass(frozen=True)
class Origin:
    """The model that another was adapted from, how hard it was pulled back to it, what it had learned from, and how
    far the new one went from it, 1 being all of the way."""

    model: str
    digest: str
    pull: float
    data: TrainingData
    way: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Card:
    """`model.yaml`: where a model is from, how good it is, and all that it takes to use it or to train it again."""

    victorpy_model: int = MODEL_FORMAT
    summary: str = ""
    data: TrainingData
    adapted_from: tuple[Origin, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    segmenter: int = SEGMENTER_VERSION
    made_by: Mapping[str, str] = field(default_factory=dict)
    weights: str = ""
    config: Config
    templates: str


@dataclass(frozen=True, eq=False)
class Model:
    """A trained labeler with all that it needs: config, columns, weights, and the card that says where it is from.

    A decision tree may take the place of the CRF: to it labels do not depend on one another.
    """

    config: Config
    columns: Columns
    template_model: CRF | DecisionTree
    card: Card
    name: str = ""
    digest: str = ""
    network: Network | None = None

    def save(self, folder: str | PathLike[str]) -> None:
        """Writes the model into a folder; `models/NAME` is found as NAME."""
        save(self, Path(folder))

    def labeling(self, page: Page) -> Labeling:
        decoding = self.config.decoding
        labels, probabilities = decoded(page, self.marginals(page).tobytes(), decoding)
        if decoding.method == "viterbi":
            labels = likeliest_path(self.scores(page), self.template_model.transitions, decoding.bias, self.labels)
        labeling = Labeling(labels, probabilities=probabilities)
        return self._with_fields(labeling, page) if self.config.labels else labeling

    def _with_fields(self, labeling: Labeling, page: Page) -> Labeling:
        found = detailed(labeling.labels, self.detailed_marginals(page), self.labels)
        return replace(labeling, detailed=found, posts=labeled_posts(page, found))

    @property
    def labels(self) -> tuple[Label, ...]:
        """The five, and the fields that it has learned to tell from them."""
        return self.template_model.layout.labels

    def detailed_marginals(self, page: Page) -> Floats:
        """The probability of each of `labels`: block × label."""
        return unfolded(self.marginals(page), self._every_marginal(page), self.labels)

    def marginals(self, page: Page) -> Floats:
        """The probability of each of the five labels: block × label."""
        network, share = self.network_marginals(page), self.config.network.share
        if network is None:
            return self.crf_marginals(page)
        return network if share == 1 else (1 - share) * self.crf_marginals(page) + share * network

    def crf_marginals(self, page: Page) -> Floats:
        return folded(self._every_marginal(page), self.labels)

    def _every_marginal(self, page: Page) -> Floats:
        return marginals(self.scores(page), self.template_model.transitions)

    def scores(self, page: Page) -> Floats:
        """What the CRF says of each block by itself: block × label."""
        return _scores(page, self)

    def network_marginals(self, page: Page) -> Floats | None:
        """What the network by itself says."""
        if self.network is None:
            return None
        if self.network.is_native:
            return self.network.of_page(page)
        return self.network.of_page(page, matrix(page, self.network.features, self.config.regexp))

    def label(self, page: Page) -> list[Label]:
        return self.labeling(page).labels

    def decoding_by(self, **changes: Any) -> "Model":
        """The same model, decoding otherwise."""
        if self.card.adapted_from and changes.get("method") == "viterbi":
            raise UsageError(
                "an adapted model cannot decode by viterbi: its network has learned, and its CRF not", self.name
            )
        return replace(self, config=replace(self.config, decoding=replace(self.config.decoding, **changes)))


@once_per_page
def _scores(page: Page, model: Model) -> Floats:
    return model.template_model.scores(model.columns.codes(page))


def columns_of(config: Config) -> Columns:
    return columns(config.used_features, config.buckets, config.regexp, config.markup)


def layout_of(columns: Columns, templates: Templates, config: Config) -> Layout:
    counts = {name: bucketing.count for name, bucketing in zip(columns.names, columns.bucketings, strict=True)}
    return Layout(counts, templates.only(columns.names), config.label_set)


def save(model: Model, folder: Path) -> None:
    """Writes the folder; the card last, because it speaks of the weights."""
    arrays = _arrays(model.template_model)
    if model.network:
        arrays |= _network_arrays(model.network)
    weights = packed(arrays)
    with written_whole(folder / WEIGHTS) as file:
        file.write(weights)
    write_text(folder / CARD, dump(replace(model.card, victorpy_model=MODEL_FORMAT, weights=digest_of(weights))))


def write_scores(folder: Path, scores: Mapping[str, float]) -> None:
    """Puts scores into the card of a model in place of those there; its weights stay as they are."""
    card = load(str(folder)).card
    write_text(folder / CARD, dump(replace(card, scores=scores)))


def load(name: str) -> Model:
    """The model of this name, or in this folder."""
    folder = find("models", name)
    text = read_text(folder / CARD)
    _check_format(text, folder / CARD)
    card = read(Card, _upgraded(node(text, folder / CARD)))
    table = columns_of(card.config)
    templates = parse(card.templates, f"{folder / CARD}: templates", table.names)
    if card.segmenter != SEGMENTER_VERSION:
        log.warning(
            "%s: trained on blocks of segmenter %d, and this is %d: labels may be worse",
            folder,
            card.segmenter,
            SEGMENTER_VERSION,
        )
    arrays = read_arrays(folder / WEIGHTS, card.weights, CARD, "weights", "a model")
    try:
        crf = (_decision_tree if card.config.learner == "tree" else _crf)(
            arrays, layout_of(table, templates, card.config)
        )
        network = _network(arrays, card.config) if card.config.network.enabled else None
    except (ValueError, LookupError, TypeError) as error:
        raise VictorError(f"not the weights of a model: {error}", folder / WEIGHTS) from error
    return Model(card.config, table, crf, card, folder.name, digest_of(text.encode()), network)


def _upgraded(card: Node) -> Node:
    """The card with today's options; it was not written by hand, so that old ones need no warnings."""
    given = entries(card)
    if "config" in given:
        name_node, config = given["config"]
        given["config"] = name_node, upgraded(Config, config, "config", warns=False)
    return with_current_names(Card, mapping(given, card), warns=False)


def _check_format(card: str, place: Path) -> None:
    found = re.match(r"victorpy-model: (\d{1,9})$", card, re.MULTILINE)
    if not found:
        raise VictorError(f"not a model card: its first line is not 'victorpy-model: {MODEL_FORMAT}'", place, 1)
    if int(found[1]) > MODEL_FORMAT:
        raise VictorError(
            f"a model of format {found[1]}, and this victorpy reads up to {MODEL_FORMAT}: upgrade victorpy", place, 1
        )


def _arrays(learned: CRF | DecisionTree) -> dict[str, NDArray[Any]]:
    if isinstance(learned, CRF):
        return _crf_arrays(learned)
    return {f"decision-{name}": getattr(learned, name) for name in _DECISIONS}


_DECISIONS = ("columns", "borders", "children", "shares")


def _crf_arrays(crf: CRF) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {"singles": crf.singles, "transitions": crf.transitions}
    if crf.unseen:
        arrays["unseen"] = np.array(crf.unseen)
    for number, conjunction in enumerate(crf.conjunctions):
        arrays[f"conjunction{number}"] = conjunction.weights
        if conjunction.keys is not None:
            arrays[f"keys{number}"] = conjunction.keys
    return arrays


# The arrays of a network that hold names, with its fields: words that it knows, and the figures that pieces are of.
_NAMED = {"words": "words", "text-words": "text_words", "pieces": "pieces"}


def _network_arrays(network: Network) -> dict[str, NDArray[Any]]:
    return {f"network-{name}": array for name, array in network.arrays.items()}


def _decision_tree(arrays: Mapping[str, NDArray[Any]], layout: Layout) -> DecisionTree:
    tree = DecisionTree(layout, *(arrays[f"decision-{name}"] for name in _DECISIONS))
    if not tree.fits:
        raise ValueError("the tree is not one over the features and templates in the card")
    return tree


def _crf(arrays: Mapping[str, NDArray[Any]], layout: Layout) -> CRF:
    conjunctions = [template for template in layout.templates.unigrams if len(template) > 1]
    crf = CRF(
        layout,
        arrays["singles"],
        tuple(
            Conjunction(template, arrays[f"conjunction{number}"], arrays.get(f"keys{number}"))
            for number, template in enumerate(conjunctions)
        ),
        arrays["transitions"],
        tuple(arrays["unseen"].tolist()) if "unseen" in arrays else (),
    )
    if not crf.fits:
        raise ValueError("their shapes are not those of the features and templates in the card")
    return crf


def _network(arrays: Mapping[str, NDArray[Any]], config: Config) -> Network:
    # A wrong name is better known before the first page.
    kernel()
    prefix = "network-"
    weights = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
    none = np.zeros(0, np.str_)
    named = {field: tuple(weights.pop(name, none).tolist()) for name, field in _NAMED.items()}
    network = Network(tuple(weights.pop("features").tolist()), weights, **named)
    if not network.fits or not set(network.features) <= FEATURES.keys() | set(config.network_features):
        raise ValueError("the network is not that of the card")
    return network
