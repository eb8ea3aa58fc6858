"""victor learn site"""

import argparse
import logging
from pathlib import Path

from victorpy.cli.option_numbers import at_least_1
from victorpy.cli.shared_options import add_addresses
from victorpy.errors import VictorError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.files import check_writable
from victorpy.foundation.progress import shown
from victorpy.labelers import site_counts
from victorpy.labelers.site_counts import SiteCounter
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.page.markup import Markup
from victorpy.pipeline.clean_inputs import undamaged
from victorpy.pipeline.cleaner import labeler
from victorpy.sources import find_inputs
from victorpy.sources.addresses import addresses, crawled

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="PAGES",
        help="pages, folders, or files of many pages (.warc, .arc, .jsonl, .parquet)",
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, such as SITE.npz")
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument(
        "-m", "--model", default=DEFAULT_MODEL, help=f"the model that will clean the pages ({DEFAULT_MODEL})"
    )
    cut.add_argument("-c", "--config", help="instead: the config of a model to be trained")
    cut.add_argument("--labeler", metavar="NAME|FILE", help="instead: the labeler that will clean the pages")
    parser.add_argument("--megabytes", type=at_least_1, default=64, metavar="MB", help="memory for the counts (64)")
    parser.add_argument(
        "--most-pages", type=at_least_1, default=10_000, metavar="N", help="pages to read from each site (10000)"
    )
    add_addresses(parser)


def run(options: argparse.Namespace) -> int:
    markup = _markup(options)
    check_writable(Path(options.output).parent)
    urls = addresses(Path(options.urls)) if options.urls else {}
    counting = SiteCounter(markup, options.megabytes, options.most_pages)
    damages = list[VictorError]()
    pages = undamaged(crawled(find_inputs(options.inputs), urls), damages)
    learned = site_counts.learned(shown(pages, None, "pages"), counting, options.host)
    site_counts.save(learned, Path(options.output))
    log.warning("%d pages of %d sites", learned.header.pages, learned.header.sites)
    return FAILED if damages else FINE


def _markup(options: argparse.Namespace) -> Markup:
    """The markup options of the model or labeler that will clean: it must cut the same blocks."""
    if options.labeler:
        return labeler(options.labeler).markup
    config = configs.load(options.config) if options.config else model_folder.load(options.model).config
    return config.markup
