"""Hosts of addresses, and the domains that somebody registered for them."""

import re
from functools import cache
from typing import Any

from victorpy.foundation.optional import publicsuffixlist

_ADDRESS = re.compile(r"\s*<?(?:https?|ftps?)://(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@\x00-\x20\[\]<>\"]+)", re.I)

# An IPv6 address stands in brackets, and no name ends in digits alone (RFC 3696, section 2).
_NUMERIC = re.compile(r"\[|(?:.*\.)?\d+$")


def host_of(url: str) -> str | None:
    """The host of a web address, in lower case."""
    found = _ADDRESS.match(url)
    return found[1].lower().rstrip(".") or None if found else None


def domain_of(host: str) -> str:
    """What somebody registered of a host's name; all of it where that is not known."""
    return host if _NUMERIC.match(host) else _suffixes().privatesuffix(host) or host


@cache
def _suffixes() -> Any:
    return publicsuffixlist().PublicSuffixList()
