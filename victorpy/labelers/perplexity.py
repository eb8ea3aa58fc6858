"""Keeps the text that a language model finds likely: PyPlexity (Fernández-Pichel et al. 2022).

It judges sentences, as the paper does, or whole blocks and passages.

It works by itself, or as a filter after any other labeler. It does not touch a page that the language model cannot
judge because it is in another language or script.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal, NamedTuple

import numpy as np

from victorpy.errors import OptionError, UsageError, VictorError
from victorpy.features.language import SHIPPED
from victorpy.features.language.block_surprise import block_surprise
from victorpy.features.language.folders import load
from victorpy.features.language.ngrams import LanguageModel, Surprise, checked_limit, perplexity
from victorpy.features.language.sentences import sentence_ranges
from victorpy.features.language.smoothing import Floats
from victorpy.foundation.bounds import FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.filters import Dropped
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags
from victorpy.page.omission import Omission, omissions
from victorpy.page.passages import passages

PerplexityUnit = Literal["passage", "sentence"]


@dataclass(frozen=True)
class Perplexity(Untrained):
    """Keeps the text whose perplexity is at most the limit; 0 stands for the language model's own limit.

    By `passage` it keeps or drops whole blocks or passages, by `sentence` single sentences of them. A page is left as
    it is if the model knows less than `least-known` of its words or characters.
    """

    language_model: str = SHIPPED
    max_perplexity: float = 0
    least_known: float = 0.5
    by: PerplexityUnit = "passage"

    def __post_init__(self) -> None:
        """Loads the language model, so that its problems are reported before any page is read."""
        check_bounds(self, {"least_known": FROM_0_TO_1})
        try:
            model = self.model()
        except VictorError as error:
            raise OptionError(str(error), "language-model") from None
        try:
            checked_limit(model, self.max_perplexity or None)
        except UsageError as error:
            raise OptionError(str(error), "max-perplexity") from None

    def labeling(self, page: Page) -> Labeling:
        found = block_surprise(page, self.model())
        objection = self._objection(found)
        if objection:
            return Labeling(labels_of(page, np.ones(len(page), np.bool_)), reason=objection)
        has_symbols = found.counts > 0
        out = self._out(page, labels_of(page, has_symbols), found)
        keeps = has_symbols & ~out.blocks
        return Labeling(labels_of(page, keeps), reason=out.reason(keeps), omissions=out.omissions)

    @property
    def knowledge(self) -> str:
        return repr(self.model().card)

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        """As a filter it judges passages, because a few words in bold have a high perplexity by themselves."""
        found = block_surprise(page, self.model())
        objection = self._objection(found)
        if objection:
            return Dropped(np.zeros(len(page), np.bool_), objection)
        out = self._out(page, labels, found)
        is_content = np.array([label.is_content for label in labels], np.bool_)
        return Dropped(out.blocks, out.reason(is_content & ~out.blocks), omissions=out.omissions)

    def _out(self, page: Page, labels: Sequence[Label], found: Surprise) -> "_Improbable":
        by = _sentences if self.by == "sentence" else _passages
        return by(page, labels, found, self)

    def model(self) -> LanguageModel:
        return load(self.language_model)

    def limit(self) -> float:
        return checked_limit(self.model(), self.max_perplexity or None)

    def _objection(self, found: Surprise) -> str:
        """Why the model cannot judge the page, or an empty string."""
        known = found.known_share()
        if known >= self.least_known:
            return ""
        model = self.model()
        unit = model.card.shape.unit
        return f"language model '{model.name}' knows {known:.0%} of the {unit} of the page, and drops none"


class _Improbable(NamedTuple):
    """The blocks that lose all of their text, the parts that others lose, and the perplexities of all texts."""

    blocks: Flags
    omissions: list[Omission]
    perplexities: Floats
    limit: float

    def reason(self, keeps: Flags) -> str:
        """Why nothing is kept, if the limit is the reason."""
        if keeps.any() or not self.blocks.any():
            return ""
        return (
            f"all text is above the limit {self.limit:g}; the lowest perplexity is {np.nanmin(self.perplexities):,.1f}"
        )


def _passages(page: Page, labels: Sequence[Label], found: Surprise, judge: Perplexity) -> _Improbable:
    """The blocks of the passages above the limit."""
    groups, limit = [list(passage.blocks) for passage in passages(page, labels)], judge.limit()
    losses, counts = (np.array([column[group].sum() for group in groups]) for column in (found.losses, found.counts))
    perplexities = perplexity(losses, counts)
    blocks = np.zeros(len(page), np.bool_)
    blocks[[block for place in np.flatnonzero(perplexities > limit).tolist() for block in groups[place]]] = True
    return _Improbable(blocks, [], perplexities, limit)


def _sentences(page: Page, labels: Sequence[Label], _: Surprise, judge: Perplexity) -> _Improbable:
    """The sentences above the limit. A sentence may extend over several blocks of a passage."""
    limit, found = judge.limit(), passages(page, labels)
    places = [(number, place) for number, passage in enumerate(found) for place in sentence_ranges(passage.text)]
    texts = [found[number].text[slice(*place)] for number, place in places]
    perplexities = judge.model().surprise(texts).perplexities()
    lost: dict[int, list[Omission]] = {}
    improbable = (places[sentence] for sentence in np.flatnonzero(perplexities > limit).tolist())
    for number, of_passage in groupby(improbable, itemgetter(0)):
        for part in omissions(page, found[number].blocks, [place for _, place in of_passage]):
            lost.setdefault(part.block, []).append(part)
    blocks = np.zeros(len(page), np.bool_)
    blocks[[block for block, parts in lost.items() if _is_all(page.texts[block], parts)]] = True
    left = [part for block, parts in lost.items() if not blocks[block] for part in parts]
    return _Improbable(blocks, left, perplexities, limit)


def _is_all(text: str, parts: Sequence[Omission]) -> bool:
    """Do the parts hold all of a block's text but white space?"""
    ends = [0, *(part.end for part in parts)]
    begins = [*(part.start for part in parts), len(text)]
    return not any(text[end:begin].strip() for end, begin in zip(ends, begins, strict=True))
