"""victor features"""

import argparse
import sys
from collections.abc import Sequence
from shutil import get_terminal_size

from victorpy.cli.block_tables import page_and_labels
from victorpy.features.buckets import Bucketing
from victorpy.features.frame import crfpp_table, feature_table
from victorpy.features.table import Columns, columns
from victorpy.foundation.exit_codes import FINE
from victorpy.models import config as configs
from victorpy.models.defaults import DEFAULT_MODEL

_WIDEST_TEXT = 40


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("page", metavar="PAGE", help="an HTML file, an .anno file, or - (standard input)")
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
    printed = parser.add_mutually_exclusive_group()
    printed.add_argument("--csv", action="store_true", help="print comma-separated values")
    printed.add_argument(
        "--crfpp",
        action="store_true",
        help="print the table of CRF++: number of the block, buckets of all features, and the label of an .anno file",
    )


def run(options: argparse.Namespace) -> int:
    config = configs.load(options.config)
    page, labels = page_and_labels(options.page, config.markup)
    table = feature_table(page, _columns(config, options.only), is_bucketed=options.buckets or options.crfpp)
    if options.crfpp:
        print(crfpp_table(table.drop(columns="text"), labels), end="")
        return FINE
    if labels:
        table.insert(len(table.columns) - 1, "label", [label.value if label else "" for label in labels])
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
