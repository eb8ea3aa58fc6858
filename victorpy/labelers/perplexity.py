"""Keeps what a language model finds likely: PyPlexity (Fernández-Pichel et al. 2022), over blocks and passages.

It stands by itself, or behind any other labeler as a filter. What a language model cannot judge is kept as it is: a
page in another language or script than it has read.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from victorpy.errors import MisfitError, UsageError, VictorError
from victorpy.features.language import SHIPPED
from victorpy.features.language.block_surprise import block_surprise
from victorpy.features.language.folders import load
from victorpy.features.language.ngrams import LanguageModel, Surprise, checked_limit, perplexity
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.filters import Dropped
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags
from victorpy.page.passages import passages


@dataclass(frozen=True)
class Perplexity(Untrained):
    """Keeps the blocks that surprise a language model no more than the limit says; 0 is the model's own limit.

    Where the model knows less than `least_known` of the words or characters of a page, it leaves the page alone.
    """

    language_model: str = SHIPPED
    max_perplexity: float = 0
    least_known: float = 0.5

    def __post_init__(self) -> None:
        """A model that is not there, or a limit that is none, is no page's trouble."""
        if not 0 <= self.least_known <= 1:
            raise MisfitError(f"from 0 to 1 is wanted, not {self.least_known:g}", "least-known")
        try:
            model = self.model()
        except VictorError as error:
            raise MisfitError(str(error), "language-model") from None
        try:
            checked_limit(model, self.max_perplexity or None)
        except UsageError as error:
            raise MisfitError(str(error), "max-perplexity") from None

    def labeling(self, page: Page) -> Labeling:
        found = block_surprise(page, self.model())
        objection = self._objection(found)
        keeps = np.ones(len(page), np.bool_) if objection else found.perplexities() <= self.limit()
        return Labeling(labels_of(page, keeps), reason=objection)

    @property
    def knowledge(self) -> str:
        return repr(self.model().card)

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        """As a filter: whole passages, because a few words in bold surprise by themselves."""
        found = block_surprise(page, self.model())
        objection = self._objection(found)
        if objection:
            return Dropped(np.zeros(len(page), np.bool_), objection)
        return Dropped(_surprising(page, labels, found, self.limit()))

    def model(self) -> LanguageModel:
        return load(self.language_model)

    def limit(self) -> float:
        return checked_limit(self.model(), self.max_perplexity or None)

    def _objection(self, found: Surprise) -> str:
        """Why the model cannot judge the page, or nothing."""
        known = found.known_share()
        if known >= self.least_known:
            return ""
        model = self.model()
        unit = model.card.shape.unit
        return f"language model '{model.name}' knows {known:.0%} of the {unit} of the page, and drops none"


def _surprising(page: Page, labels: Sequence[Label], found: Surprise, limit: float) -> Flags:
    """The blocks of passages beyond the limit."""
    is_surprising = np.zeros(len(page), np.bool_)
    for passage in passages(page, labels):
        blocks = list(passage.blocks)
        is_surprising[blocks] = perplexity(found.losses[blocks].sum(), found.counts[blocks].sum()) > limit
    return is_surprising
