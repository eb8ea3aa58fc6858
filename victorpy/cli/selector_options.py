"""The options of selectors, which override labels."""

import argparse
from typing import TYPE_CHECKING

from victorpy.cli.shared_options import Options
from victorpy.labelers.comment_handling import COMMENTS

if TYPE_CHECKING:
    from victorpy.labelers.selection import Selection


def add_selectors(parser: Options) -> None:
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="CSS",
        help="keep the text of the elements that this CSS selector or plain XPath selects; repeatable",
    )
    parser.add_argument(
        "--drop", action="append", default=[], metavar="CSS", help="drop their text, also inside of --keep; repeatable"
    )
    parser.add_argument("--rules", metavar="FILE", help="a file of selectors by host, in YAML")
    parser.add_argument(
        "--comments",
        choices=COMMENTS,
        metavar="WHAT",
        help="keep or drop the comments of readers, or keep only them: keep, drop or only (the labeler decides)",
    )


def selection_of(options: argparse.Namespace) -> "Selection | None":
    """The selection that the options ask for."""
    if not (options.keep or options.drop or options.rules is not None):
        return None
    from victorpy.labelers.selection import selection  # noqa: PLC0415

    return selection(options.keep, options.drop, options.rules, options.host, prefix="--")
