"""Training a decision tree by entropy, as C4.5 does, with scikit-learn."""

import logging
from collections.abc import Iterable

import numpy as np

from victorpy.errors import VictorError
from victorpy.models.crf import Layout
from victorpy.models.crf_learning import CodedPage
from victorpy.models.decision_tree import DecisionTree, values
from victorpy.models.learning_options import TreeOptions
from victorpy.page.elements import Floats

log = logging.getLogger("victorpy")


def learn(pages: Iterable[CodedPage], layout: Layout, options: TreeOptions) -> DecisionTree:
    """Train on the labeled blocks of the pages, with the references of all templates as inputs."""
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415

    rows, labels = [], []
    for page in pages:
        labeled = [block for block, label in enumerate(page.labels) if label is not None]
        rows.append(values(layout, page.codes)[:, labeled])
        labels += [layout.labels.index(label) for label in page.labels if label is not None]
    if not labels:
        raise VictorError("nothing was learned: the training pages hold no labeled block")
    classifier = DecisionTreeClassifier(
        criterion="entropy",
        min_samples_leaf=options.min_leaf,
        ccp_alpha=options.ccp_alpha,
        # Chooses between equally good splits.
        random_state=0,
    )
    classifier.fit(np.concatenate(rows, axis=1).T.astype(np.float32), labels)
    tree = classifier.tree_
    log.info("%d leaves, %d levels", tree.n_leaves, tree.max_depth)
    return DecisionTree(
        layout,
        # scikit-learn's leaves have a column of -2.
        np.maximum(tree.feature, -1).astype(np.int16),
        np.floor(tree.threshold).astype(np.int16),
        np.stack((tree.children_left, tree.children_right)).astype(np.int32),
        _smoothed(tree.value[:, 0, :], tree.n_node_samples, classifier.classes_, len(layout.labels)),
    )


def _smoothed(shares: Floats, blocks: Floats, known: Floats, labels: int) -> Floats:
    """Add to each node one block with the average label shares of all blocks, so that no leaf is certain."""
    shares = shares / shares.sum(axis=1, keepdims=True)
    smoothed = np.zeros((len(shares), labels))
    smoothed[:, known] = (shares * blocks[:, None] + shares[:1]) / (blocks[:, None] + 1)
    return smoothed
