"""What a page is as a whole: the same for all of its blocks."""

import numpy as np

from victorpy.blocks import Page, once_per_page
from victorpy.features import inside
from victorpy.features.blocks import copies, count_of
from victorpy.features.containers import likes, parts
from victorpy.features.letters import letters, sums
from victorpy.features.rows import Table

_LONG = (100, 300)
_SHARES = ("p", "list", "table", "heading", "main", "article", "nav", "form")

NAMES = (
    "page.letters",
    "page.blocks",
    "page.elements",
    "page.link-share",
    "page.sentence-ends",
    "page.longest",
    "page.mean-letters",
    "page.median-letters",
    *(f"page.blocks-of-{long}" for long in _LONG),
    "page.wide-share",
    "page.lower-share",
    "page.long-share",
    "page.digit-share",
    "page.currency",
    "page.commas",
    "page.copies-share",
    "page.alike-share",
    "page.most-alike",
    *(f"page.{name}-share" for name in _SHARES),
    *(f"page.{tag}s" for tag in ("h1", "h2", "h3", "article", "p", "li", "time", "form")),
)
_TAGS = ("h1", "h2", "h3", "article", "p", "li", "time", "form")


@once_per_page
def wholes(page: Page) -> Table:
    return np.repeat(_figures(page)[:, None], len(page), axis=1)


def _figures(page: Page) -> Table:
    found = letters(page)
    total, linked, ends, long, digits = sums(page)[:, -1]
    some = max(total, 1.0)
    plain = float(found.plain.sum())
    figures = [total, len(page), len(page.elements.tags), linked / some, ends]
    figures += [found.letters.max(initial=0), total / max(len(page), 1), _median(found.letters)]
    figures += [np.count_nonzero(found.letters >= long) for long in _LONG]
    figures += [(total - plain) / max(plain, 1.0), found.lower.sum() / max(plain, 1.0)]
    figures += [long / some, digits / some]
    figures += [count_of(page, "currency").sum(), count_of(page, "commas").sum()]
    figures += [found.letters[copies(page) > 1].sum() / some]
    alike = likes(page)[2].take(parts(page).levels[:3])
    figures += [found.letters[(alike > 2).any(axis=0)].sum() / some, alike.max(initial=0)]
    figures += (_inside(page) @ found.letters / some).tolist()
    counts = np.bincount(page.elements.codes, minlength=len(page.markup.codes) + 1)
    figures += [counts[page.markup.codes[tag]] for tag in _TAGS]
    return np.array(figures, np.float32)


_ROWS = [inside.NAMES.index(f"inside.{name}") for name in _SHARES]


def _inside(page: Page) -> Table:
    """A row for each of `_SHARES`: 1 for every block in such an element."""
    return inside.inside(page)[_ROWS]


def _median(values: Table) -> float:
    """The upper one of two."""
    middle = len(values) // 2
    return float(np.partition(values, middle)[middle]) if len(values) else 0.0
