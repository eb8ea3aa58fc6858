"""The table of features by name. A feature maps a page to one value per block."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import Any

from numpy.typing import NDArray

from victorpy.errors import VictorError, suggestion
from victorpy.features import (
    abbreviations,
    block_weights,
    content,
    content_systems,
    css_styles,
    document,
    partial_copies,
    sentence_figures,
    shallow,
    shallow_quotients,
    site_shares,
    tokens,
)
from victorpy.features.bullets import bullet
from victorpy.features.characters import DIGIT, LETTER, PUNCTUATION, WHITE
from victorpy.features.core_columns import CORE_FEATURES
from victorpy.features.duplicates import duplicate_count, first_duplicate
from victorpy.features.expressions import expressions
from victorpy.features.feature_rows import feature_rows
from victorpy.features.groups import word_ratio
from victorpy.features.language import SHIPPED
from victorpy.features.surprise import perplexity
from victorpy.features.tags import is_inside, tags_and_classes, tags_between
from victorpy.foundation.resources import available
from victorpy.page.blocks import Page
from victorpy.page.markup import Markup

Feature = Callable[[Page], NDArray[Any]]


class NoSuchFeatureError(VictorError):
    """A config names a feature that does not exist."""

    def __init__(self, name: str, known: Sequence[str]):
        super().__init__(f"no such feature '{name}'{suggestion(name, known)}")
        self.name = name


FEATURES: dict[str, Feature] = {
    "char.alpha-rel": partial(content.character_share, LETTER),
    "char.num-rel": partial(content.character_share, DIGIT),
    "char.punct-rel": partial(content.character_share, PUNCTUATION),
    "char.white-rel": partial(content.character_share, WHITE),
    "char.other-rel": content.other_character_share,
    "char.alpha-abs": partial(content.character_count, LETTER),
    "char.num-abs": partial(content.character_count, DIGIT),
    "char.punct-abs": partial(content.character_count, PUNCTUATION),
    "char.white-abs": partial(content.character_count, WHITE),
    "char.other-abs": content.other_character_count,
    "token.alpha-abs": partial(content.token_count, tokens.ALPHA),
    "token.num-abs": partial(content.token_count, tokens.NUM),
    "token.mix-abs": partial(content.token_count, tokens.MIX),
    "token.other-abs": partial(content.token_count, tokens.OTHER),
    "token.alpha-rel": partial(content.token_share, tokens.ALPHA),
    "token.num-rel": partial(content.token_share, tokens.NUM),
    "token.mix-rel": partial(content.token_share, tokens.MIX),
    "token.other-rel": partial(content.token_share, tokens.OTHER),
    "sentence.count": sentence_figures.sentence_count,
    "sentence.count-abbreviated": abbreviations.sentences_without_abbreviations,
    "sentence.avg-length": sentence_figures.words_per_sentence,
    "sentence-begin": sentence_figures.sentence_begin,
    "sentence-end": sentence_figures.sentence_end,
    "first-duplicate": first_duplicate,
    "duplicate-count": duplicate_count,
    "bullet": bullet,
    "div-group.word-ratio": partial(word_ratio, "div"),
    "td-group.word-ratio": partial(word_ratio, "td"),
    "position": document.position,
    "document.word-count": document.word_count,
    "document.sentence-count": document.sentence_count,
    "document.block-count": document.block_count,
    "document.max-div-group": partial(document.largest_group, "div"),
    "document.max-td-group": partial(document.largest_group, "td"),
    **feature_rows(shallow.NAMES, shallow.shallow),
    **feature_rows(shallow_quotients.NAMES, shallow_quotients.counts_and_quotients),
    **feature_rows(block_weights.NAMES, block_weights.weight_rows),
    **feature_rows(partial_copies.NAMES, partial_copies.similarities),
    **feature_rows(css_styles.NAMES, css_styles.styles),
    "cms.system": content_systems.system,
    "cms.is-content": content_systems.is_content_of_system,
    "site.pages": site_shares.pages,
    "site.text-share": site_shares.text_share,
    "site.path-share": site_shares.path_share,
    "perplexity": partial(perplexity, SHIPPED),
    **CORE_FEATURES,
}

# Features with the name of a tag or a class of the markup options: container.li, split.class-block, …
FAMILIES: dict[str, Callable[[str], Feature]] = {
    "container": partial(partial, is_inside),
    "split": partial(partial, tags_between),
}

_STANDARD = Markup()


def features(
    names: Iterable[str], regexp: Mapping[str, Sequence[str]] = {}, markup: Markup = _STANDARD
) -> dict[str, Feature]:
    """The features with these names, in the same order.

    regexp.NAME matches the regular expressions of that name; perplexity.NAME uses the language model of that name.
    """
    known: dict[str, Feature] = {f"regexp.{name}": expressions(name, sources) for name, sources in regexp.items()}
    known |= {f"perplexity.{name}": partial(perplexity, name) for name in available("language-models")}
    members = {f"{family}.{name}": (family, name) for family in FAMILIES for name in tags_and_classes(markup)}

    def feature(name: str) -> Feature:
        if name in members:
            family, member = members[name]
            return FAMILIES[family](member)
        found = FEATURES.get(name) or known.get(name)
        if found is None:
            raise NoSuchFeatureError(name, [*FEATURES, *known, *members])
        return found

    return {name: feature(name) for name in names}


# A hundred thousand brackets take fnmatch a minute.
_LONGEST_PATTERN = 1_000


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Does any of the names, or of the patterns such as `block.*`, match? Very long ones match nothing."""
    return any(len(pattern) <= _LONGEST_PATTERN and fnmatchcase(name, pattern) for pattern in patterns)
