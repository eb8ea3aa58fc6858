"""The known ways to clean a page, by name: labelers that nobody has to train, whose fields are their options."""

from collections.abc import Mapping
from typing import Any

from victorpy.errors import UsageError, suggestion
from victorpy.labelers import Labeler
from victorpy.labelers.blog import Blog
from victorpy.labelers.bte import BTE
from victorpy.labelers.density import Density
from victorpy.labelers.everything import Everything
from victorpy.labelers.merge import Merge
from victorpy.labelers.perplexity import Perplexity
from victorpy.labelers.rules import Rules
from victorpy.labelers.site import Site
from victorpy.labelers.tree import Tree
from victorpy.options import options_of

LABELERS: Mapping[str, type[Labeler]] = {
    "blog": Blog,
    "bte": BTE,
    "density": Density,
    "everything": Everything,
    "merge": Merge,
    "perplexity": Perplexity,
    "rules": Rules,
    "site": Site,
    "tree": Tree,
}


def labeler(name: str, **options: Any) -> Labeler:
    """The labeler of this name, with its options."""
    return kind_of(name)(**options)


def kind_of(name: str) -> type[Labeler]:
    if name not in LABELERS:
        raise UsageError(f"no labeler '{name}' (known: {', '.join(LABELERS)}){suggestion(name, LABELERS)}")
    return LABELERS[name]


def reads_names(labeler: Labeler) -> bool:
    """Does it go by the names that a site gives to its elements?"""
    merged = labeler.labelers if isinstance(labeler, Merge) else ()
    return isinstance(labeler, Blog) or any(issubclass(LABELERS[name], Blog) for name in merged)


def described(labeler: Labeler) -> str:
    """Its name and all its options: what its labels depend on, beside pages that it was shown."""
    labeler = getattr(labeler, "options", labeler)
    name = next((name for name, kind in LABELERS.items() if type(labeler) is kind), type(labeler).__name__)
    return " ".join([name, *(f"{option}={value}" for option, value in options_of(labeler).items())])
