"""The tables of the labelers that need no training, and of filters, by name. Their fields are their options."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from victorpy.errors import UsageError, suggestion
from victorpy.foundation.deferred import found_at
from victorpy.labelers import Untrained

Kind = TypeVar("Kind")


class LazyTable(Mapping[str, type[Kind]]):
    """Classes by name. The module of a class is imported when the class is first used."""

    def __init__(self, homes: Mapping[str, str]):
        self.homes = homes

    def __getitem__(self, name: str) -> type[Kind]:
        found: type[Kind] = found_at(f"labelers.{self.homes[name]}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.homes)

    def __len__(self) -> int:
        return len(self.homes)


# The labelers that clean pages by themselves, and whose votes `merge` counts.
VOTERS: LazyTable[Untrained] = LazyTable(
    {
        "blog": "blog:Blog",
        "blogbuster": "blogbuster:BlogBuster",
        "bte": "bte:BTE",
        "density": "density:Density",
        "everything": "everything:Everything",
        "fiasco": "survey.fiasco:Fiasco",
        "genieknows": "survey.genieknows:GenieKnows",
        "hofmann": "survey.hofmann:Hofmann",
        "htmcleaner": "survey.htmcleaner:Htmcleaner",
        "kimatu": "survey.kimatu:Kimatu",
        "noise-blocks": "noise_blocks:NoiseBlocks",
        "perplexity": "perplexity:Perplexity",
        "rules": "rules:Rules",
        "site": "site:Site",
        "stupidos": "survey.stupidos:StupidOS",
        "tree": "tree:Tree",
    }
)

LABELERS: Mapping[str, type[Untrained]] = LazyTable(dict(sorted({**VOTERS.homes, "merge": "merge:Merge"}.items())))


def labeler(name: str, **options: Any) -> Untrained:
    return kind_of(name)(**options)


def kind_of(name: str) -> type[Untrained]:
    if name not in LABELERS:
        raise UsageError(f"no labeler '{name}' (known: {', '.join(LABELERS)}){suggestion(name, LABELERS)}")
    return LABELERS[name]


# The filters that drop some of the blocks that a labeler keeps.
FILTERS: Mapping[str, type[Any]] = LazyTable(
    {
        "block-languages": "filters.language_filters:BlockLanguages",
        "gibberish": "filters.gibberish_filter:Gibberish",
        "languages": "filters.language_filters:PageLanguages",
        "perplexity": "perplexity:Perplexity",
        "site": "filters.site_filter:SiteFilter",
        "spam": "filters.spam_filter:Spam",
    }
)


def name_in(table: Mapping[str, type[Any]], value: object) -> str:
    """The table's name for the class of a value, or the name of the class itself."""
    return next((name for name, kind in table.items() if type(value) is kind), type(value).__name__)


def described(labeler: Untrained) -> str:
    """The labeler's name and all its options, which its labels depend on."""
    from victorpy.foundation.yaml_options import options_of  # noqa: PLC0415 - models do without

    options = options_of(labeler.settings).items()
    return " ".join([name_in(LABELERS, labeler.settings), *(f"{option}={value}" for option, value in options)])
