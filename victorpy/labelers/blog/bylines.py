"""The dates of posts, as a page shows them."""

import re
from collections.abc import Iterable

from victorpy.labelers.blog.marks import Marks
from victorpy.page.dates import date_in

_YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")


def shown_date(marks: Marks, element: int) -> tuple[str, str]:
    """The date as shown, and its `datetime` attribute. A short text in an unknown format counts if it has a year."""
    inside = marks.inside(element)
    datetimes = marks.page.attributes["datetime"]
    datetime = next(filter(None, (datetimes[inner] for inner in inside if datetimes)), "")
    text = marks.text(element)
    times = [inner for inner in inside if marks.page.elements.tags[inner] == "time"]
    shown = date_in(text) or (marks.text(times[0]) if times else text)
    is_date = date_in(text) or datetime or _YEAR.search(shown)
    return (shown, datetime) if is_date and len(shown) <= marks.rules.longest_byline else ("", datetime)


def written_date(marks: Marks, blocks: Iterable[int]) -> str:
    """The first date in a short block that is neither noise nor part of a body."""
    for block in blocks:
        is_text = marks.blocks_of_noise[block] or marks.blocks_of_bodies[block]
        if not is_text and marks.page.lengths[block] <= marks.rules.longest_byline:
            date = date_in(marks.page.texts[block])
            if date:
                return date
    return ""
