"""victor serve"""

import argparse
import logging
import os
import secrets
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1, number
from victorpy.cli.shared_options import add_jobs, add_seconds
from victorpy.errors import UsageError
from victorpy.foundation.bounds import Range
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.optional import uvicorn
from victorpy.foundation.processes import Limits
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.pipeline.cleaner import load

log = logging.getLogger("victorpy")

TOKEN = "VICTOR_TOKEN"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", default=".", metavar="FOLDER", help="the folder of pages to work on (.)")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="folder for the .anno files (beside the pages)")
    parser.add_argument("--annotator", default="", metavar="NAME", help="your name in the .anno files")
    access = parser.add_argument_group("access")
    access.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="listen on this address (127.0.0.1)")
    access.add_argument("--port", type=number(int, Range(0, 65535)), default=8765, metavar="N", help="0: any (8765)")
    access.add_argument(
        "--token",
        metavar="TEXT",
        help=f"ask for this token; other addresses than 127.0.0.1 always need one ({TOKEN}, or else made)",
    )
    access.add_argument("--name", action="append", default=[], help="a further name of this server; repeatable")
    access.add_argument(
        "--allow-fetch", action="store_true", help="clean pages that requests name by address; public addresses only"
    )
    cleaning = parser.add_argument_group("cleaning")
    cleaning.add_argument("-m", "--model", default=DEFAULT_MODEL, help=f"name or folder of a model ({DEFAULT_MODEL})")
    add_jobs(cleaning)
    add_seconds(cleaning, "--timeout", 10.0, "stop a page that takes longer")
    cleaning.add_argument(
        "--max-memory", type=at_least_1, default=1_000, metavar="MB", help="stop a page that takes more memory (1000)"
    )
    cleaning.add_argument(
        "--max-bytes", type=at_least_1, default=32_000_000, metavar="N", help="refuse larger pages (32000000)"
    )


def run(options: argparse.Namespace) -> int:
    uvicorn()
    from victorpy.serve.server import serve  # noqa: PLC0415
    from victorpy.serve.server_settings import LOOPBACK, ServerSettings  # noqa: PLC0415

    if not os.path.isdir(options.folder):
        raise UsageError("no such folder", options.folder)
    load(options.model)  # a model that is not there is an error now, not one of each page
    token = options.token or os.environ.get(TOKEN, "")
    if not token and options.host not in LOOPBACK:
        token = secrets.token_urlsafe(24)
    serve(
        ServerSettings(
            host=options.host,
            port=options.port,
            token=token,
            names=tuple(name.lower() for name in options.name),
            folder=Path(options.folder),
            annotations=Path(options.output) if options.output else None,
            annotator=options.annotator,
            model=options.model,
            jobs=options.jobs,
            limits=Limits(options.timeout, options.max_memory),
            max_bytes=options.max_bytes,
            allow_fetch=options.allow_fetch,
        )
    )
    return FINE
