"""victor report"""

import argparse
from pathlib import Path

from victorpy.cli.option_numbers import number
from victorpy.cli.selector_options import add_selectors, selection_of
from victorpy.cli.shared_options import add_decoding, add_labeler, chosen_labeler, decoding_changes
from victorpy.foundation.bounds import AT_LEAST_0
from victorpy.foundation.exit_codes import FINE
from victorpy.models import model_folder
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.destination import write_text_to
from victorpy.pipeline import cleaner as cleaners
from victorpy.reporting.making_reports import LOOKS, ReportOptions, System, report

MOST_USED = ("--output", "--against", "--gold", "--model")
EXAMPLES = """\
examples:
  victor report page.html                           one page: what is kept, what is dropped, and why
  victor report pages/ --gold texts/ -o gold.html   a folder beside its gold texts, the worst page first
  victor report pages/ --against bte -o two.html    two systems on the same pages"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="pages, .anno files, folders of either, archives, or -"
    )
    parser.add_argument(
        "-o", "--output", default="report.html", metavar="FILE", help="write to this file (report.html)"
    )
    parser.add_argument("--against", default="", metavar="NAME", help="compare with this model or labeler")
    parser.add_argument("--gold", type=Path, metavar="DIR", help="compare with the gold texts in this folder, ID.txt")
    parser.add_argument(
        "--explain",
        type=number(int, AT_LEAST_0),
        metavar="N",
        help="explain so many blocks of each page (12 of up to three pages, else 0)",
    )
    parser.add_argument(
        "--looks",
        type=number(int, AT_LEAST_0),
        default=LOOKS,
        metavar="N",
        help=f"show so many pages as they look, the worst ones ({LOOKS})",
    )
    labeling = parser.add_argument_group("labeling")
    labeling.add_argument("-m", "--model", help="name or folder of a model (web)")
    add_labeler(labeling)
    add_decoding(labeling)
    selectors = parser.add_argument_group("selectors")
    add_selectors(selectors)
    selectors.add_argument("--host", help="the host of pages without an address, for --rules")


def run(options: argparse.Namespace) -> int:
    shown = ReportOptions(against=options.against, gold=options.gold, explains=options.explain, looks=options.looks)
    write_text_to(options.output, report(options.inputs, _system(options), shown))
    if options.output != "-":
        print(options.output)
    return FINE


def _system(options: argparse.Namespace) -> System:
    """The model or labeler, with the decoding, selectors and comments that are asked for."""
    labeler = chosen_labeler(options)
    if labeler:
        system = System(options.labeler, cleaners.untrained(labeler))
    else:
        name = options.model or DEFAULT_MODEL
        model = model_folder.load(name).decoding_by(**decoding_changes(options))
        system = System(name, cleaners.cleaner(model), model)
    cleaner = system.cleaner.selected_by(selection_of(options)).with_comments(options.comments)
    return System(system.name, cleaner, system.model)
