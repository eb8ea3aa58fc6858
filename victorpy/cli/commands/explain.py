"""victor explain"""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.cli.printed_tables import Section, add_tables, print_tables
from victorpy.cli.shared_options import add_decoding, decoding_changes, single_page, whole_number
from victorpy.evaluation.report import facts
from victorpy.foundation.exit_codes import FINE
from victorpy.models import model_folder
from victorpy.models.explanation import Explanation, explain, figures, flips, strongest_contributions
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import ANNOTATION_SUFFIXES

_TABLES = ("labels", "figures", "weights", "neighbours", "flips")
_WIDEST_TEXT = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="PAGE", help="an HTML file, an .anno file, or - for standard input")
    parser.add_argument("-b", "--block", type=int, required=True, metavar="N", help="the number of the block, from 0")
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument(
        "-n", "--count", type=whole_number("rows"), default=12, help="how many weights, and how many flips (12)"
    )
    add_tables(parser, _TABLES)
    add_decoding(parser)


def run(options: argparse.Namespace) -> int:
    model = model_folder.load(options.model).decoding_by(**decoding_changes(options))
    page, annotated = _page(options.page, model.config.markup)
    explanation = explain(model, page, options.block)
    depends_on = facts(model.config, model=model.digest, **_what_is_explained(options.page, explanation, annotated))
    print_tables(_sections(model, page, explanation, options.count), options, depends_on)
    return FINE


def _page(name: str, markup: Markup) -> tuple[Page, list[Label | None]]:
    """The page, and the labels that people gave its blocks, if it is an annotated one."""
    if name.lower().endswith(ANNOTATION_SUFFIXES):
        page, labels, _ = labeled_page(read(name), markup)
        return page, labels
    return segment(single_page(name), name, markup=markup), []


def _what_is_explained(name: str, explanation: Explanation, annotated: Sequence[Label | None]) -> dict[str, Any]:
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
    }


def _sections(model: Model, page: Page, explanation: Explanation, count: int) -> Mapping[str, Section]:
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
