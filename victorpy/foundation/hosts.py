"""Hosts of addresses, sites of pages, and registered domains."""

import re
from functools import cache
from typing import Any

from victorpy.foundation.optional import publicsuffixlist

# Archives may write an address in angle brackets; pages may leave out its scheme.
_ADDRESS = re.compile(
    r"\s*<?(?:(?:https?|ftps?):)?//(?:[^/?#@]*@)?(\[[0-9a-f:.]+\]|[^/?#:@\x00-\x20\[\]<>\"]+)", re.IGNORECASE
)

_HOST_NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])", re.IGNORECASE)

# An IPv6 address is in brackets, and no host name ends in digits alone (RFC 3696, section 2).
_NUMERIC = re.compile(r"\[|(?:.*\.)?\d+$")


def host_of(url: str) -> str | None:
    """The host of a web address, in lower case."""
    found = _ADDRESS.match(url)
    return found[1].lower().rstrip(".") or None if found else None


def site_of(url: str | None, id: str = "", default: str | None = None) -> str | None:
    """The host of a page's address without `www.`, else the first folder of its id that has the name of a host."""
    folders = (folder for folder in id.split("/")[:-1] if _HOST_NAME.fullmatch(folder))
    found = (host_of(url) if url else None) or next(folders, default)
    return found.lower().removeprefix("www.") if found else None


def domain_of(host: str) -> str:
    """The registered domain of a host; the host itself if it has none."""
    return host if _NUMERIC.match(host) else _suffixes().privatesuffix(host) or host


@cache
def _suffixes() -> Any:
    return publicsuffixlist().PublicSuffixList()
