"""What counts as a word of a text, and which scripts and languages put no spaces between words.

The patterns differ because each belongs to a published measure, to a file format, or to figures in our documentation.
"""

import re

# Thai, Lao, Burmese, Khmer, kana and Chinese characters: without spaces between words, each character counts as one.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_TIBETAN = "\u0f00-\u0fff"
_SMALL_KANA = "\u31f0-\u31ff"

# The languages of these scripts, by the codes of their lists of stop words.
UNSPACED_LANGUAGES = frozenset(["bo", "dz", "ja", "km", "lo", "my", "th", "wuu", "yue", "zh"])

# A character of these languages says about as much as two letters of an alphabet.
WIDE_LANGUAGES = frozenset(["ja", "ko", "wuu", "yue", "zh"])

# The measure of large modern benchmarks counts these.
SCORED_WORD = re.compile(r"\w+")

# Blocks are found in gold texts by these.
GOLD_WORD = re.compile(rf"(?=[{_UNSPACED}{_SMALL_KANA}])\w|[^\W{_UNSPACED}{_SMALL_KANA}]+")

# Signatures of near duplicates are made of these.
SIGNATURE_WORD = re.compile(rf"[{_UNSPACED}{_TIBETAN}]|[^\W_{_UNSPACED}{_TIBETAN}]+")

# Stop words are looked up by these: runs of anything but white space and punctuation. \w leaves out Indic vowel signs.
RUNNING_WORD = re.compile(r"[^\s.,;:!?\"“”„‟«»‹›()\[\]{}<>…·•|/\\،؛؟।۔—–]+")

# Language models and tokens of verticals have ranges of their own, which are part of the model format.
# Python's \w has no combining marks, which are parts of words. The Indic blocks hold hardly anything else.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
_MARKS += "\u0900-\u0963\u0966-\u0dff\u200c\u200d"
_SINGLES = "\u0e01-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3\u2e80-\u2fdf\u3005-\u3007\u3031-\u31ff"
_SINGLES += "\u3400-\u9fff\uf900-\ufaff"
WORD_CHARACTERS = rf"(?:(?![{_SINGLES}])[^\W_]|[{_MARKS}])+"
SINGLE_CHARACTERS = rf"[{_SINGLES}\n]+"
TOKEN = re.compile(rf"(?:(?![{_SINGLES}\U00010000-\U0010ffff])[^\W_]|[{_MARKS}])+|\S")
