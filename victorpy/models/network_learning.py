"""Learning networks by gradient descent: the only place that knows JAX and Optax."""

import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.errors import UsageError
from victorpy.features import class_words, matches_any, wording
from victorpy.features.vocabulary import WordCounts, learnable
from victorpy.foundation.optional import install_hint
from victorpy.foundation.processes import apart
from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import (
    FARTHEST,
    FIXED,
    LOWER_END,
    NEVER,
    NO_WORDS,
    OF_NAMES,
    OF_TEXT,
    UPPER_END,
    Matrix,
    Network,
    Words,
    logarithms,
    page_shares,
)
from victorpy.page.blocks import LABELS, Label
from victorpy.page.elements import Ints

log = logging.getLogger("victorpy")

Weights = dict[str, Any]
_Counted = dict[str, WordCounts]

# Longer pages are learned from by a stretch of this many blocks, another one each time.
_LONGEST = 2048
# Pages that are learned from at once stand in so many rows, one behind the other, and are at most so many.
_BATCH_ROWS = 6144
_BATCH_PAGES = 64

# In the loss a block of noise or content counts by its length to this power.
LENGTH_POWER = 0.6
# Characters that the loss by F1 takes every page to have besides.
_PRIOR_LENGTH = 100.0
_LARGEST_STEP = 1.0
_WARM_UP = 100
# Of words, and of places in pieces, whose numbers begin small.
_FRESH_WORDS = 0.05
_FRESH_PIECES = 0.02
# Of figures with no more values than that each is told from all others.
_FEW_VALUES = 24
# A narrower piece would tell apart what differs by rounding.
_NARROWEST = 1e-3
_DECAY = 0.01
# So many different words of a block are looked at in each table; there are hardly ever more.
_MOST_WORDS = {"near": 16, "whole": 24, "short": 12}
_THREADS = Path("/proc/self/task")
_OTHER = LABELS.index(Label.OTHER)
UNLABELED = -1


class SeenPage(NamedTuple):
    """What is learned from: figures (feature × block), the labels' numbers, the blocks' lengths, the page's weights,
    and its words."""

    figures: Matrix
    labels: NDArray[np.int8]
    lengths: Ints
    weight: float = 1.0
    kinds_weight: float = 1.0
    words: Words = NO_WORDS


def numbered(labels: Sequence[Label | None]) -> NDArray[np.int8]:
    return np.array([UNLABELED if label is None else LABELS.index(label) for label in labels], np.int8)


def check_installed() -> None:
    """Tells before long work that no network could be learned."""
    if not (find_spec("jax") and find_spec("optax")):
        raise UsageError(f"training a network needs JAX and Optax: {install_hint('network')}")


def learn(pages: Sequence[SeenPage], features: Sequence[str], options: NetworkOptions) -> Network:
    """A network that labels as these pages are labeled."""
    check_installed()
    pieces, weights = _ranges(pages, features, options)
    network = Network(tuple(features), weights, *_frequent_words(pages, options), pieces)
    start = _fresh(network, options, np.random.default_rng(options.seed))
    network = replace(network, weights={**network.weights, **start})
    log.info("%d pages, %d features, %d weights", len(pages), len(features), sum(map(np.size, start.values())))
    learned = apart(partial(_learned, options, network, pages))
    return _without_unseen(learned, pages)


def _learned(options: NetworkOptions, network: Network, pages: Sequence[SeenPage]) -> Network:
    return _Descent(options, network).learned(pages)


def _without_unseen(network: Network, pages: Sequence[SeenPage]) -> Network:
    """A label that no page had is never given."""
    labels = np.concatenate([page.labels for page in pages])
    bias = network.weights["leave-bias"].copy()
    bias[np.setdiff1d(np.arange(len(LABELS)), labels)] = NEVER
    return replace(network, weights={**network.weights, "leave-bias": bias})


