"""Shallow figures that the paper on noise blocks lists beside those of `shallow`: counts, and quotients of neighbours.

Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction from Dynamic Web Page, 3.1.2 and 5.
"""

import re

import numpy as np

from victorpy.features import shallow
from victorpy.features.feature_rows import Table
from victorpy.features.tokens import words
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Floats, Ints

NAMES = (
    "counts.capitalized",
    "counts.uppercase",
    "counts.dates-and-times",
    "counts.bars",
    "quotient.words",
    "quotient.text-density",
    "quotient.position",
)

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec"
# Tokens of dates and times: 17:30, 2008-05-06, 6/5/2008, 2008, May, 5pm.
_DATE_OR_TIME = re.compile(
    rf"\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:am|pm)?|\d{{1,2}}(?:am|pm)|\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}|(?:19|20)\d{{2}}"
    rf"|(?:{_MONTHS})|january|february|march|april|june|july|august|september|october|november|december"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day",
    re.IGNORECASE,
)
_AROUND = ".,;:!?()[]\"'"


@once_per_page
def counts_and_quotients(page: Page) -> Table:
    counts = np.array([_counts(text) for text in page.texts], np.float32).reshape(-1, 4).T
    quotients = (_quotient(words(page)), _quotient(shallow.text_density(page)), _places(page))
    return np.vstack([counts, np.array(quotients, np.float32)])


def _counts(text: str) -> tuple[int, int, int, int]:
    """Tokens that begin with a capital, tokens in capitals only, dates and times, and vertical bars."""
    tokens = text.split()
    return (
        sum(token[:1].isupper() for token in tokens),
        sum(token.isupper() for token in tokens),
        sum(_DATE_OR_TIME.fullmatch(token.strip(_AROUND)) is not None for token in tokens),
        text.count("|"),
    )


def _quotient(values: Floats | Ints) -> Floats:
    """Each value divided by that of the block before; 1 more of both, because either may be 0."""
    before = np.concatenate((np.zeros(1), values))[:-1]
    quotient: Floats = (np.asarray(values, float) + 1) / (before + 1)
    return quotient


def _places(page: Page) -> Floats:
    """The relative position: 0 for the first block, 1 for the last."""
    return np.arange(len(page)) / max(len(page) - 1, 1)
