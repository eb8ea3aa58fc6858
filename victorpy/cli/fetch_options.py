"""Options for inputs that are addresses."""

import argparse

from victorpy.cli.option_numbers import number
from victorpy.cli.shared_options import LONGEST_SECONDS
from victorpy.fetching.fetch_settings import LONGEST_DELAY, FetchSettings
from victorpy.foundation.bounds import AT_LEAST_0, Range
from victorpy.pipeline.fetching_inputs import Fetching

_USUAL = FetchSettings()


def add_fetching(parser: argparse.ArgumentParser) -> None:
    fetching = parser.add_argument_group("addresses")
    fetching.add_argument(
        "--delay",
        type=number(float, Range(0, LONGEST_DELAY)),
        default=_USUAL.delay,
        metavar="SECONDS",
        help=f"time between two pages of a host, if its robots.txt asks for no longer one ({_USUAL.delay:g})",
    )
    fetching.add_argument(
        "--fetch-timeout",
        type=number(float, Range(above=0, most=LONGEST_SECONDS)),
        default=_USUAL.seconds,
        metavar="SECONDS",
        help=f"stop fetching a page that takes longer ({_USUAL.seconds:g})",
    )
    fetching.add_argument(
        "--retries",
        type=number(int, AT_LEAST_0),
        default=_USUAL.retries,
        metavar="N",
        help=f"further attempts when a host is busy or a connection fails ({_USUAL.retries})",
    )
    fetching.add_argument(
        "--ignore-robots", action="store_true", help="fetch also what the robots.txt of a host forbids"
    )
    fetching.add_argument(
        "--user-agent", default=_USUAL.user_agent, metavar="TEXT", help="who asks: a name and an address"
    )


def fetching_of(options: argparse.Namespace, max_bytes: int) -> Fetching:
    settings = FetchSettings(
        delay=options.delay,
        seconds=options.fetch_timeout,
        retries=options.retries,
        ignore_robots=options.ignore_robots,
        user_agent=options.user_agent,
        max_bytes=max_bytes,
    )
    return Fetching(settings)
