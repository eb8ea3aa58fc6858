"""StupidOS: two language models, of clean and of dirty text, judge each block.

S. Evert, StupidOS: a high-precision approach to boilerplate removal, 2007.
"""

import re
from dataclasses import dataclass, replace

import numpy as np

from victorpy.errors import OptionError, UsageError, VictorError
from victorpy.features.language.block_surprise import block_surprise
from victorpy.features.language.folders import load
from victorpy.features.language.ngrams import LanguageModel
from victorpy.labelers import Labeling, Untrained
from victorpy.labelers.density import Density
from victorpy.labelers.markup_kinds import labels_of
from victorpy.labelers.survey import Setting, check_setting
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats

# A footer: "Home | News | Imprint".
_FOOTER = re.compile(r"\|[^|]*\|")

# A page must have so much of its text in symbols that the model of clean text knows.
_LEAST_KNOWN = 0.5
# As is best, the two blocks before and behind a block have this weight.
_NEIGHBOURS = (0.5, 0.25)


@dataclass(frozen=True)
class StupidOS(Untrained):
    """Keeps blocks that are likelier by a language model of clean text than by one of dirty text. Footers are dropped.

    `least-margin` is the least ln of the one probability over the other, for each symbol. As is `best`, the margins of
    the blocks around a block count, too. Both models come from `victor lm train`.
    """

    setting: Setting = "best"
    clean: str = "stupidos-clean"
    dirty: str = "stupidos-dirty"
    least_margin: float = 0.0

    def __post_init__(self) -> None:
        check_setting(self.setting)
        shapes = [_loaded(getattr(self, name), name).card.shape for name in ("clean", "dirty")]
        if shapes[0].unit != shapes[1].unit:
            units = f"{shapes[1].unit}, but the one of clean text counts {shapes[0].unit}"
            raise OptionError(f"the language model counts {units}", "dirty")

    def labeling(self, page: Page) -> Labeling:
        if not len(page):
            return Labeling([])
        known = block_surprise(page, load(self.clean)).known_share()
        if known < _LEAST_KNOWN:
            reason = f"language model '{self.clean}' knows {known:.0%} of the page: cleaned by density"
            return replace(Density().labeling(page), reason=reason, fallback="density")
        return Labeling(labels_of(page, (self.margins(page) >= self.least_margin) & ~are_footers(page)))

    def margins(self, page: Page) -> Floats:
        """For each block the ln of its probability as clean text over that as dirty text, for each symbol."""
        clean, dirty = (block_surprise(page, load(name)) for name in (self.clean, self.dirty))
        gains: Floats = dirty.losses - clean.losses
        counts: Floats = clean.counts.astype(float)
        if self.setting == "best":
            gains, counts = _with_neighbours(gains), _with_neighbours(counts)
        margins: Floats = np.where(clean.counts > 0, gains / np.maximum(counts, 1), -np.inf)
        return margins


def _loaded(name: str, option: str) -> LanguageModel:
    try:
        return load(name)
    except (UsageError, VictorError) as error:
        raise OptionError(str(error), option) from None


def are_footers(page: Page) -> Flags:
    """Lines with the sign | twice or more."""
    return np.array([_FOOTER.search(text) is not None for text in page.texts], np.bool_)


def _with_neighbours(values: Floats) -> Floats:
    total = values.astype(float)
    for distance, weight in enumerate(_NEIGHBOURS, 1):
        total[distance:] += weight * values[:-distance]
        total[:-distance] += weight * values[distance:]
    return total
