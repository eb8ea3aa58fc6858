"""Drops text that is in no language: random letters, encoded bytes, scripts that were printed as text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from victorpy.features.language import SHIPPED
from victorpy.features.language.folders import load
from victorpy.features.language_id import NO_LANGUAGE, chances, check_installed
from victorpy.foundation.bounds import AT_LEAST_1, FROM_0_TO_1, check_bounds
from victorpy.labelers.filters import Dropped
from victorpy.page.blocks import Label, Page
from victorpy.page.passages import Passage, enclosing, passages

_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")
# Fewer letters say too little, and more text does not make the result more certain.
_LEAST_LETTERS, _ENOUGH = 60, 1_000
# The model of characters has to know so many of them to judge a text.
_LEAST_KNOWN = 0.85


@dataclass(frozen=True)
class Gibberish:
    """Drops passages with a high perplexity that are probably in no language; a page of which nothing stays is refused.

    Both tests have to fail. Passages with few letters, with code, or in scripts that the model does not know stay.
    """

    max_perplexity: float = 50
    least_confidence: float = 0.9

    def __post_init__(self) -> None:
        check_bounds(self, {"max_perplexity": AT_LEAST_1, "least_confidence": FROM_0_TO_1})
        check_installed()

    knowledge: ClassVar[str] = ""

    def dropped(self, page: Page, labels: Sequence[Label]) -> Dropped:
        found, drops = passages(page, labels), np.zeros(len(page), np.bool_)
        is_code = (enclosing(page, "pre") >= 0) | (enclosing(page, "code") >= 0)
        out = [passage for passage in found if self._is_gibberish(passage, bool(is_code[list(passage.blocks)].any()))]
        for passage in out:
            drops[list(passage.blocks)] = True
        is_all = bool(out) and len(out) == len(found)
        return Dropped(drops, refusal="gibberish: no text in any language" if is_all else "")

    def _is_gibberish(self, passage: Passage, is_code: bool) -> bool:
        text = _ADDRESS.sub(" ", passage.text)[:_ENOUGH]
        if is_code or sum(map(str.isalpha, text)) < _LEAST_LETTERS:
            return False
        surprise = load(SHIPPED).surprise([text])
        if surprise.known_share() < _LEAST_KNOWN or float(surprise.perplexities()[0]) <= self.max_perplexity:
            return False
        return max(share for code, share in chances(text).items() if code != NO_LANGUAGE) < self.least_confidence
