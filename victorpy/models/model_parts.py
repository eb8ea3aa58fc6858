"""The parts of a model, and the plain arrays that `weights.npz` stores of each."""

from collections.abc import Callable, Mapping, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.features import FEATURES
from victorpy.models.config import Config
from victorpy.models.crf import CRF, Conjunction, Layout
from victorpy.models.decision_tree import DecisionTree
from victorpy.models.kernel import kernel
from victorpy.models.network import Network, names_of_weights
from victorpy.models.templates import Template

Arrays = Mapping[str, NDArray[Any]]


class ModelPart(NamedTuple):
    """The field of a model, the configs that have the part, its arrays, and its conversion to them and back."""

    field: str
    applies: Callable[[Config], bool]
    names: Callable[[Config, Layout], Set[str]]
    save: Callable[[Any], Arrays]
    load: Callable[[Arrays, Config, Layout], Any]


def arrays_of(model: Any, config: Config) -> dict[str, NDArray[Any]]:
    """The arrays of all parts that a model with this config has."""
    parts = (part.save(getattr(model, part.field)) for part in PARTS.values() if part.applies(config))
    return {name: array for arrays in parts for name, array in arrays.items()}


def array_names(config: Config, layout: Layout) -> set[str]:
    """The arrays that a model with this config can have."""
    return set().union(*(part.names(config, layout) for part in PARTS.values() if part.applies(config)))


def parts_of(arrays: Arrays, config: Config, layout: Layout) -> dict[str, Any]:
    """The parts of a model by field."""
    return {part.field: part.load(arrays, config, layout) for part in PARTS.values() if part.applies(config)}


def _crf_names(_: Config, layout: Layout) -> Set[str]:
    numbers = range(len(_conjunctions(layout)))
    return {"singles", "transitions", "unseen", *(f"{name}{n}" for name in ("conjunction", "keys") for n in numbers)}


def _conjunctions(layout: Layout) -> list[Template]:
    return [template for template in layout.templates.unigrams if len(template) > 1]


def _save_crf(crf: CRF) -> Arrays:
    arrays: dict[str, NDArray[Any]] = {"singles": crf.singles, "transitions": crf.transitions}
    if crf.unseen:
        arrays["unseen"] = np.array(crf.unseen)
    for number, conjunction in enumerate(crf.conjunctions):
        arrays[f"conjunction{number}"] = conjunction.weights
        if conjunction.keys is not None:
            arrays[f"keys{number}"] = conjunction.keys
    return arrays


def _load_crf(arrays: Arrays, _: Config, layout: Layout) -> CRF:
    crf = CRF(
        layout,
        arrays["singles"],
        tuple(
            Conjunction(template, arrays[f"conjunction{number}"], arrays.get(f"keys{number}"))
            for number, template in enumerate(_conjunctions(layout))
        ),
        arrays["transitions"],
        tuple(arrays["unseen"].tolist()) if "unseen" in arrays else (),
    )
    if not crf.fits:
        raise ValueError("their shapes do not match the features and templates of the card")
    return crf


_TREE_ARRAYS = ("columns", "borders", "children", "shares")


def _tree_names(*_: object) -> Set[str]:
    return {f"decision-{name}" for name in _TREE_ARRAYS}


def _save_tree(tree: DecisionTree) -> Arrays:
    return {f"decision-{name}": getattr(tree, name) for name in _TREE_ARRAYS}


def _load_tree(arrays: Arrays, _: Config, layout: Layout) -> DecisionTree:
    tree = DecisionTree(layout, *(arrays[f"decision-{name}"] for name in _TREE_ARRAYS))
    if not tree.fits:
        raise ValueError("the tree does not match the features and templates of the card")
    return tree


_NETWORK = "network-"
# Arrays of names, by the attributes of a network: the words that it knows, the feature of each bin, scopes and fields.
_NAMES = {
    "words": "class_words",
    "text-words": "text_words",
    "pieces": "bin_features",
    "scopes": "scopes",
    "fields": "fields",
}


def _network_names(config: Config, _: Layout) -> Set[str]:
    return {f"{_NETWORK}{name}" for name in {"features", *_NAMES} | names_of_weights(config.network.layers)}


def _save_network(network: Network) -> Arrays:
    return {f"{_NETWORK}{name}": array for name, array in network.arrays.items()}


def _load_network(arrays: Arrays, config: Config, _: Layout) -> Network:
    kernel()  # refuses a wrong VICTOR_KERNEL before the first page
    weights = {name.removeprefix(_NETWORK): array for name, array in arrays.items() if name.startswith(_NETWORK)}
    names = {field: _texts(weights.pop(name, np.zeros(0, np.str_))) for name, field in _NAMES.items()}
    network = Network(_texts(weights.pop("features")), weights, **names)
    if not network.fits or not set(network.features) <= FEATURES.keys() | set(config.network_features):
        raise ValueError("the network does not match the card")
    return network


def _texts(array: NDArray[Any]) -> tuple[str, ...]:
    if array.dtype.kind != "U" or array.ndim != 1:
        raise ValueError("expected lists of texts for what the network knows by name")
    return tuple(array.tolist())


def _has_network(config: Config) -> bool:
    return config.network.enabled


PARTS = {
    "crf": ModelPart("template_model", lambda config: config.learner == "crf", _crf_names, _save_crf, _load_crf),
    "tree": ModelPart("template_model", lambda config: config.learner == "tree", _tree_names, _save_tree, _load_tree),
    "network": ModelPart("network", _has_network, _network_names, _save_network, _load_network),
}