def _frequent_words(pages: Sequence[SeenPage], options: NetworkOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """In order, the words of names and those of text that enough pages have."""
    of_names, of_text = Counter[str](), Counter[str]()
    for page in pages:
        if options.class_embedding_size and page.words.names:
            of_names.update(learnable(chain(page.words.names.words, page.words.names.whole)))
        if options.text_embedding_size and page.words.text:
            of_text.update(learnable(page.words.text.words))
    return _of_pages(of_names, options.min_word_pages), _of_pages(of_text, options.min_word_pages)


def _of_pages(found: Counter[str], least: int) -> tuple[str, ...]:
    return tuple(sorted(word for word, many in found.items() if many >= least))


def _ranges(
    pages: Sequence[SeenPage], features: Sequence[str], options: NetworkOptions
) -> tuple[tuple[str, ...], dict[str, Matrix]]:
    """What the blocks of every third page say of the ranges of figures: which figure each piece is of; and the means
    and scales, and where the pieces are."""
    logs = np.concatenate([logarithms(page.figures).T for page in pages[::3]])
    means, scales = _scale(logs)
    curved = [row for row, name in enumerate(features) if matches_any(name, options.piecewise)]
    pieces: list[str] = []
    ends = [np.zeros((2, 0), np.float32)]
    for row in curved:
        seen = np.clip((logs[:, row] - means[row]) * scales[row], -FARTHEST, FARTHEST)
        borders = _borders(seen, options.bins)
        # A single piece would say no more than the figure.
        if len(borders) > 2:
            pieces += [features[row]] * (len(borders) - 1)
            ends.append(np.stack((borders[:-1], borders[1:])))
    lower, upper = np.concatenate(ends, axis=1)
    where = {"piece-middles": (lower + upper) / 2, "piece-scales": 1 / (upper - lower)} if pieces else {}
    return tuple(pieces), {"means": means, "scales": scales, **where}


def _scale(logs: Matrix) -> tuple[Matrix, Matrix]:
    """The mean of each figure, and one through its deviation."""
    if not len(logs):
        return np.zeros(logs.shape[1], np.float32), np.ones(logs.shape[1], np.float32)
    means, deviations = logs.mean(axis=0, dtype=np.float64), logs.std(axis=0, dtype=np.float64)
    return means.astype(np.float32), (1 / (deviations + 1e-3)).astype(np.float32)


def _borders(values: Matrix, pieces: int) -> Matrix:
    """Where so many pieces begin and end, with as many blocks in each; of few values, pieces lie between any two."""
    borders, counts = np.unique(values, return_counts=True)
    if len(borders) > _FEW_VALUES:
        commonest = borders[counts.argmax()]
        if counts.max() > len(values) / 4:
            # What so many blocks have, such as none, would take most of the pieces.
            borders = np.unique(np.append(_cuts(values[values != commonest], pieces - 1), commonest))
        else:
            borders = np.unique(_cuts(values, pieces))
    return borders[np.diff(borders, prepend=-np.inf) > _NARROWEST]


def _cuts(values: Matrix, pieces: int) -> Matrix:
    return np.quantile(values, np.linspace(0, 1, pieces + 1)).astype(np.float32)


def _fresh(network: Network, options: NetworkOptions, random: np.random.Generator) -> dict[str, Matrix]:
    """Weights to begin with: random, and small where they add to what is known."""
    wide, labels = options.width, len(LABELS)
    inner = options.layer_width or wide
    told = {
        table: options.class_embedding_size if table in OF_NAMES else options.text_embedding_size
        for table in network.tables
    }

    def spread(*shape: int, factor: float = 1.0) -> Matrix:
        weights = factor * np.sqrt(1.6 / shape[-2]) * random.standard_normal(shape)
        return np.asarray(weights, np.float32)

    def none(*shape: int) -> Matrix:
        return np.zeros(shape, np.float32)

    enter = spread(len(network.features) + sum(told.values()), wide)
    if network.pieces:
        of_pieces = np.asarray(_FRESH_PIECES * random.standard_normal((len(network.pieces), wide)), np.float32)
        enter = np.insert(enter, len(network.features), of_pieces, axis=0)
    weights = {
        "enter": enter,
        "enter-bias": none(wide),
        "spread": spread(wide, wide),
        "spread-bias": none(wide),
        "leave": spread(wide, labels, factor=0.3),
        "leave-bias": none(labels),
    }
    for number in range(options.layers):
        weights |= {
            f"{number}-around": spread(3, wide, inner, factor=0.5),
            f"{number}-page": spread(2, wide, inner, factor=0.3),
            f"{number}-bias": none(inner),
            f"{number}-back": spread(inner, wide, factor=0.3),
            f"{number}-back-bias": none(wide),
        }
    for table, words in network.tables.items():
        weights[table] = np.asarray(_FRESH_WORDS * random.standard_normal((len(words), told[table])), np.float32)
    return weights


class _Lesson(NamedTuple):
    """A page as it is learned from: its figures on the network's scale (block × feature), and the words known of it."""

    page: SeenPage
    seen: Matrix
    counted: _Counted

    @property
    def length(self) -> int:
        return min(len(self.seen), _LONGEST)


def _lesson(page: SeenPage, network: Network) -> _Lesson:
    seen = np.ascontiguousarray(network.standardized(page.figures))
    return _Lesson(page, seen, _counted(page, network))


class _Batch(NamedTuple):
    """Pages one behind the other, with empty rows between them, so that no block sees those of another page.

    `shares` say how much each row counts in the two means of each page (2 × page × row), and `words`, by table, which
    words each row has and how often (row × word).
    """

    seen: Matrix
    labels: NDArray[np.int32]
    lengths: Matrix
    shares: Matrix
    weights: Matrix
    words: dict[str, tuple[NDArray[np.int32], Matrix]]


@dataclass(frozen=True)
class _Shape:
    """Of all batches alike, so that one compiled program does for them."""

    rows: int
    pages: int
    gap: int

    def groups(self, lengths: Sequence[int], random: np.random.Generator) -> list[list[int]]:
        """The pages that are learned from together, in random order, as many as there is room for."""
        groups: list[list[int]] = []
        room = 0
        for number in random.permutation(len(lengths)).tolist():
            wanted = lengths[number] + self.gap
            if wanted > room or len(groups[-1]) == self.pages:
                groups.append([])
                room = self.rows
            groups[-1].append(number)
            room -= wanted
        return groups


def _shape(lengths: Sequence[int], options: NetworkOptions) -> _Shape:
    # As far as the last layer looks.
    gap = 1 << (options.layers - 1)
    total = sum(lengths) + gap * len(lengths)
    return _Shape(min(total, _BATCH_ROWS), min(len(lengths), _BATCH_PAGES), gap)


def _batch(
    lessons: Sequence[_Lesson], shape: _Shape, network: Network, options: NetworkOptions, random: np.random.Generator
) -> _Batch:
    rows, pages = shape.rows, shape.pages
    batch = _Batch(
        np.zeros((rows, len(network.features)), np.float32),
        np.full(rows, UNLABELED, np.int32),
        np.zeros(rows, np.float32),
        np.zeros((2, pages, rows), np.float32),
        np.zeros((pages, 2), np.float32),
        {table: _no_words(rows, _MOST_WORDS[table]) for table in network.tables},
    )
    row = 0
    for number, (page, seen, counted) in enumerate(lessons):
        begin = int(random.integers(0, max(0, len(seen) - _LONGEST) + 1))
        stretch = slice(begin, min(begin + _LONGEST, len(seen)))
        place = slice(row, row + stretch.stop - begin)
        batch.seen[place], batch.labels[place] = seen[stretch], page.labels[stretch]
        batch.lengths[place] = page.lengths[stretch]
        batch.shares[:, number, place] = page_shares(page.lengths[stretch])
        batch.weights[number] = page.weight, page.kinds_weight
        for table in _read(counted, network, options, random):
            chosen = _chosen(counted[table], stretch, options.word_dropout, random)
            words, counts = batch.words[table]
            _put_words(words[place], counts[place], chosen)
        row = place.stop + shape.gap
    return batch


def _read(counted: _Counted, network: Network, options: NetworkOptions, random: np.random.Generator) -> list[str]:
    """The tables that a page's words are looked up in: by chance it loses those of names, and those of text."""
    known = (tables for tables in (OF_NAMES, OF_TEXT) if network.tables.keys() >= {*tables})
    kept = [tables for tables in known if random.random() >= options.vocabulary_dropout]
    return [table for tables in kept for table in tables if table in counted]


def _no_words(*shape: int) -> tuple[NDArray[np.int32], Matrix]:
    return np.zeros(shape, np.int32), np.zeros(shape, np.float32)


def _counted(page: SeenPage, network: Network) -> _Counted:
    of_names, of_text = page.words
    found = (
        dict(zip(OF_NAMES, class_words.counts(of_names, network.known_names), strict=True))
        if of_names and network.words
        else {}
    )
    if of_text and network.text_words:
        found |= dict.fromkeys(OF_TEXT, wording.counts(of_text, network.known_text))
    return found


def _chosen(found: WordCounts, stretch: slice, dropout: float, random: np.random.Generator) -> WordCounts:
    """Those of a stretch of blocks. Some words are left out by chance; the others count so much more."""
    is_within = (stretch.start <= found.blocks) & (found.blocks < stretch.stop)
    chosen = is_within & (random.random(len(found.words)) >= dropout)
    blocks, words, counts = (array[chosen] for array in found)
    return WordCounts(blocks - stretch.start, words, counts / np.float32(1 - dropout))


def _put_words(words: NDArray[np.int32], counts: Matrix, chosen: WordCounts) -> None:
    """Side by side: block × word."""
    places = np.arange(len(chosen.blocks)) - np.searchsorted(chosen.blocks, chosen.blocks)
    fits = places < words.shape[1]
    cells = chosen.blocks[fits], places[fits]
    words[cells], counts[cells] = chosen.words[fits], chosen.counts[fits]


def _jax() -> Any:
    """JAX as if the machine had one processor: sums depend on how many they are shared out to."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax  # noqa: PLC0415

    if hasattr(os, "sched_setaffinity"):  # there is none on Windows and macOS
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {sorted(processors)[os.getpid() % len(processors)]})
        try:
            jax.devices()  # looks at the processors once and for all
        finally:
            # Its threads were started meanwhile, and would stay on one processor with those of others.
            _spread_threads(processors)
    return jax


def _spread_threads(processors: Iterable[int]) -> None:
    """Lets all threads of this process run on any of these processors."""
    for thread in os.listdir(_THREADS) if _THREADS.is_dir() else ["0"]:
        with suppress(ProcessLookupError):  # it has ended since
            os.sched_setaffinity(int(thread), processors)


class _Descent:
    """Steps downhill from a network's weights."""

    def __init__(self, options: NetworkOptions, network: Network):
        self.jax = _jax()
        self.options, self.network = options, network
        self.fixed: Weights = {name: array for name, array in network.weights.items() if name in FIXED}
        self.start: Weights = {name: array for name, array in network.weights.items() if name not in FIXED}

    def learned(self, pages: Sequence[SeenPage]) -> Network:
        random, key = np.random.default_rng(self.options.seed), self.jax.random.PRNGKey(self.options.seed)
        lessons = [_lesson(page, self.network) for page in pages if len(page.lengths)]
        lengths = [lesson.length for lesson in lessons]
        shape = _shape(lengths, self.options)
        steps = len(shape.groups(lengths, np.random.default_rng(0))) * self.options.epochs
        take_step, state = self._stepping(steps)
        weights = self.start
        for epoch in range(self.options.epochs):
            log.debug("epoch %d of %d", epoch + 1, self.options.epochs)
            for group in shape.groups(lengths, random):
                batch = _batch([lessons[number] for number in group], shape, self.network, self.options, random)
                key, drop = self.jax.random.split(key)
                weights, state = take_step(weights, state, batch, drop)
        learned = {name: np.asarray(array, np.float32) for name, array in weights.items()}
        return replace(self.network, weights=self.fixed | learned)

    def _stepping(self, steps: int) -> tuple[Callable[..., Any], Any]:
        import optax  # noqa: PLC0415

        rate = self.options.learning_rate
        schedule = optax.warmup_cosine_decay_schedule(0.0, rate, min(_WARM_UP, steps // 10), steps, rate * 0.01)
        optimizer = optax.chain(
            optax.clip_by_global_norm(_LARGEST_STEP),
            optax.adamw(schedule, weight_decay=_DECAY),
        )

        def step(weights: Weights, state: Any, batch: _Batch, key: Any) -> tuple[Weights, Any]:
            slopes = self.jax.grad(self._loss)(weights, batch, key)
            updates, state = optimizer.update(slopes, state, weights)
            return optax.apply_updates(weights, updates), state

        return self.jax.jit(step), optimizer.init(self.start)

    def _loss(self, weights: Weights, batch: _Batch, key: Any) -> Any:
        numpy, losses = self.jax.numpy, _Losses(self.jax)
        scores = _scores(self.jax, replace(self.network, weights=self.fixed | weights), batch, self.options, key)
        of_content, of_kinds = losses.of_content(scores, batch), losses.of_kinds(scores, batch)
        pages, kinds = batch.weights[:, 0], batch.weights[:, 1]
        total = (pages * of_content + self.options.label_loss_weight * pages * kinds * of_kinds).sum()
        return total / numpy.maximum(pages.sum(), 1e-6)


class _Losses:
    """What the scores of each page are wrong by."""

    def __init__(self, jax: Any):
        self.jax, self.numpy = jax, jax.numpy

    def of_content(self, scores: Any, batch: _Batch) -> Any:
        """Blocks by themselves, and the F1 of the page as the probabilities have it."""
        numpy, of_pages = self.numpy, _members(self.numpy, batch)
        is_labeled = batch.labels != UNLABELED
        is_content = (is_labeled & (batch.labels != _OTHER)).astype(numpy.float32)
        noise = self.jax.nn.log_softmax(scores, -1)[..., _OTHER]
        content = 1 - numpy.exp(noise)
        wrong = -(is_content * numpy.log(numpy.clip(content, 1e-6, 1)) + (1 - is_content) * noise)
        lengths = numpy.where(is_labeled, batch.lengths + 1, 0)
        counts = numpy.where(is_labeled, (batch.lengths + 1) ** LENGTH_POWER, 0)
        by_block = of_pages @ (counts * wrong) / (of_pages @ counts + 1e-6)
        kept, right = of_pages @ (content * lengths), of_pages @ (content * is_content * lengths)
        f1 = (2 * right + _PRIOR_LENGTH) / (kept + of_pages @ (is_content * lengths) + _PRIOR_LENGTH)
        return by_block + 0.5 * (1 - f1)

    def of_kinds(self, scores: Any, batch: _Batch) -> Any:
        """Which kind of content a content block is, be it kept or not."""
        numpy, of_pages = self.numpy, _members(self.numpy, batch)
        is_content = ((batch.labels != UNLABELED) & (batch.labels != _OTHER)).astype(numpy.float32)
        chances = self.jax.nn.log_softmax(scores[..., :_OTHER], -1)
        kinds = numpy.clip(batch.labels, 0, _OTHER - 1)[..., None]
        of_kind = numpy.take_along_axis(chances, kinds, -1)[..., 0] * is_content
        return -(of_pages @ of_kind) / (of_pages @ is_content + 5)


def _members(numpy: Any, batch: _Batch) -> Any:
    """Which rows are of which page: page × row."""
    return (batch.shares[1] > 0).astype(numpy.float32)


def _scores(jax: Any, network: Network, batch: _Batch, options: NetworkOptions, key: Any) -> Any:
    """What `network` computes, for many pages at once, and with dropout."""
    numpy, relu, weights = jax.numpy, jax.nn.relu, network.weights
    keys = iter(jax.random.split(key, options.layers + 1))
    rows_of = _members(numpy, batch).T
    is_block = rows_of.sum(1, keepdims=True)
    seen = _seen(jax, network, batch.seen, options.dropout / 2, next(keys))
    told = [_summed(weights[table], *batch.words[table]) for table in (*OF_NAMES, *OF_TEXT) if table in batch.words]
    seen = numpy.concatenate([*seen, *map(numpy.tanh, told)], -1)
    known = (relu(seen @ weights["enter"] + weights["enter-bias"]) @ weights["spread"]) + weights["spread-bias"]
    known = known * is_block
    for number in range(options.layers):
        around, page, bias, back, back_bias = (
            weights[f"{number}-{name}"] for name in ("around", "page", "bias", "back", "back-bias")
        )
        active, shifted = relu(known), partial(_shifted, numpy)
        means = batch.shares @ active
        sums = (
            shifted(active, 1 << number) @ around[0] + active @ around[1] + shifted(active, -(1 << number)) @ around[2]
        )
        sums = sums + rows_of @ (means[0] @ page[0] + means[1] @ page[1]) + bias
        added = _dropped(jax, relu(sums), options.dropout, next(keys)) @ back + back_bias
        known = (known + added) * is_block
    return relu(known) @ weights["leave"] + weights["leave-bias"]


def _seen(jax: Any, network: Network, seen: Any, dropout: float, key: Any) -> list[Any]:
    """The figures, and where they stand in pieces; what is left out is left out of both."""
    kept = _dropped(jax, jax.numpy.ones_like(seen), dropout, key)
    if not network.pieces:
        return [seen * kept]
    rows, middles, scales = network.piece_rows, network.weights["piece-middles"], network.weights["piece-scales"]
    places = jax.numpy.clip((seen[:, rows] - middles) * scales, LOWER_END, UPPER_END)
    return [seen * kept, places * kept[:, rows]]


def _summed(table: Any, words: Any, counts: Any) -> Any:
    return (table[words] * counts[..., None]).sum(-2)


def _shifted(numpy: Any, values: Any, by: int) -> Any:
    """Every row sees the one that stands `by` rows before it, and nothing beyond the ends."""
    nothing = numpy.zeros_like(values[: abs(by)])
    if by > 0:
        return numpy.concatenate([nothing, values[:-by]])
    return numpy.concatenate([values[-by:], nothing])


def _dropped(jax: Any, values: Any, rate: float, key: Any) -> Any:
    return values * jax.random.bernoulli(key, 1 - rate, values.shape) / (1 - rate) if rate else values
