"""Inference in a linear chain: marginals by the core, and the best path, with arrays.

For the best path (Viterbi as in Rabiner 1989), a chain of n blocks is cut into about √n chunks, and all chunks take
each step together: √n numpy calls instead of n. Sums of two numbers and maxima are the same on every machine.
"""

import numpy as np

from victorpy import _core
from victorpy.page.elements import Floats


def marginals(scores: Floats, transitions: Floats) -> Floats:
    """The probability of every label of every block, given scores (block × label) and transitions (from × to)."""
    # Not by numpy: its exponentials and products have other last digits on other machines.
    found = _core.chain_marginals(scores.tobytes(), transitions.tobytes(), len(transitions))
    return np.frombuffer(found).reshape(scores.shape)


def best_path(scores: Floats, transitions: Floats) -> list[int]:
    """The likeliest sequence of labels; the first of equally likely labels."""
    if len(scores) == 0:
        return []
    best = scores.copy()
    if len(scores) > 1:
        best[1:] = _best_scores(scores, transitions)
    came_from = (best[:-1, :, None] + transitions).argmax(axis=1).tolist()
    path = [int(best[-1].argmax())]
    for origins in reversed(came_from):
        path.append(origins[path[-1]])
    return path[::-1]


def _best_scores(scores: Floats, transitions: Floats) -> Floats:
    """For every block except the first, the score of the best path to each label."""
    count, labels = len(scores) - 1, scores.shape[1]
    steps = max(1, int(np.sqrt(count)))
    padded = np.concatenate((scores[1:], np.zeros((-count % steps, labels))))
    chunks = padded.reshape(-1, steps, labels).transpose(1, 0, 2).copy()
    best = np.empty_like(chunks)
    arriving = _best_starts(scores[0], chunks, transitions)
    for step, states in enumerate(chunks):
        arriving = best[step] = _best_moves(arriving, transitions) + states
    return best.transpose(1, 0, 2).reshape(-1, labels)[:count]


def _best_starts(first: Floats, chunks: Floats, transitions: Floats) -> Floats:
    """The best scores before the start of every chunk."""
    count, labels = chunks.shape[1:]
    transfers = np.where(np.eye(labels, dtype=np.bool_), 0.0, np.full((count, labels, labels), -np.inf))
    for states in chunks:
        transfers = _best_moves(transfers, transitions) + states[:, None, :]
    starts = [first]
    for transfer in transfers[:-1]:
        starts.append(_best_moves(starts[-1], transfer))
    return np.array(starts)


def _best_moves(values: Floats, moves: Floats) -> Floats:
    best: Floats = (values[..., None] + moves).max(axis=-2)
    return best
