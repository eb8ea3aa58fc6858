"""What commands put behind any labeler: a row for each filter, with its options."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from victorpy.cli.option_numbers import at_least_1, number, share
from victorpy.cli.shared_options import add_addresses
from victorpy.errors import MisfitError, UsageError
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.labelers.filters import Filter

# Each filter is imported where it is asked for: numpy, which they all want, takes longer than cleaning a page.
if TYPE_CHECKING:
    from victorpy.labelers.filters.language_filters import BlockLanguages, PageLanguages
    from victorpy.labelers.filters.site_filter import SiteFilter
    from victorpy.labelers.perplexity import Perplexity

Judge = TypeVar("Judge", bound=Filter)


def add_filters(parser: argparse.ArgumentParser) -> None:
    for row in FILTERS.values():
        row.add(parser)


def filters_of(options: argparse.Namespace) -> tuple[Filter, ...]:
    """Those that are asked for, in the order in which they drop."""
    made = (row.made(options) for row in FILTERS.values())
    return tuple(filter for filter in made if filter is not None)


# What other pages of the site hold


def add_site(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--site", metavar="FILE", help="drop what other pages of the site hold: see victor learn site")
    parser.add_argument(
        "--site-share", type=share, metavar="SHARE", help="what more than this share of them holds (0.1)"
    )
    parser.add_argument(
        "--site-holders",
        type=at_least_1,
        metavar="N",
        help="and at least N of them, unless it is more than half of them (2)",
    )
    parser.add_argument("--site-pages", type=at_least_1, metavar="N", help="where at least N other pages are known (1)")
    parser.add_argument("--site-by", choices=("path", "text"), help="text inside the same tags, or anywhere (path)")
    add_addresses(parser)


def site_filter(options: argparse.Namespace) -> "SiteFilter | None":
    given = {
        "share": options.site_share,
        "least_holders": options.site_holders,
        "least_pages": options.site_pages,
        "by": options.site_by,
    }
    changes = {name: value for name, value in given.items() if value is not None}
    if options.site:
        from victorpy.labelers.filters.site_filter import SiteFilter  # noqa: PLC0415

        return SiteFilter(**changes)
    if changes or options.host:
        raise UsageError("--site-share, --site-holders, --site-pages, --site-by and --host are for a --site")
    return None


# What surprises a language model


def add_language_model(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--max-perplexity",
        metavar="usual|NUMBER",
        type=number(float, MORE_THAN_0, {"usual": _USUAL}),
        help="drop what surprises a language model more (usual: as the language model's card says)",
    )
    parser.add_argument("--language-model", metavar="NAME", help="name or folder of a language model (udhr)")


def judge_of(options: argparse.Namespace) -> "Perplexity | None":
    if options.max_perplexity is None and options.language_model is None:
        return None
    from victorpy.labelers.perplexity import Perplexity  # noqa: PLC0415

    try:
        return Perplexity(options.language_model or Perplexity.language_model, options.max_perplexity or _USUAL)
    except MisfitError as error:
        raise UsageError(f"--{error}") from None


_USUAL = 0.0


# What is in other languages


def add_page_languages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--languages", type=_codes, metavar="CODE,…", help="drop pages in other languages than these, such as en,de"
    )


def page_languages(options: argparse.Namespace) -> "PageLanguages | None":
    if options.languages is None:
        return None
    from victorpy.labelers.filters.language_filters import PageLanguages  # noqa: PLC0415

    return _with_name(PageLanguages, options.languages)


def add_block_languages(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--block-languages",
        type=_codes,
        metavar="CODE,…|page",
        help="drop blocks in other languages than these, or than the page's own",
    )


def block_languages(options: argparse.Namespace) -> "BlockLanguages | None":
    given = options.block_languages
    if given is None:
        return None
    from victorpy.labelers.filters.language_filters import BlockLanguages  # noqa: PLC0415

    return _with_name(BlockLanguages, () if given == _OWN else given)


_OWN = ("page",)


def _with_name(filter: Callable[[tuple[str, ...]], Judge], languages: tuple[str, ...]) -> Judge:
    try:
        return filter(languages)
    except MisfitError as error:
        raise UsageError(f"--{error}") from None


def _codes(word: str) -> tuple[str, ...]:
    return tuple(code.strip().lower() for code in word.split(","))


class Row(NamedTuple):
    """What adds the options of a filter, and what makes the filter of them; none, where nobody asks for it."""

    add: Callable[[argparse.ArgumentParser], None]
    made: Callable[[argparse.Namespace], Filter | None]


FILTERS = {
    "site": Row(add_site, site_filter),
    "perplexity": Row(add_language_model, judge_of),
    "languages": Row(add_page_languages, page_languages),
    "block-languages": Row(add_block_languages, block_languages),
}
