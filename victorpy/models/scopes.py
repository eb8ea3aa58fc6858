"""Scopes: which content of a page a user wants."""

from collections.abc import Sequence
from typing import Literal

from victorpy.errors import UsageError

Scope = Literal["auto", "page", "corpus", "article", "discussion"]

# The scope is not said: the model goes by the page.
AUTO: Scope = "auto"


def scope_row(scopes: Sequence[str], scope: str) -> int | None:
    """The row of a scope in the tables of a network that has learned these, or None if it has learned none."""
    if scope in scopes:
        return scopes.index(scope)
    if scope == AUTO and not scopes:
        return None
    known = f"it has learned {', '.join(scopes)}" if scopes else "it has learned no scopes, and takes only 'auto'"
    raise UsageError(f"a scope that the model does not know, '{scope}': {known}")
