"""victor convert"""

import argparse
import os
from pathlib import Path

from victorpy.cli.selector_options import add_selectors, selection_of
from victorpy.cli.shared_options import add_format_options, format_options
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.resources import existing
from victorpy.models import original_configs
from victorpy.output.annotated_outcomes import Overrides, annotated_outcomes
from victorpy.output.destination import destination_for, write_text_to
from victorpy.output.formats import FORMATS
from victorpy.sources import ANNOTATION_SUFFIXES, Inputs, Location, find_pages


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="an .anno file, or a folder of them; or a config of the original (.conf)",
    )
    parser.add_argument(
        "-f",
        "--format",
        default="cleaneval",
        choices=sorted(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(sorted(FORMATS))} (cleaneval)",
    )
    add_format_options(parser)
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="write to this file or folder (-: standard output)"
    )
    add_selectors(parser.add_argument_group("selectors"))
    parser.add_argument("--host", help="the host of pages without an address, for --rules")


def run(options: argparse.Namespace) -> int:
    if any(name.endswith(original_configs.SUFFIX) for name in options.files):
        return _convert_config(options)
    files = find_pages(options.files, ANNOTATION_SUFFIXES)
    inputs = Inputs(files, has_folder=any(map(os.path.isdir, options.files)))
    printing = format_options(options)
    destination = destination_for(options.output, options.format, inputs, printing)
    broken = list[Location]()
    overrides = Overrides(selection_of(options), options.comments)
    outcomes = annotated_outcomes(files, options.format, broken, printing, overrides)
    unwritten = destination.write(outcomes)
    return FAILED if unwritten or broken else FINE


def _convert_config(options: argparse.Namespace) -> int:
    """Writes a config of the original as one of ours."""
    if len(options.files) > 1:
        raise UsageError("expected one .conf file alone, because all others are annotations")
    write_text_to(options.output, original_configs.converted(existing("configs", Path(options.files[0]))))
    return FINE
