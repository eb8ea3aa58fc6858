"""victor mcp"""

import argparse
from pathlib import Path

from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.optional import check_mcp
from victorpy.models.defaults import DEFAULT_MODEL


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--folder",
        action="append",
        metavar="FOLDER",
        help="read files in this folder only; repeatable (the current folder)",
    )
    parser.add_argument("-m", "--model", default=DEFAULT_MODEL, help="name or folder of a model (web)")
    parser.add_argument(
        "--allow-private", action="store_true", help="fetch also addresses of this machine and of private networks"
    )


def run(options: argparse.Namespace) -> int:
    folders = [Path(folder) for folder in options.folder or ["."]]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise UsageError("no such folder", ", ".join(missing))
    check_mcp()
    from victorpy.integrations.mcp_server import serve  # noqa: PLC0415

    serve(folders, options.model, allow_private=options.allow_private)
    return FINE
