"""Inference in a linear chain: marginals and the best path, by arrays.

A chain of n blocks is cut into about √n chunks, and all chunks take each step together: √n numpy calls instead of n.
Forward-backward and Viterbi as in Rabiner 1989; chunks meet as in a parallel prefix scan (Blelloch 1990).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class _Algebra(NamedTuple):
    """How a step goes: sums of products for probabilities, maxima of sums for the best path."""

    nothing: float
    one: float
    moved: Callable[[Floats, Floats], Floats]
    met: Callable[[Floats, Floats], Floats]
    scaled: Callable[[Floats], Floats]


_SUMS = _Algebra(0.0, 1.0, np.matmul, np.multiply, lambda values: values / values.max(axis=-1, keepdims=True))
_MAXIMA = _Algebra(
    -np.inf, 0.0, lambda values, moves: (values[..., None] + moves).max(axis=-2), np.add, lambda values: values
)


class _Chunks(NamedTuple):
    """States of all blocks but the first as step × chunk × label; `padding` steps of the last chunk are none."""

    states: Floats
    padding: int

    def is_past_end(self, step: int) -> bool:
        return step >= len(self.states) - self.padding


def _chunks(states: Floats) -> _Chunks:
    steps = max(1, int(np.sqrt(len(states))))
    padding = -len(states) % steps
    padded = np.concatenate((states, np.repeat(states[-1:], padding, axis=0)))
    return _Chunks(padded.reshape(-1, steps, states.shape[1]).transpose(1, 0, 2).copy(), padding)


def marginals(scores: Floats, transitions: Floats) -> Floats:
    """The probability of every label of every block, given scores (block × label) and transitions (from × to)."""
    if len(scores) == 0:
        return np.zeros_like(scores)
    states = np.exp(scores - scores.max(axis=1, keepdims=True))
    moves = np.exp(transitions - transitions.max())
    forward, backward = states.copy(), np.ones_like(states)
    if len(scores) > 1:
        chunks = _chunks(states[1:])
        transfers = _transfers(chunks, moves, _SUMS)
        forward[1:] = _forward(chunks, moves, _starts(transfers, states[0], _SUMS), _SUMS)
        backward[:] = _backward(chunks, moves, _ends(transfers), len(scores))
    joint = forward * backward
    probabilities: Floats = joint / joint.sum(axis=1, keepdims=True)
    return probabilities


def best_path(scores: Floats, transitions: Floats) -> list[int]:
    """The likeliest sequence of labels; of equally likely labels the first."""
    if len(scores) == 0:
        return []
    best = scores.copy()
    if len(scores) > 1:
        chunks = _chunks(scores[1:])
        transfers = _transfers(chunks, transitions, _MAXIMA)
        best[1:] = _forward(chunks, transitions, _starts(transfers, scores[0], _MAXIMA), _MAXIMA)
    came_from = (best[:-1, :, None] + transitions).argmax(axis=1).tolist()
    path = [int(best[-1].argmax())]
    for origins in reversed(came_from):
        path.append(origins[path[-1]])
    return path[::-1]


def _transfers(chunks: _Chunks, moves: Floats, algebra: _Algebra) -> Floats:
    """For every chunk what going through all of it does, from × to."""
    count, labels = chunks.states.shape[1:]
    product = np.full((count, labels, labels), algebra.nothing)
    product[:, range(labels), range(labels)] = algebra.one
    for step, states in enumerate(chunks.states):
        further = algebra.met(algebra.moved(product, moves), states[:, None, :])
        if algebra is _SUMS:
            further /= further.max(axis=(1, 2), keepdims=True)
        if chunks.is_past_end(step):
            further[-1] = product[-1]
        product = further
    return product


def _starts(transfers: Floats, first: Floats, algebra: _Algebra) -> Floats:
    """What arrives at the begin of every chunk."""
    starts = [first]
    for transfer in transfers[:-1]:
        starts.append(algebra.scaled(algebra.moved(starts[-1], transfer)))
    return np.array(starts)


def _ends(transfers: Floats) -> Floats:
    """What comes back to the end of every chunk."""
    ends = [np.ones(transfers.shape[-1])]
    for transfer in transfers[:0:-1]:
        ends.append(_SUMS.scaled(transfer @ ends[-1]))
    return np.array(ends[::-1])


def _forward(chunks: _Chunks, moves: Floats, starts: Floats, algebra: _Algebra) -> Floats:
    forward = np.empty_like(chunks.states)
    arriving = starts
    for step, states in enumerate(chunks.states):
        arriving = forward[step] = algebra.scaled(algebra.met(algebra.moved(arriving, moves), states))
    return _in_order(forward)[: forward.shape[0] * forward.shape[1] - chunks.padding]


def _backward(chunks: _Chunks, moves: Floats, ends: Floats, count: int) -> Floats:
    """What comes back to every block, the first included."""
    backward = np.empty_like(chunks.states)
    returning = ends
    for step in reversed(range(len(chunks.states))):
        backward[step] = returning
        further = _SUMS.scaled((returning * chunks.states[step]) @ moves.T)
        if chunks.is_past_end(step):
            further[-1] = returning[-1]
        returning = further
    return np.concatenate((returning[:1], _in_order(backward)))[:count]


def _in_order(chunked: Floats) -> Floats:
    return chunked.transpose(1, 0, 2).reshape(-1, chunked.shape[2])
