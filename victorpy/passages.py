"""Labeled blocks → passages: a content block with its continuations joined is what gets printed."""

from collections.abc import Sequence
from typing import NamedTuple

from victorpy.blocks import Label, Page


class Passage(NamedTuple):
    """A paragraph, a header or a list item; `text` is one line, or the lines of preformatted text."""

    label: Label
    text: str
    blocks: tuple[int, ...]


def passages(page: Page, labels: Sequence[Label]) -> list[Passage]:
    """Joins continuations with the white space that the page had."""
    raise NotImplementedError
