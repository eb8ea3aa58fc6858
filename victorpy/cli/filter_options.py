"""Filters that work behind any model or labeler, one row each, with their options."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from victorpy.cli.option_numbers import at_least_1, number, share
from victorpy.cli.shared_options import Options, add_addresses
from victorpy.errors import OptionError, UsageError
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.foundation.deferred import Deferred

# Each filter is imported when it is used: they need numpy, whose import takes longer than cleaning a page.
if TYPE_CHECKING:
    from victorpy.labelers.filters import Filter
    from victorpy.labelers.filters.language_filters import BlockLanguages, PageLanguages
    from victorpy.labelers.filters.site_filter import SiteFilter
    from victorpy.labelers.perplexity import Perplexity, PerplexityUnit

MadeFilter = TypeVar("MadeFilter", bound="Filter")


def add_filters(parser: Options) -> None:
    for row in FILTERS.values():
        row.add(parser)


def filters_of(options: argparse.Namespace) -> "tuple[Filter, ...]":
    """The filters that the options ask for, in the order in which they work."""
    made = (row.made(options) for row in FILTERS.values())
    return tuple(filter for filter in made if filter is not None)


# Texts that other pages of the site share


def add_site(parser: Options) -> None:
    parser.add_argument(
        "--site", metavar="FILE", help="drop texts that other pages of the site share, by a file of victor learn site"
    )
    parser.add_argument("--site-share", type=share, metavar="SHARE", help="drop texts on more than this share (0.1)")
    parser.add_argument(
        "--site-holders",
        type=at_least_1,
        metavar="N",
        help="and on at least N pages, or on more than half of all (2)",
    )
    parser.add_argument("--site-pages", type=at_least_1, metavar="N", help="needs N other pages of the site (1)")
    parser.add_argument(
        "--site-by",
        choices=("path", "text"),
        metavar="KEY",
        help="compare texts with their tags or alone: path or text (path)",
    )
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
    if changes:
        raise UsageError("--site-share, --site-holders, --site-pages and --site-by need --site")
    if options.host and not getattr(options, "rules", None):
        raise UsageError("--host needs --site or --rules")
    return None


# Texts that a language model finds improbable


def add_language_model(parser: Options) -> None:
    parser.add_argument(
        "--max-perplexity",
        metavar="LIMIT",
        type=number(float, MORE_THAN_0, {"usual": _USUAL}),
        help="drop text with a higher perplexity: a number, or 'usual', the limit of the language model",
    )
    parser.add_argument("--language-model", metavar="NAME", help="name or folder of a language model (udhr)")


def add_perplexity(parser: Options) -> None:
    add_language_model(parser)
    parser.add_argument(
        "--perplexity-by",
        choices=("passage", "sentence"),
        metavar="UNIT",
        help="drop whole passages, or single sentences: passage or sentence (passage)",
    )


def perplexity_filter(options: argparse.Namespace) -> "Perplexity | None":
    if options.max_perplexity is not None or options.language_model is not None:
        return perplexity_judge(options, options.perplexity_by)
    if options.perplexity_by:
        raise UsageError("--perplexity-by needs --max-perplexity or --language-model")
    return None


def perplexity_judge(options: argparse.Namespace, by: "PerplexityUnit | None" = None) -> "Perplexity":
    """The labeler, or filter, of the language model and the limit; the shipped ones if none are given."""
    from victorpy.labelers.perplexity import Perplexity  # noqa: PLC0415

    try:
        return Perplexity(
            options.language_model or Perplexity.language_model,
            options.max_perplexity or _USUAL,
            by=by or Perplexity.by,
        )
    except OptionError as error:
        raise UsageError(f"--{error}") from None


_USUAL = 0.0


# Other languages


def add_page_languages(parser: Options) -> None:
    parser.add_argument(
        "--languages", type=_codes, metavar="CODES", help="drop pages in other languages than these, such as en,de"
    )


def page_languages(options: argparse.Namespace) -> "PageLanguages | None":
    if options.languages is None:
        return None
    from victorpy.labelers.filters.language_filters import PageLanguages  # noqa: PLC0415

    return _with_name(PageLanguages, options.languages)


def add_block_languages(parser: Options) -> None:
    parser.add_argument(
        "--block-languages",
        type=_codes,
        metavar="CODES",
        help="drop blocks in other languages than these, or than the page's own (page)",
    )


def block_languages(options: argparse.Namespace) -> "BlockLanguages | None":
    given = options.block_languages
    if given is None:
        return None
    from victorpy.labelers.filters.language_filters import BlockLanguages  # noqa: PLC0415

    return _with_name(BlockLanguages, () if given == _OWN else given)


_OWN = ("page",)


def _with_name(filter: Callable[[tuple[str, ...]], MadeFilter], languages: tuple[str, ...]) -> MadeFilter:
    try:
        return filter(languages)
    except OptionError as error:
        raise UsageError(f"--{error}") from None


def _codes(word: str) -> tuple[str, ...]:
    return tuple(code.strip().lower() for code in word.split(","))


class FilterRow(NamedTuple):
    """A function that adds the options of a filter, and one that makes the filter, or None without its options."""

    add: Callable[[Options], None]
    made: "Callable[[argparse.Namespace], Filter | None]"


def switch(option: str, help: str, filter: Deferred) -> FilterRow:
    """The row of a filter that an option without a value turns on."""

    def add(parser: Options) -> None:
        parser.add_argument(option, action="store_true", help=help)

    def made(options: argparse.Namespace) -> "Filter | None":
        is_on = getattr(options, option.removeprefix("--").replace("-", "_"))
        return cast("Filter", filter()) if is_on else None

    return FilterRow(add, made)


FILTERS = {
    "site": FilterRow(add_site, site_filter),
    "perplexity": FilterRow(add_perplexity, perplexity_filter),
    "languages": FilterRow(add_page_languages, page_languages),
    "block-languages": FilterRow(add_block_languages, block_languages),
    "gibberish": switch(
        "--drop-gibberish",
        "drop text in no language, such as random letters",
        Deferred("labelers.filters.gibberish_filter:Gibberish"),
    ),
    "spam": switch(
        "--drop-spam",
        "drop pages stuffed with keywords, or full of repetitions",
        Deferred("labelers.filters.spam_filter:Spam"),
    ),
}
