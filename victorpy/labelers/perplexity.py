"""Keeps the text that a language model finds likely: PyPlexity (Fernández-Pichel et al. 2022), by block and passage.

It works by itself, or as a filter after any other labeler. It does not touch a page that the language model cannot
judge because it is in another language or script.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from victorpy.errors import OptionError, UsageError, VictorError
from victorpy.features.language import SHIPPED
from victorpy.features.language.block_surprise import block_surprise
from victorpy.features.language.folders import load
from victorpy.features.language.ngrams import LanguageModel, Surprise, checked_limit, perplexity
from victorpy.foundation.bounds import FROM_0_TO_1, check_bounds
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.filters import Dropped
from victorpy.labelers.markup_kinds import labels_of
from victorpy.page.blocks import Label, Page
from victorpy.page.elements import Flags
from victorpy.page.passages import passages


@dataclass(frozen=True)
class Perplexity(Untrained):
    """Keeps the blocks whose perplexity is at most the limit; 0 stands for the language model's own limit.

    A page is left as it is if the model knows less than `least-known` of its words or characters.
    """

    language_model: str = SHIPPED
    max_perplexity: float = 0
    least_known: float = 0.5

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
        keeps = np.ones(len(page), np.bool_) if objection else found.perplexities() <= self.limit()
        return Labeling(labels_of(page, keeps), reason=objection)

    @property
    def knowledge(self) -> str:
        return repr(self.model().card)

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        """As a filter it drops whole passages, because a few words in bold have a high perplexity by themselves."""
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
        """Why the model cannot judge the page, or an empty string."""
        known = found.known_share()
        if known >= self.least_known:
            return ""
        model = self.model()
        unit = model.card.shape.unit
        return f"language model '{model.name}' knows {known:.0%} of the {unit} of the page, and drops none"


def _surprising(page: Page, labels: Sequence[Label], found: Surprise, limit: float) -> Flags:
    """The blocks of the passages whose perplexity is above the limit."""
    is_surprising = np.zeros(len(page), np.bool_)
    for passage in passages(page, labels):
        blocks = list(passage.blocks)
        is_surprising[blocks] = perplexity(found.losses[blocks].sum(), found.counts[blocks].sum()) > limit
    return is_surprising
