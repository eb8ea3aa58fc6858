"""Inference in a linear chain: marginals and the best path, with arrays.

A chain of n blocks is cut into about √n chunks, and all chunks take each step together: √n numpy calls instead of n.
Forward-backward and Viterbi as in Rabiner 1989; chunks meet as in a parallel prefix scan (Blelloch 1990).
"""

import numpy as np

from victorpy.page.elements import Floats

# Products of probabilities are rescaled before they can shrink or grow by more than e to this power.
_FARTHEST = 600.0


def marginals(scores: Floats, transitions: Floats) -> Floats:
    """The probability of every label of every block, given scores (block × label) and transitions (from × to)."""
    if len(scores) == 0:
        return np.zeros_like(scores)
    states = np.exp(scores - scores.max(axis=1, keepdims=True))
    moves = np.exp(transitions - transitions.max())
    # A step shrinks a product by the least likely move at most, and adds as many products as there are labels.
    safe = _FARTHEST / (np.ptp(transitions) + np.log(len(transitions)) + 1.0)
    # The backward pass is a forward pass through the reversed chain, so the same calls compute both.
    arriving = _arriving(np.stack((states, states[::-1])), np.stack((moves, moves.T)), max(1, int(safe)))
    joint = arriving[0] * states * arriving[1, ::-1]
    probabilities: Floats = joint / joint.sum(axis=1, keepdims=True)
    return probabilities


def _arriving(states: Floats, moves: Floats, longest: int) -> Floats:
    """The messages to every block from those before it, up to a factor: direction × block × label."""
    count, labels = states.shape[1:]
    steps = max(1, min(int(np.sqrt(count)), longest))
    padding = np.ones((len(states), -count % steps, labels))
    chunks = np.concatenate((states, padding), axis=1).reshape(len(states), -1, steps, labels)
    coming = _starts(_transfers(chunks, moves))
    arriving = np.empty_like(chunks)
    for step in range(steps):
        arriving[:, :, step] = coming
        coming = (coming * chunks[:, :, step]) @ moves
    found = arriving.reshape(len(states), -1, labels)[:, :count]
    scaled: Floats = found / found.max(axis=2, keepdims=True)
    return scaled


def _transfers(chunks: Floats, moves: Floats) -> Floats:
    """The product of all steps through each chunk: from × to."""
    directions, count, steps, labels = chunks.shape
    product = np.tile(np.eye(labels), (directions, count, 1, 1))
    for step in range(steps):
        rows = (product * chunks[:, :, step, None]).reshape(directions, -1, labels)
        product = (rows @ moves).reshape(product.shape)
    scaled: Floats = product / product.max(axis=(2, 3), keepdims=True)
    return scaled


def _starts(transfers: Floats) -> Floats:
    """The messages to the start of every chunk."""
    starts = np.ones(transfers.shape[:3])
    coming = starts[:, :1]
    for chunk in range(1, transfers.shape[1]):
        coming = coming @ transfers[:, chunk - 1]
        coming /= coming.max(axis=2, keepdims=True)
        starts[:, chunk] = coming[:, 0]
    return starts


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
