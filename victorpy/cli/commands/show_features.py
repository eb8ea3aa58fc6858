"""victor features"""

import argparse
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

from victorpy.cli.shared_options import single_page
from victorpy.features.buckets import Bucketing
from victorpy.features.frame import feature_table
from victorpy.features.table import Columns, columns
from victorpy.foundation.exit_codes import FINE
from victorpy.models import config as configs
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.page.segment import segment

_WIDEST_TEXT = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="PAGE", help="an HTML file, or - (standard input)")
    parser.add_argument("-c", "--config", default=DEFAULT_MODEL, help=f"name or file of a config ({DEFAULT_MODEL})")
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="FEATURE",
        default=(),
        help="only these features, whether the config has them or not",
    )
    parser.add_argument(
        "--buckets", action="store_true", help="print the values after bucketing, as the learner gets them"
    )
    parser.add_argument("--csv", action="store_true", help="print comma-separated values")


def run(options: argparse.Namespace) -> int:
    config = configs.load(options.config)
    page = segment(single_page(options.page), options.page, markup=config.markup)
    table = feature_table(page, _columns(config, options.only), is_bucketed=options.buckets)
    if options.csv:
        table.to_csv(sys.stdout)
    elif table.empty:
        print("no text in the page")
    else:
        table["text"] = [text if len(text) <= _WIDEST_TEXT else f"{text[:_WIDEST_TEXT]}…" for text in table["text"]]
        width = get_terminal_size().columns if sys.stdout.isatty() else None
        print(table.to_string(float_format="{:.3g}".format, line_width=width))
    return FINE


def _columns(config: configs.Config, only: Sequence[str]) -> Columns:
    names = tuple(only) or config.used_features
    buckets = {name: config.buckets.get(name, Bucketing(values=(0.0, 1.0))) for name in names}
    return columns(names, buckets, config.regexp, config.markup)
