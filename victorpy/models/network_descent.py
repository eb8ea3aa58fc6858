"""Gradient descent for networks: the only place that imports JAX and Optax."""

import logging
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from victorpy.models.learning_options import NetworkOptions
from victorpy.models.network import FIXED, LOWER_END, OF_CLASSES, OF_LAYER, OF_TEXT, UPPER_END, Network
from victorpy.models.network_batches import Batch, PreparedPage, batch_of, batch_shape, prepared
from victorpy.models.network_pages import LENGTH_POWER, UNLABELED, NetworkPage
from victorpy.page.blocks import LABELS, Label

log = logging.getLogger("victorpy")

_Weights = dict[str, Any]

# Added to the characters of every page in the F1 loss.
_PRIOR_LENGTH = 100.0
# Added to the blocks of every page that are a field, in the loss of fields.
_PRIOR_FIELDS = 3.0
_LARGEST_STEP = 1.0
_WARM_UP = 100
_DECAY = 0.01
_THREADS = Path("/proc/self/task")
_OTHER = LABELS.index(Label.OTHER)


def trained(options: NetworkOptions, network: Network, pages: Sequence[NetworkPage]) -> Network:
    return _Descent(options, network).trained(pages)


class _Descent:
    """Gradient descent from a network's initial weights."""

    def __init__(self, options: NetworkOptions, network: Network):
        self.jax = _jax()
        self.options, self.network = options, network
        self.fixed: _Weights = {name: array for name, array in network.weights.items() if name in FIXED}
        self.start: _Weights = {name: array for name, array in network.weights.items() if name not in FIXED}

    def trained(self, pages: Sequence[NetworkPage]) -> Network:
        random, key = np.random.default_rng(self.options.seed), self.jax.random.PRNGKey(self.options.seed)
        ready: list[PreparedPage] = [prepared(page, self.network) for page in pages if len(page.lengths)]
        lengths = [page.length for page in ready]
        shape = batch_shape(lengths, self.options)
        steps = len(shape.groups(lengths, np.random.default_rng(0))) * self.options.epochs
        take_step, state = self._step_and_state(steps)
        weights = self.start
        for epoch in range(self.options.epochs):
            log.debug("epoch %d of %d", epoch + 1, self.options.epochs)
            for group in shape.groups(lengths, random):
                batch = batch_of([ready[number] for number in group], shape, self.network, self.options, random)
                key, drop = self.jax.random.split(key)
                weights, state = take_step(weights, state, batch, drop)
        learned = {name: np.asarray(array, np.float32) for name, array in weights.items()}
        return replace(self.network, weights=self.fixed | learned)

    def _step_and_state(self, steps: int) -> tuple[Callable[..., Any], Any]:
        import optax  # noqa: PLC0415

        rate = self.options.learning_rate
        schedule = optax.warmup_cosine_decay_schedule(0.0, rate, min(_WARM_UP, steps // 10), steps, rate * 0.01)
        optimizer = optax.chain(
            optax.clip_by_global_norm(_LARGEST_STEP),
            optax.adamw(schedule, weight_decay=_DECAY),
        )

        def step(weights: _Weights, state: Any, batch: Batch, key: Any) -> tuple[_Weights, Any]:
            gradients = self.jax.grad(self._loss)(weights, batch, key)
            updates, state = optimizer.update(gradients, state, weights)
            return optax.apply_updates(weights, updates), state

        return self.jax.jit(step), optimizer.init(self.start)

    def _loss(self, weights: _Weights, batch: Batch, key: Any) -> Any:
        numpy, losses = self.jax.numpy, _Losses(self.jax)
        network = replace(self.network, weights=self.fixed | weights)
        scores, of_fields = batch_scores(self.jax, network, batch, self.options, key)
        of_content, of_labels = losses.of_content(scores, batch), losses.of_labels(scores, batch)
        pages, kinds = batch.weights[:, 0], batch.weights[:, 1]
        total = (pages * of_content + self.options.label_loss_weight * pages * kinds * of_labels).sum()
        if self.network.fields:
            total += self.options.field_loss_weight * losses.of_fields(of_fields, batch).sum()
        return total / numpy.maximum(pages.sum(), 1e-6)


def _jax() -> Any:
    """JAX on one processor: sums depend on the number of processors that share them."""
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax  # noqa: PLC0415

    if hasattr(os, "sched_setaffinity"):  # missing on Windows and macOS
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {sorted(processors)[os.getpid() % len(processors)]})
        try:
            jax.devices()  # counts the processors once and for all
        finally:
            # Threads that started meanwhile would share this one processor.
            _spread_threads(processors)
    return jax


def _spread_threads(processors: Iterable[int]) -> None:
    """Allow all threads of this process to run on any of these processors."""
    for thread in os.listdir(_THREADS) if _THREADS.is_dir() else ["0"]:
        with suppress(ProcessLookupError):  # the thread has ended
            os.sched_setaffinity(int(thread), processors)


class _Losses:
    """The losses of each page of a batch."""

    def __init__(self, jax: Any):
        self.jax, self.numpy = jax, jax.numpy

    def of_content(self, scores: Any, batch: Batch) -> Any:
        """Content or noise: the cross-entropy of the blocks, and the expected F1 of the page."""
        numpy, of_pages = self.numpy, _page_rows(self.numpy, batch)
        is_labeled = batch.labels != UNLABELED
        is_content = (is_labeled & (batch.labels != _OTHER)).astype(numpy.float32)
        noise = self.jax.nn.log_softmax(scores, -1)[..., _OTHER]
        content = 1 - numpy.exp(noise)
        entropy = -(is_content * numpy.log(numpy.clip(content, 1e-6, 1)) + (1 - is_content) * noise)
        lengths = numpy.where(is_labeled, batch.lengths + 1, 0)
        counts = numpy.where(is_labeled, (batch.lengths + 1) ** LENGTH_POWER, 0)
        by_block = of_pages @ (counts * entropy) / (of_pages @ counts + 1e-6)
        kept, right = of_pages @ (content * lengths), of_pages @ (content * is_content * lengths)
        f1 = (2 * right + _PRIOR_LENGTH) / (kept + of_pages @ (is_content * lengths) + _PRIOR_LENGTH)
        return by_block + 0.5 * (1 - f1)

    def of_labels(self, scores: Any, batch: Batch) -> Any:
        """The label of each content block, whether it is kept or not: cross-entropy."""
        numpy, of_pages = self.numpy, _page_rows(self.numpy, batch)
        is_content = ((batch.labels != UNLABELED) & (batch.labels != _OTHER)).astype(numpy.float32)
        probabilities = self.jax.nn.log_softmax(scores[..., :_OTHER], -1)
        labels = numpy.clip(batch.labels, 0, _OTHER - 1)[..., None]
        of_label = numpy.take_along_axis(probabilities, labels, -1)[..., 0] * is_content
        return -(of_pages @ of_label) / (of_pages @ is_content + 5)

    def of_fields(self, scores: Any, batch: Batch) -> Any:
        """Whether each block is a field: cross-entropy, beside the number of blocks that are (page × field)."""
        numpy, of_pages = self.numpy, _page_rows(self.numpy, batch)
        is_known, is_one = batch.fields != UNLABELED, (batch.fields == 1).astype(numpy.float32)
        softened = self.jax.nn.softplus(scores) - is_one * scores
        return of_pages @ (softened * is_known) / (of_pages @ is_one + _PRIOR_FIELDS)


def _page_rows(numpy: Any, batch: Batch) -> Any:
    """1 for each row of each page: page × row."""
    return (batch.shares[1] > 0).astype(numpy.float32)


def batch_scores(jax: Any, network: Network, batch: Batch, options: NetworkOptions, key: Any) -> Any:
    """The scores of labels and of fields that `network` computes, for many pages at once, and with dropout."""
    numpy, relu, weights = jax.numpy, jax.nn.relu, network.weights
    keys = iter(jax.random.split(key, options.layers + 1))
    rows_of = _page_rows(numpy, batch).T
    is_block = rows_of.sum(1, keepdims=True)
    no_scopes = numpy.zeros((rows_of.shape[1], 1), numpy.float32)
    inputs = _figures_and_bins(jax, network, batch.figures, options.dropout / 2, next(keys))
    words = [_summed(weights[table], *batch.words[table]) for table in (*OF_CLASSES, *OF_TEXT) if table in batch.words]
    entered = numpy.concatenate([*inputs, *map(numpy.tanh, words)], -1)
    more = {bias: batch.scopes @ weights[table] for table, bias in network.scope_weights.items()}
    sums = entered @ weights["enter"] + weights["enter-bias"] + rows_of @ more.get("enter-bias", no_scopes)
    known = (relu(sums) @ weights["spread"]) + weights["spread-bias"]
    known = known * is_block
    for number in range(options.layers):
        around, page, bias, back, back_bias = (weights[f"{number}-{name}"] for name in OF_LAYER)
        active, shifted = relu(known), partial(_shifted, numpy)
        means = batch.shares @ active
        sums = (
            shifted(active, 1 << number) @ around[0] + active @ around[1] + shifted(active, -(1 << number)) @ around[2]
        )
        of_pages = means[0] @ page[0] + means[1] @ page[1] + more.get(f"{number}-bias", no_scopes)
        sums = sums + rows_of @ of_pages + bias
        added = _with_dropout(jax, relu(sums), options.dropout, next(keys)) @ back + back_bias
        known = (known + added) * is_block
    known = relu(known)
    scores = known @ weights["leave"] + weights["leave-bias"] + rows_of @ more.get("leave-bias", no_scopes)
    return scores, known @ weights["field"] + weights["field-bias"] if network.fields else None


def _figures_and_bins(jax: Any, network: Network, figures: Any, dropout: float, key: Any) -> list[Any]:
    """The figures, and their positions in bins; dropout removes a figure from both."""
    kept = _with_dropout(jax, jax.numpy.ones_like(figures), dropout, key)
    if not network.bin_features:
        return [figures * kept]
    rows, middles, scales = network.bin_rows, network.weights["piece-middles"], network.weights["piece-scales"]
    positions = jax.numpy.clip((figures[:, rows] - middles) * scales, LOWER_END, UPPER_END)
    return [figures * kept, positions * kept[:, rows]]


def _summed(table: Any, words: Any, counts: Any) -> Any:
    return (table[words] * counts[..., None]).sum(-2)


def _shifted(numpy: Any, values: Any, by: int) -> Any:
    """Each row gets the values of the row `by` rows before it, and zeros beyond the ends."""
    zeros = numpy.zeros_like(values[: abs(by)])
    if by > 0:
        return numpy.concatenate([zeros, values[:-by]])
    return numpy.concatenate([values[-by:], zeros])


def _with_dropout(jax: Any, values: Any, rate: float, key: Any) -> Any:
    return values * jax.random.bernoulli(key, 1 - rate, values.shape) / (1 - rate) if rate else values
