"""Options for inputs that are addresses."""

import argparse
from typing import TYPE_CHECKING

from victorpy.cli.option_numbers import number
from victorpy.cli.shared_options import add_seconds
from victorpy.fetching.fetch_settings import LONGEST_DELAY, FetchSettings
from victorpy.foundation.bounds import AT_LEAST_0, Range
from victorpy.pipeline.fetching_inputs import Fetching

if TYPE_CHECKING:
    from victorpy.fetching.rendering import RenderSettings

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
    add_seconds(fetching, "--fetch-timeout", _USUAL.seconds, "stop fetching a page that takes longer")
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
    fetching.add_argument("--cache", metavar="FOLDER", help="keep pages here, and fetch only what has changed")
    fetching.add_argument("--keep-warc", metavar="FILE", help="write all that was fetched to a new web archive")
    rendering = parser.add_argument_group("rendering")
    rendering.add_argument("--render", action="store_true", help="run the scripts of pages in a browser first")
    add_seconds(rendering, "--render-timeout", 20.0, "stop the scripts of a page that take longer")
    rendering.add_argument("--browser", metavar="PROGRAM", help="the browser (Chromium or Chrome of this machine)")


def fetching_of(options: argparse.Namespace, max_bytes: int) -> Fetching:
    settings = FetchSettings(
        delay=options.delay,
        seconds=options.fetch_timeout,
        retries=options.retries,
        ignore_robots=options.ignore_robots,
        user_agent=options.user_agent,
        max_bytes=max_bytes,
        cache=options.cache,
    )
    if options.keep_warc:
        from victorpy.sources.record_writing import check_new  # noqa: PLC0415

        check_new(options.keep_warc)
    return Fetching(settings, options.keep_warc, _rendering(options, max_bytes) if options.render else None)


def _rendering(options: argparse.Namespace, max_bytes: int) -> "RenderSettings":
    from victorpy.fetching.rendering import RenderSettings  # noqa: PLC0415

    return RenderSettings(seconds=options.render_timeout, browser=options.browser, max_bytes=max_bytes)
