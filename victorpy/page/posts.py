"""The posts of a blog, which the labels of fields describe."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from victorpy.page.blocks import FIELDS, Label, Page
from victorpy.page.dates import date_in
from victorpy.page.passages import joined


class Post(NamedTuple):
    """One post. Its fields are as the page shows them, or empty.

    `blocks` are the blocks of its body, `comments` those of its comments. `datetime` is the machine-readable date, if
    the page has one.
    """

    title: str
    date: str
    datetime: str
    author: str
    blocks: tuple[int, ...]
    comments: tuple[int, ...] = ()


def labeled_posts(page: Page, labels: Sequence[Label]) -> list[Post]:
    """The posts of a labeled page: each begins at a title or, without titles, at a date."""
    fields = _Fields(page, _continued(labels))
    starts = fields.starts[Label.TITLE] or fields.dated_starts
    posts = [fields.post(start, end) for start, end in zip(starts, [*starts[1:], len(page)], strict=True)]
    return [post for post in posts if post.blocks]


def _continued(labels: Sequence[Label]) -> list[Label]:
    """The labels, with the continuations of a field labeled as that field."""
    last, whole = Label.PARAGRAPH, list[Label]()
    for label in labels:
        is_more = label is Label.CONTINUATION and last in FIELDS
        whole.append(last if is_more else label)
        last = whole[-1] if label.is_content else last
    return whole


class _Fields:
    """The blocks of a page by field."""

    def __init__(self, page: Page, labels: Sequence[Label]):
        self.page, self.labels = page, labels
        self.starts = {field: _starts(labels, field) for field in FIELDS}
        titles = self.starts[Label.TITLE]
        # If a field precedes the first title, such as a date, assume that it precedes every title.
        self.lead = {field for field, found in self.starts.items() if found and titles and found[0] < titles[0]}

    @property
    def dated_starts(self) -> list[int]:
        """Where posts without titles begin: at their dates or, if dates are below posts, after the previous date."""
        dates = self.starts[Label.DATE] or [0]
        is_below = any(label.is_content for label in self.labels[: dates[0]])
        return [0, *(date + 1 for date in dates[:-1])] if is_below else dates

    def post(self, start: int, end: int) -> Post:
        numbers = range(start, end)
        body = (number for number in numbers if self.labels[number].is_content and self.labels[number] not in FIELDS)
        comments = (number for number in numbers if self.labels[number] is Label.COMMENT)
        title = self._text(start) if end > start and self.labels[start] is Label.TITLE else ""
        date = self._beside(Label.DATE, start, end)
        return Post(title, date_in(date) or date, "", self._beside(Label.AUTHOR, start, end), (*body,), (*comments,))

    def _beside(self, field: Label, start: int, end: int) -> str:
        """The text of a field: the last one before the post, or the first one in it."""
        found = self.starts[field]
        if field in self.lead:
            return self._text(found[bisect_left(found, start) - 1])
        first = bisect_left(found, start)
        return self._text(found[first]) if first < len(found) and found[first] < end else ""

    def _text(self, start: int) -> str:
        """The text of a field: its blocks from `start` on that follow each other."""
        end = start
        while end < len(self.labels) and self.labels[end] is self.labels[start]:
            end += 1
        return joined(self.page, range(start, end))


def _starts(labels: Sequence[Label], field: Label) -> list[int]:
    """Where a field begins; adjacent blocks of the field count as one."""
    pairs = enumerate(zip((None, *labels), labels, strict=False))
    return [number for number, (before, label) in pairs if label is field and before is not field]
