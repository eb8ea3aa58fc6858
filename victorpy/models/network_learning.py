"""Training a network on pages: its vocabulary, its initial weights, and gradient descent in a child process."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from itertools import chain
from typing import get_args

import numpy as np

from victorpy import _core
from victorpy.errors import UsageError
from victorpy.features.vocabulary import learnable
from victorpy.foundation.optional import install_hint
from victorpy.foundation.processes import apart
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import NEVER, OF_CLASSES, Matrix, Network
from victorpy.models.network_descent import trained
from victorpy.models.network_pages import NetworkPage
from victorpy.models.network_ranges import ranges
from victorpy.models.scope_guess import with_guess
from victorpy.models.scopes import AUTO, Scope
from victorpy.page.blocks import LABELS, Label

log = logging.getLogger("victorpy")

# The initial weights of words and of bins are this small.
_FRESH_WORDS = 0.05
_FRESH_BINS = 0.02
# The score of a field before learning: hardly a block is one.
_RARE = -4.0


def check_installed() -> None:
    """Refuse to train a network without JAX and Optax, before any work."""
    if not (find_spec("jax") and find_spec("optax")):
        raise UsageError(f"training a network needs JAX and Optax: {install_hint('network')}")


def learn(pages: Sequence[NetworkPage], features: Sequence[str], options: NetworkOptions) -> Network:
    """Train a network on labeled pages."""
    check_installed()
    bin_features, weights = ranges(pages, features, options)
    network = Network(
        tuple(features), weights, *_vocabularies(pages, options), bin_features, _scopes(pages), _fields(pages)
    )
    start = _initial_weights(network, options, np.random.default_rng(options.seed))
    network = replace(network, weights={**network.weights, **start})
    log.info("%d pages, %d features, %d weights", len(pages), len(features), sum(map(np.size, start.values())))
    learned = _without_unused_labels(apart(partial(trained, options, network, pages)), pages)
    learned = _with_shifted_comments(learned, options.comment_shift)
    if options.auto_scope == "learned":
        return learned
    with_mean = _with_mean_as_auto(learned)
    return with_guess(with_mean, pages, options) if options.auto_scope == "guessed" else with_mean


def _with_shifted_comments(network: Network, shift: float) -> Network:
    """The network whose score of comments is higher by so much."""
    if Label.COMMENT.value not in network.fields or not shift:
        return network
    bias = network.weights["field-bias"].copy()
    bias[network.fields.index(Label.COMMENT.value)] += shift
    return replace(network, weights={**network.weights, "field-bias": bias})


def _with_mean_as_auto(network: Network) -> Network:
    """The network whose rows of `auto` are the means of those of the other scopes."""
    others = [row for row, scope in enumerate(network.scopes) if scope != AUTO]
    tables = {table: network.weights[table].copy() for table in network.scope_weights} if others else {}
    for rows in tables.values():
        rows[network.scopes.index(AUTO)] = rows[others].mean(axis=0)
    return replace(network, weights={**network.weights, **tables})


def _scopes(pages: Sequence[NetworkPage]) -> tuple[str, ...]:
    """The scopes of the pages, `auto` first; none if no page has one."""
    known = {AUTO}.union(*(page.scopes for page in pages))
    return tuple(scope for scope in get_args(Scope) if scope in known) if known != {AUTO} else ()


def _fields(pages: Sequence[NetworkPage]) -> tuple[str, ...]:
    """The fields that any page has, in the order of the core."""
    known = {field for page in pages for field, marks in page.fields.items() if (marks == 1).any()}
    return tuple(field for field in _core.FIELDS if field in known)


def _without_unused_labels(network: Network, pages: Sequence[NetworkPage]) -> Network:
    """The network that never gives a label that no page has."""
    labels = np.concatenate([page.labels for page in pages])
    bias = network.weights["leave-bias"].copy()
    bias[np.setdiff1d(np.arange(len(LABELS)), labels)] = NEVER
    return replace(network, weights={**network.weights, "leave-bias": bias})


def _vocabularies(pages: Sequence[NetworkPage], options: NetworkOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The class words and the words of text that enough pages have, sorted."""
    of_classes, of_text = Counter[str](), Counter[str]()
    for page in pages:
        if options.class_embedding_size and page.words.classes:
            of_classes.update(learnable(chain(page.words.classes.words, page.words.classes.whole)))
        if options.text_embedding_size and page.words.text:
            of_text.update(learnable(page.words.text.words))
    return _frequent(of_classes, options.min_word_pages), _frequent(of_text, options.min_word_pages)


def _frequent(pages: Counter[str], least: int) -> tuple[str, ...]:
    return tuple(sorted(word for word, count in pages.items() if count >= least))


def _initial_weights(network: Network, options: NetworkOptions, random: np.random.Generator) -> dict[str, Matrix]:
    """Random weights, small where a layer adds to its input."""
    wide, labels = options.width, len(LABELS)
    inner = options.layer_width or wide
    of_classes, of_text = options.class_embedding_size, options.text_embedding_size
    sizes = {table: of_classes if table in OF_CLASSES else of_text for table in network.tables}

    def normal(*shape: int, factor: float = 1.0) -> Matrix:
        weights = factor * np.sqrt(1.6 / shape[-2]) * random.standard_normal(shape)
        return np.asarray(weights, np.float32)

    enter = normal(len(network.features) + sum(sizes.values()), wide)
    if network.bin_features:
        of_bins = np.asarray(_FRESH_BINS * random.standard_normal((len(network.bin_features), wide)), np.float32)
        enter = np.insert(enter, len(network.features), of_bins, axis=0)
    weights = {
        "enter": enter,
        "enter-bias": _zeros(wide),
        "spread": normal(wide, wide),
        "spread-bias": _zeros(wide),
        "leave": normal(wide, labels, factor=0.3),
        "leave-bias": _zeros(labels),
    }
    if network.fields:
        count = len(network.fields)
        weights |= {"field": normal(wide, count, factor=0.3), "field-bias": np.full(count, _RARE, np.float32)}
    for number in range(options.layers):
        weights |= {
            f"{number}-around": normal(3, wide, inner, factor=0.5),
            f"{number}-page": normal(2, wide, inner, factor=0.3),
            f"{number}-bias": _zeros(inner),
            f"{number}-back": normal(inner, wide, factor=0.3),
            f"{number}-back-bias": _zeros(wide),
        }
    for table, words in network.tables.items():
        weights[table] = np.asarray(_FRESH_WORDS * random.standard_normal((len(words), sizes[table])), np.float32)
    of_scopes = replace(network, weights=weights).scope_weights
    return weights | {table: _zeros(len(network.scopes), weights[bias].size) for table, bias in of_scopes.items()}


def _zeros(*shape: int) -> Matrix:
    return np.zeros(shape, np.float32)
