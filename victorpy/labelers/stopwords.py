"""Stop words by language, and the function words of a given text."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from victorpy.errors import UsageError, VictorError
from victorpy.features.language_id import language_of
from victorpy.foundation.files import read_text
from victorpy.foundation.words import RUNNING_WORD, UNSPACED_LANGUAGES

# Languages that have no list of their own, and those that share their function words.
_KIN = {"ary": "ar", "arz": "ar", "bs": "hr", "nb": "no", "nn": "no"}


def check_installed() -> None:
    """Tells before any page is read that stop words, or languages, could not be found."""
    missing = [name for name in ("stopwordsiso", "py3langid") if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"stop words by language need {' and '.join(missing)}: pip install 'victor-cleaner[rules]', or name a file"
            " of stop words"
        )


@cache
def stop_words(language: str) -> frozenset[str]:
    """Those of a language, by its code of two letters; none where none are known, or no blanks part its words."""
    from stopwordsiso import stopwords  # noqa: PLC0415

    code = language.lower().partition("-")[0]
    return frozenset() if code in UNSPACED_LANGUAGES else frozenset(map(str.lower, stopwords(_KIN.get(code, code))))


# No other language has all of these, and each of them often.
_ENGLISH = frozenset(["the", "of", "and"])
_FEW = 4
_COMMON = 0.04


def likely_language(text: str) -> str:
    """The code of the likeliest language; `zxx`, as ISO 639 has it, where there is none."""
    return "en" if _is_surely_english(text) else language_of(text)


def _is_surely_english(text: str) -> bool:
    """Most texts are, and a detector takes half as long to find that out as parsing the page does."""
    words = text.lower().split()
    found = sum(map(_ENGLISH.__contains__, words))
    return found >= _FEW and found >= _COMMON * len(words)


@cache
def words_in(path: str) -> frozenset[str]:
    """The stop words of a file: one a line; lines that begin with # say something about them."""
    lines = map(str.strip, read_text(Path(path)).lower().splitlines())
    words = frozenset(line for line in lines if line and not line.startswith("#"))
    if not words:
        raise VictorError("no stop words in it: one a line is wanted", path)
    return words


_PIECE = 1000


def function_words(texts: Iterable[str], share: float = 0.4) -> list[str]:
    """The most frequent words that make up this share of a text, most frequent first.

    Only such as stand in at least half of its pieces: what a text is about is frequent in parts of it.
    """
    pieces = [*map(Counter, _pieces(texts))]
    counts = sum(pieces, Counter[str]())
    spread = Counter(word for piece in pieces for word in piece)
    words = list[str]()
    wanted = share * counts.total()
    for word, count in counts.most_common():
        if wanted <= 0:
            break
        if 2 * spread[word] >= len(pieces) and any(map(str.isalpha, word)):
            words.append(word)
            wanted -= count
    return words


def _pieces(texts: Iterable[str]) -> list[Sequence[str]]:
    words = [word for text in texts for word in RUNNING_WORD.findall(text.lower())]
    return [words[begin : begin + _PIECE] for begin in range(0, len(words), _PIECE)]
