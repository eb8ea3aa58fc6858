"""How likely the titles of a page are by the words of each of its parts, as a search engine asks it of documents."""

from collections import Counter

import numpy as np

from victorpy.features.tokens import words
from victorpy.foundation.words import SIGNATURE_WORD
from victorpy.labelers.survey.tag_groups import tag_groups
from victorpy.page.blocks import Page
from victorpy.page.elements import Floats
from victorpy.page.passages import enclosing

# The weight of the words of the whole page beside those of the part (Jelinek, Mercer 1980).
_PAGE = 0.5


def title_likelihoods(page: Page, *, in_groups: bool) -> Floats | None:
    """For each block the mean of ln(chance of a word of the titles in its part / chance in the page), or None.

    The titles are `<title>` and all headings. A part is a block, or a group of blocks with the same tag and class.
    """
    query = _query(page)
    parts = tag_groups(page).of_block if in_groups else np.arange(len(page))
    total = np.bincount(parts, words(page)).astype(float)
    found = _found(page, query)
    of_page = {word: sum(places.values()) / max(total.sum(), 1) for word, places in found.items()}
    if not found:
        return None
    likelihoods = np.zeros(len(total))
    for word, places in found.items():
        own = np.bincount(parts[[*places]], [*places.values()], len(total)) / np.maximum(total, 1)
        likelihoods += query[word] * np.log((1 - _PAGE) * own / of_page[word] + _PAGE)
    of_blocks: Floats = likelihoods[parts] / sum(query[word] for word in found)
    return of_blocks


def _query(page: Page) -> Counter[str]:
    headings = np.flatnonzero(enclosing(page, *page.markup.class_header) >= 0)
    texts = (page.title, *(page.texts[block] for block in headings.tolist()))
    return Counter(word for text in texts for word in SIGNATURE_WORD.findall(text.lower()))


def _found(page: Page, query: Counter[str]) -> dict[str, Counter[int]]:
    """The words of the query that the page has, and how often each block has them."""
    found: dict[str, Counter[int]] = {}
    for block, text in enumerate(page.texts):
        for word in filter(query.__contains__, SIGNATURE_WORD.findall(text.lower())):
            found.setdefault(word, Counter())[block] += 1
    return found
