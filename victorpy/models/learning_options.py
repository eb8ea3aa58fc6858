"""The options of the learners: a CRF or a decision tree over templates, and a network."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from victorpy.errors import OptionError
from victorpy.foundation.bounds import AT_LEAST_0, AT_LEAST_1, FROM_0_TO_1, Range, check_bounds

_SEEDS = Range(0, (1 << 31) - 1)
_DROPOUT = Range(0, 0.9)


@dataclass(frozen=True)
class CRFOptions:
    """CRFsuite's training options, by its own names."""

    algorithm: Literal["lbfgs", "l2sgd", "ap", "pa", "arow"] = "lbfgs"
    c1: float = 0.0
    c2: float = 1.0
    max_iterations: int = 200
    min_freq: float = 0.0

    def __post_init__(self) -> None:
        check_bounds(self, _CRF_BOUNDS)


_CRF_BOUNDS = {"c1": AT_LEAST_0, "c2": AT_LEAST_0, "max_iterations": AT_LEAST_1, "min_freq": AT_LEAST_0}


@dataclass(frozen=True)
class TreeOptions:
    """A leaf holds at least `min-leaf` blocks; a branch must gain `ccp-alpha` (cost-complexity pruning)."""

    min_leaf: int = 20
    ccp_alpha: float = 0.0001

    def __post_init__(self) -> None:
        check_bounds(self, _TREE_BOUNDS)


_TREE_BOUNDS = {"min_leaf": AT_LEAST_1, "ccp_alpha": AT_LEAST_0}


@dataclass(frozen=True)
class NetworkOptions:
    """A network beside the CRF: its features, its training, and its share of the probability.

    Features that match a pattern in `piecewise` are also encoded by their position in each of `bins` parts of their
    range. `width` is the number of values per block, and `layer-width` that inside each layer (0: the same).
    `label-loss-weight` is the weight of the label of a content block, beside content or noise, in the loss.
    `class-embedding-size` and `text-embedding-size` are the numbers per word of classes and of text; 0 ignores such
    words. The network knows the words of at least `min-word-pages` pages. A training step drops the share
    `word-dropout` of the words, and for the share `vocabulary-dropout` of the pages all words of classes or of text.
    It hides the names of elements (`near.…`) of the share `name-dropout` of the pages.
    With `auto-scope: mean`, `auto` becomes the mean of the other scopes, instead of what pages showed in it. With
    `guessed`, the scopes are mixed by how likely each suits the page, from the means of `guess-features`.
    `field-loss-weight` is the weight of what is known of fields in the loss. `comment-shift` is added to the score of
    comments: over 0, more blocks are taken for comments.
    Of the pages whose labels are right for `auto` among other scopes, it shows the share `scope-dropout` as `auto`.
    """

    enabled: bool = False
    features: tuple[str, ...] = ()
    piecewise: tuple[str, ...] = ()
    bins: int = 6
    share: float = 1.0
    width: int = 64
    layers: int = 4
    layer_width: int = 0
    epochs: int = 6
    learning_rate: float = 0.002
    dropout: float = 0.2
    label_loss_weight: float = 1.0
    field_loss_weight: float = 0.1
    class_embedding_size: int = 0
    text_embedding_size: int = 0
    min_word_pages: int = 20
    word_dropout: float = 0.6
    vocabulary_dropout: float = 0.5
    name_dropout: float = 0.0
    scope_dropout: float = 0.3
    auto_scope: Literal["learned", "mean", "guessed"] = "learned"
    guess_features: tuple[str, ...] = ()
    comment_shift: float = 0.0
    seed: int = 0

    OLD_NAMES: ClassVar[Mapping[str, str]] = {
        "curved": "piecewise",
        "pieces": "bins",
        "kinds": "label-loss-weight",
        "words": "class-embedding-size",
        "text-words": "text-embedding-size",
        "word-pages": "min-word-pages",
        "nameless": "vocabulary-dropout",
    }

    def __post_init__(self) -> None:
        check_bounds(self, _NETWORK_BOUNDS)
        if self.enabled and not self.features:
            raise OptionError("a network needs at least one feature, and network.features is empty", "enabled")
        if self.auto_scope == "guessed" and not self.guess_features:
            raise OptionError("a guess needs at least one feature, and network.guess-features is empty", "auto-scope")


_NETWORK_BOUNDS = {
    "share": FROM_0_TO_1,
    "dropout": _DROPOUT,
    "learning_rate": FROM_0_TO_1,
    "label_loss_weight": Range(0, 100),
    "field_loss_weight": Range(0, 100),
    "width": Range(1, 1024),
    "layer_width": Range(0, 1024),
    "layers": Range(1, 8),
    "epochs": Range(1, 1000),
    "class_embedding_size": Range(0, 256),
    "text_embedding_size": Range(0, 256),
    "min_word_pages": Range(1, (1 << 31) - 1),
    "word_dropout": _DROPOUT,
    "vocabulary_dropout": _DROPOUT,
    "name_dropout": _DROPOUT,
    "scope_dropout": _DROPOUT,
    "bins": Range(1, 64),
    "comment_shift": Range(-100, 100),
    "seed": _SEEDS,
}
