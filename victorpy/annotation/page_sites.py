"""The site of a page, also of one that was saved without its address."""

import re

from victorpy.foundation.hosts import site_of
from victorpy.page.blocks import Page

# The tags in which a page names its address.
_ADDRESS = re.compile(
    r"""<(?:link\b[^<>]*?\brel=["']?canonical\b|meta\b[^<>]*?["']og:url["']|base\b)[^<>]*+>""", re.IGNORECASE
)
_URL = re.compile(r"""\b(?:href|content)\s*=\s*["']?(https?://[^\s"'<>]+)""", re.IGNORECASE)

# Only so many characters at the beginning are searched for them.
_HEAD = 1 << 16


def named_site(page: Page, html: str) -> str:
    """The host of the page's address, given or named in the page; otherwise its folder."""
    named = (_URL.search(tag[0]) for tag in _ADDRESS.finditer(html, 0, _HEAD))
    addresses = [page.url, *(url[1] for url in named if url)]
    hosts = filter(None, map(site_of, addresses))
    return next(hosts, page.id.partition("/")[0] if "/" in page.id else "")
