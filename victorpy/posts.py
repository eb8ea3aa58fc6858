"""The posts of a blog: a second view of a page, beside the labels of its blocks."""

from typing import NamedTuple


class Post(NamedTuple):
    """One post, its fields as the page shows them, empty where it has none; `blocks` are those of its body.

    `datetime` is the date for programs, where the page gives one.
    """

    title: str
    date: str
    datetime: str
    author: str
    blocks: tuple[int, ...]
