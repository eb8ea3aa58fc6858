"""Stop words by language, and the function words of a given text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from victorpy.errors import OptionError, UsageError, VictorError
from victorpy.features.language.lm_training import texts_of
from victorpy.features.language_id import language_of
from victorpy.foundation.files import read_text
from victorpy.foundation.optional import install_hint
from victorpy.foundation.words import RUNNING_WORD, UNSPACED_LANGUAGES
from victorpy.page.blocks import Page
from victorpy.page.elements import Ints
from victorpy.sources import TEXT_SUFFIXES, find_pages

# Languages without a list of their own, and the language whose function words they share.
_KIN = {"ary": "ar", "arz": "ar", "bs": "hr", "nb": "no", "nn": "no"}


def check_installed() -> None:
    """Raises a UsageError if the packages for stop words and language identification are missing."""
    missing = [name for name in ("stopwordsiso", "py3langid") if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"stop words by language need {' and '.join(missing)}: {install_hint('rules')}; or name a word list"
        )


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, by its two-letter code.

    Empty for an unknown language, and for a language without spaces between words.
    """
    from stopwordsiso import stopwords  # noqa: PLC0415

    code = language.lower().partition("-")[0]
    return frozenset() if code in UNSPACED_LANGUAGES else frozenset(map(str.lower, stopwords(_KIN.get(code, code))))


# No other language has all of these words, each of them often.
_ENGLISH = frozenset(["the", "of", "and"])
_FEW = 4
_COMMON = 0.04


def check_option(path: str) -> None:
    """Reports missing stop words before any page is read: those of a file, or the packages that have them."""
    if not path:
        check_installed()
        return
    try:
        words_in(path)
    except VictorError as error:
        raise OptionError(str(error), "stop-words") from None


# Enough text to identify the language.
_SAMPLE_BLOCKS, _SAMPLE_BLOCK = 4, 125


def words_for(page: Page, linked: Ints, language: str, path: str) -> tuple[str, frozenset[str]]:
    """The language of a page, if none is given, and its stop words or those of a file.

    `linked` are the characters of each block in links: the blocks with the most text outside of them tell the language.
    """
    if path:
        return language, words_in(path)
    if not language:
        longest = np.argsort(linked - page.lengths, kind="stable")[:_SAMPLE_BLOCKS]
        language = likely_language(" ".join(page.texts[block][:_SAMPLE_BLOCK] for block in longest.tolist()))
    return language, stop_words(language)


def likely_language(text: str) -> str:
    """The code of the likeliest language; `zxx` (ISO 639) if the text is in no language."""
    return "en" if _is_surely_english(text) else language_of(text)


def _is_surely_english(text: str) -> bool:
    """A quick test for the most common case: language identification takes half as long as parsing the page."""
    words = text.lower().split()
    found = sum(map(_ENGLISH.__contains__, words))
    return found >= _FEW and found >= _COMMON * len(words)


@cache
def words_in(path: str) -> frozenset[str]:
    """The stop words in a file, one per line; lines that begin with # are comments."""
    lines = map(str.strip, read_text(Path(path)).lower().splitlines())
    words = frozenset(line for line in lines if line and not line.startswith("#"))
    if not words:
        raise VictorError("no stop words in it: expected one per line", path)
    return words


_PIECE = 1000


def learned_words(paths: Sequence[str], share: float = 0.4) -> list[str]:
    """The function words of texts and of folders of texts."""
    files = find_pages(paths, TEXT_SUFFIXES)
    words = function_words((piece for file in files for piece in texts_of(file)), share)
    if not words:
        raise VictorError("no word is frequent all over these texts; use longer texts, with blanks between words")
    return words


def function_words(texts: Iterable[str], share: float = 0.4) -> list[str]:
    """The most frequent words that make up this share of a text, most frequent first.

    A word must occur in at least half of the pieces of the text: words of its topics are frequent in some pieces only.
    """
    pieces = [*map(Counter, _pieces(texts))]
    counts = sum(pieces, Counter[str]())
    spread = Counter(word for piece in pieces for word in piece)
    words = list[str]()
    left = share * counts.total()
    for word, count in counts.most_common():
        if left <= 0:
            break
        if 2 * spread[word] >= len(pieces) and any(map(str.isalpha, word)):
            words.append(word)
            left -= count
    return words


def _pieces(texts: Iterable[str]) -> list[Sequence[str]]:
    words = [word for text in texts for word in RUNNING_WORD.findall(text.lower())]
    return [words[begin : begin + _PIECE] for begin in range(0, len(words), _PIECE)]
