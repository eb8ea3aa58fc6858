"""What sets tell of fields, block by block: which are comments, and which show the title, an author or the date."""

import re
from collections.abc import Mapping, Sequence

from victorpy import _core
from victorpy.page.blocks import Label, Page

# For each field that is known, whether each block is one; None where that is not known.
Fields = dict[Label, Sequence[bool | None]]

# A longer block is not the name or the date itself.
_ROOM_FOR_NAME, _LONGEST_DATE = 40, 60
# A shorter title may stand in any text.
_SHORTEST_TITLE = 10
_NAMES = re.compile(r"\s*(?:,|;|&|\||/|\band\b)\s*")


def comment_marks(without: Sequence[Label | None], commented: Sequence[Label | None]) -> Fields:
    """By the labels of a page without its comments, and with them."""
    pairs = zip(without, commented, strict=True)
    return {Label.COMMENT: [_is_comment(before, label) for before, label in pairs]}


def _is_comment(before: Label | None, label: Label | None) -> bool | None:
    if before is None or label is None:
        return None
    return label.is_content and not before.is_content


def content_is_no_comment(labels: Sequence[Label | None]) -> Fields:
    """Of an article whose comments nobody has marked."""
    return {Label.COMMENT: [False if label and label.is_content else None for label in labels]}


def metadata_marks(page: Page, facts: Mapping[str, str | None]) -> Fields:
    """By the title, the author and the date that people have noted; None stands for no author or no date."""
    texts = [_folded(text) for text in page.texts]
    title, author, date = facts["title"], facts["author"], facts["date"]
    names = [name for name in map(_folded, _NAMES.split(author or "")) if name]
    marks: Fields = {
        Label.DATE: [_is_date(text, date) for text in page.texts],
        Label.AUTHOR: [_is_author(text, names) for text in texts],
    }
    folded = _folded(title or "")
    return {Label.TITLE: [_is_title(text, folded) for text in texts], **marks} if folded else marks


def _folded(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _is_title(text: str, title: str) -> bool | None:
    if text == title:
        return True
    return None if len(title) >= _SHORTEST_TITLE and title in text else False


def _is_author(text: str, names: Sequence[str]) -> bool | None:
    found = [name for name in names if name in text]
    if not found:
        return False
    return True if len(text) <= sum(map(len, found)) + _ROOM_FOR_NAME else None


def _is_date(text: str, date: str | None) -> bool | None:
    if not date or not any(map(str.isdigit, text)):
        return False
    found = _core.date_of(text)
    if not found or found[:10] != date[:10]:
        return False
    return True if len(text) <= _LONGEST_DATE else None
