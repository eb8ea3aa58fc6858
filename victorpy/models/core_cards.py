"""What a model's card must say so that the core can run the model."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from victorpy.foundation.plain_options import flag, inner, made, number, section, word, words
from victorpy.models.decoding import Decoding
from victorpy.page.markup import Markup
from victorpy.page.segment import SEGMENTER_VERSION

# Other formats may need parts that this module does not check.
_FORMATS = (2, 3)


class CoreCard(NamedTuple):
    """The digest of the weights, and the sections of the config that the core needs."""

    weights: str
    markup: Markup
    decoding: Decoding


def core_card(card: str, path: Path) -> CoreCard | None:
    """The facts of a card, or None if only Python can run the model. Wrong cards may raise errors of several kinds."""
    try:
        return _plain(card)
    except (ValueError, KeyError):
        return _by_yaml(card, path)


def _plain(card: str) -> CoreCard | None:
    """The facts of a card as this version writes them; a ValueError or KeyError of any other."""
    lines = card.splitlines()
    given = section(lines)
    config = inner(given["config"], 2)
    network = inner(config["network"], 4)
    decoding = made(Decoding, inner(config["decoding"], 4))
    if int(word(given["victorpy-model"])) != _FORMATS[-1]:
        raise ValueError("an earlier version")
    is_cut_alike = int(word(given["segmenter"])) == SEGMENTER_VERSION
    is_network = flag(network["enabled"]) and number(network["share"]) == 1.0
    if not (is_cut_alike and is_network) or words(config["labels"]) or decoding.method == "viterbi":
        return None
    return CoreCard(word(given["weights"]), made(Markup, inner(config["markup"], 4)), decoding)


@dataclass(frozen=True)
class _Sections:
    """The sections of a config that the core needs; importing `Config` would import numpy."""

    markup: Markup
    decoding: Decoding


def _by_yaml(card: str, path: Path) -> CoreCard | None:
    """The facts of any card."""
    from victorpy.foundation.yaml_options import entries, node, read, text  # noqa: PLC0415
    from victorpy.models.earlier_configs import upgraded  # noqa: PLC0415

    sections = entries(node(card, path))
    source = upgraded(_Sections, sections["config"][1], warns=False)
    config = {name: value for name, (_, value) in entries(source).items()}
    network = {name: value for name, (_, value) in entries(config["network"]).items()}
    of_network = read(bool, network["enabled"]) and read(float, network["share"]) == 1.0
    is_ours = int(text(str, sections["victorpy-model"][1])) in _FORMATS
    is_cut_alike = int(text(str, sections["segmenter"][1])) == SEGMENTER_VERSION
    decoding = read(Decoding, config["decoding"])
    if not (is_ours and is_cut_alike and of_network) or config["labels"].value or decoding.method == "viterbi":
        return None
    return CoreCard(text(str, sections["weights"][1]), read(Markup, config["markup"]), decoding)
