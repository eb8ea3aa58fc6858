"""The tables of `victor explain PAGE --block N`: why a block has its label."""

from collections.abc import Mapping, Sequence
from typing import Any

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.cli.printed_tables import Section
from victorpy.cli.shared_options import single_page
from victorpy.models.explanation import Explanation, strongest_contributions
from victorpy.models.flips import flips
from victorpy.models.model_folder import Model
from victorpy.models.network_influence import figures
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import ANNOTATION_SUFFIXES

BLOCK_TABLES = ("labels", "figures", "weights", "neighbours", "flips")
_WIDEST_TEXT = 100


def page_and_labels(name: str, markup: Markup) -> tuple[Page, list[Label | None]]:
    """The page, and the annotator's labels of its blocks if it is an .anno file."""
    if name.lower().endswith(ANNOTATION_SUFFIXES):
        page, labels, _ = labeled_page(read(name), markup)
        return page, labels
    return segment(single_page(name), name, markup=markup), []


def block_facts(name: str, explanation: Explanation, annotated: Sequence[Label | None]) -> dict[str, Any]:
    text, block = " ".join(explanation.text.split()), explanation.block
    return {
        "page": name,
        "block": block,
        "text": text if len(text) <= _WIDEST_TEXT else f"{text[:_WIDEST_TEXT]}…",
        "annotated": annotated[block] if annotated else None,
        "label": explanation.label.value,
        "rival": explanation.rival.value,
        "network": explanation.network and round(explanation.network, 3),
        "repeats block": explanation.repeats,
        "scopes": explanation.scopes and _percents(explanation.scopes),
    }


def _percents(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items() if round(share, 2))


def block_sections(model: Model, page: Page, explanation: Explanation, count: int) -> Mapping[str, Section]:
    versus = f"margin: {explanation.label.value} less {explanation.rival.value}"
    return {
        "labels": Section("Labels", lambda: explanation.labels),
        "figures": Section(
            "Figures that matter most to the network: the probability of content, were they as usual",
            lambda: figures(model, page, explanation.block).head(count),
        ),
        "weights": Section(f"Weights ({versus})", lambda: strongest_contributions(explanation.contributions, count)),
        "neighbours": Section(
            f"Transitions from and to the neighbours' labels ({versus})", lambda: explanation.neighbours
        ),
        "flips": Section(
            "Changes of one feature that would make it another, the nearest first",
            lambda: flips(model, page, explanation.block).head(count).set_index("feature"),
        ),
    }
