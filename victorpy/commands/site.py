"""victor site"""

import argparse
import logging
from pathlib import Path

from victorpy import config as configs
from victorpy import models, sites
from victorpy.cleaner import labeler
from victorpy.commands.clean import undamaged
from victorpy.commands.options import add_addresses, whole_number
from victorpy.crawls import addresses, crawled
from victorpy.errors import VictorError
from victorpy.exits import FAILED, FINE
from victorpy.files import check_writable
from victorpy.markup import Markup
from victorpy.progress import shown
from victorpy.sites import Counting
from victorpy.sources import find_inputs

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("learn",), help="count in how many pages of its site each text stands")
    parser.add_argument(
        "inputs", nargs="+", metavar="PAGES", help="pages, folders, or files of many (.warc, .arc, .jsonl, .parquet)"
    )
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the file to write, such as SITE.npz")
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument("-m", "--model", default="web", help="the model that is to clean, which cuts the pages (web)")
    cut.add_argument("-c", "--config", help="or the config that a model is to be trained by")
    cut.add_argument("--labeler", metavar="NAME|FILE", help="or the labeler that is to clean")
    parser.add_argument("--megabytes", type=whole_number(), default=64, help="memory for the counts (64)")
    parser.add_argument("--most-pages", type=whole_number("pages"), default=10_000, help="of each site (10000)")
    add_addresses(parser)


def run(options: argparse.Namespace) -> int:
    markup = _markup(options)
    check_writable(Path(options.output).parent)
    urls = addresses(Path(options.urls)) if options.urls else {}
    counting = Counting(markup, options.megabytes, options.most_pages)
    damages = list[VictorError]()
    pages = undamaged(crawled(find_inputs(options.inputs), urls), damages)
    learned = sites.learned(shown(pages, None, "pages"), counting, options.host)
    sites.save(learned, Path(options.output))
    log.warning("%d pages of %d sites", learned.header.pages, learned.header.sites)
    return FAILED if damages else FINE


def _markup(options: argparse.Namespace) -> Markup:
    """That of whoever is to clean: blocks must be the same."""
    if options.labeler:
        return labeler(options.labeler).markup
    config = configs.load(options.config) if options.config else models.load(options.model).config
    return config.markup
