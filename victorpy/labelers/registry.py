"""The known ways to clean a page, by name: labelers that nobody has to train, whose fields are their options."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from victorpy.errors import UsageError, suggestion
from victorpy.foundation.yaml_options import options_of
from victorpy.labelers import Labeler


class _Table(Mapping[str, type[Labeler]]):
    """Each labeler by its name, imported when somebody asks for it."""

    def __init__(self, homes: Mapping[str, str]):
        self._homes = homes

    def __getitem__(self, name: str) -> type[Labeler]:
        module, _, kind = self._homes[name].partition(":")
        found: type[Labeler] = getattr(import_module(f"victorpy.labelers.{module}"), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._homes)

    def __len__(self) -> int:
        return len(self._homes)


LABELERS: Mapping[str, type[Labeler]] = _Table(
    {
        "blog": "blog:Blog",
        "bte": "bte:BTE",
        "density": "density:Density",
        "everything": "everything:Everything",
        "merge": "merge:Merge",
        "perplexity": "perplexity:Perplexity",
        "rules": "rules:Rules",
        "site": "site:Site",
        "tree": "tree:Tree",
    }
)


def labeler(name: str, **options: Any) -> Labeler:
    """The labeler of this name, with its options."""
    return kind_of(name)(**options)


def kind_of(name: str) -> type[Labeler]:
    if name not in LABELERS:
        raise UsageError(f"no labeler '{name}' (known: {', '.join(LABELERS)}){suggestion(name, LABELERS)}")
    return LABELERS[name]


def described(labeler: Labeler) -> str:
    """Its name and all its options: what its labels depend on, beside pages that it was shown."""
    labeler = getattr(labeler, "options", labeler)
    name = next((name for name, kind in LABELERS.items() if type(labeler) is kind), type(labeler).__name__)
    return " ".join([name, *(f"{option}={value}" for option, value in options_of(labeler).items())])
