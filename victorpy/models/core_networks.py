"""Models that the core can run completely, a network and its decoding: they clean pages without numpy."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from victorpy import _core
from victorpy.errors import VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.paired_files import digest_of, paired_data
from victorpy.foundation.resources import find
from victorpy.labelers import Labeling
from victorpy.models.core_cards import core_card
from victorpy.models.decoding import Decoding, read
from victorpy.models.doubts import reviewed
from victorpy.models.kernel import kernel
from victorpy.page.block_fields import fields_of
from victorpy.page.blocks import Page
from victorpy.page.markup import Markup

CARD, WEIGHTS = "model.yaml", "weights.npz"


@dataclass(frozen=True, eq=False)
class CoreModel:
    """A network without a CRF, decoded by any method except viterbi; `weights` is the content of its file."""

    weights: bytes = field(repr=False)
    decoding: Decoding
    markup: Markup
    digest: str

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def network(self) -> _core.Network:
        return _core.Network(self.weights, kernel=kernel(), scope=self.decoding.scope)

    def labeling(self, page: Page) -> Labeling:
        *labeled, fields = self.network.labels(page.core, self.decoding.core)
        labels, probabilities = read(*labeled)
        labels, reason = reviewed(page, labels, self.decoding)
        return Labeling(
            labels,
            probabilities=probabilities,
            reason=reason,
            calibration=self.decoding.calibration,
            fields=fields_of(fields),
        )


def native(name: str, **decoding: Any) -> CoreModel | None:
    """The model with this name or folder, or None if the core cannot run it.

    None also stands for any error: the caller then loads the whole model, which reports the error.
    """
    if decoding.get("method") == "viterbi":
        return None
    folder = find("models", name)
    try:
        card = read_text(folder / CARD)
        known = _known(card, folder)
    except (VictorError, KeyError, ValueError, OSError):
        return None
    if known is None:
        return None
    found = replace(known, decoding=replace(known.decoding, **decoding))
    return found if _is_native(found) else None


def _known(card: str, folder: Path) -> CoreModel | None:
    facts = core_card(card, folder / CARD)
    weights = paired_data(folder / WEIGHTS, facts.weights) if facts else None
    if facts is None or weights is None:
        return None
    return CoreModel(weights, facts.decoding, facts.markup, digest_of(card.encode()))


def _is_native(model: CoreModel) -> bool:
    """Does the core compute all features of the network?"""
    try:
        return model.network.is_native
    except ValueError:
        return False
