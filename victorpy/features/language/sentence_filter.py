"""PyPlexity's classes: a language model that scores sentences, and a filter of texts (Fernández-Pichel et al. 2022)."""

from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from victorpy.features.language import SHIPPED
from victorpy.features.language.folders import load, save
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import LanguageModel, NgramShape, checked_limit
from victorpy.features.language.readings import kept_blocks, readings


@dataclass(frozen=True, eq=False)
class PerplexityModel:
    """A language model that tells how improbable a sentence is.

    `from_str` loads one by its name or from its folder, and `trained` learns one from clean texts.
    """

    model: LanguageModel

    @classmethod
    def from_str(cls, name: "str | PathLike[str]" = SHIPPED) -> "PerplexityModel":
        return cls(load(fspath(name)))

    @classmethod
    def trained(cls, texts: Iterable[str], limit: float | None = None, **shape: Any) -> "PerplexityModel":
        """A model of texts, whose lines are texts of their own.

        `shape` are the fields of a language model's shape: `unit`, `order`, `smoothing`, `min_count`.
        """
        return cls(learn(texts, NgramShape(**shape), limit))

    @property
    def limit(self) -> float:
        """The perplexity above which a text counts as noise, unless another limit is given."""
        return self.model.card.limit

    def compute_sentence(self, text: str) -> float:
        """The perplexity of a sentence; NaN for a text without words (or characters)."""
        return self.model.perplexity(text)

    def save(self, folder: "str | PathLike[str]") -> None:
        save(self.model, Path(folder))


@dataclass(frozen=True, eq=False)
class PerplexityProcessor:
    """Removes the sentences of texts whose perplexity is above a limit; without one, above the model's own."""

    perpl_model: PerplexityModel
    perpl_limit: float | None = None

    def __post_init__(self) -> None:
        checked_limit(self.perpl_model.model, self.perpl_limit)

    def process(self, text: str) -> str:
        """The text without improbable sentences. Lines are split apart, and empty ones go."""
        limit = checked_limit(self.perpl_model.model, self.perpl_limit)
        found = readings(text.splitlines(), self.perpl_model.model, "sentence")
        return "\n".join(kept_blocks(found, limit))
