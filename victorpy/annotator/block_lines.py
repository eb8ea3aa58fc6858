"""The lines of blocks in the list: number, label and text."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from victorpy.annotator.session import Session
from victorpy.annotator.widths import cut, filled, visible, wrapped
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.elements import Ints, containers, tag_events
from victorpy.page.passages import gaps_before

# One or more style classes, and a text.
Fragment = tuple[str, str]
ScreenLine = list[Fragment]

_DEEPEST_INDENTATION = 8
_MOST_LINES_OF_A_BLOCK = 12
# How many lines around the cursor stay visible.
MARGIN = 2


# For the help: each sign with its meaning; a heading has no sign.
LEGEND = (
    ("", "On the screen"),
    (">", "the block under the cursor; its text is below the list"),
    ("|", "the marked range"),
    ("34!", "a flagged block; its note is below the list, before its text"),
    ("p h l c o", "labels given by an annotator"),
    ("T W B M", "fields of posts: title, date (when), author (by), comment"),
    ("p?94%", "the label that the model suggests, with its probability; it does not count until you accept it"),
    ("·", "no label"),
    ("p|o ·", "in a review: the first annotator's label, the second's, and the decision"),
    ("# ##", "a heading, and its level"),
    ("•  │  ❝  $  ▢", "list item, table cell, quotation, preformatted text, form element"),
    ("~", "continues the line of the previous block"),
)


class ListLine(NamedTuple):
    """A line of the list, and its block."""

    block: int
    line: ScreenLine


class ListArea(NamedTuple):
    """The size of the list on the screen; wrapped texts take several lines."""

    width: int
    height: int
    is_wrapped: bool = False


def rows(session: Session, top: int, area: ListArea) -> list[ListLine]:
    """The visible lines, from block `top` on."""
    return [row for _, row in zip(range(area.height), _rows(session, top, area), strict=False)]


def _rows(session: Session, top: int, area: ListArea) -> Iterator[ListLine]:
    for block in range(top, len(session)):
        for line in lines_of(session, block, area):
            yield ListLine(block, line)


def last_whole(session: Session, top: int, area: ListArea) -> int:
    """The last block that is fully visible."""
    found = rows(session, top, area)
    if not found:
        return top
    last = found[-1].block
    is_cut = sum(row.block == last for row in found) < _height(session, last, area)
    return max(top, last - 1) if is_cut else last


def top_for(session: Session, top: int, area: ListArea) -> int:
    """The first visible block that keeps the cursor and some lines around it visible."""
    margin = min(MARGIN, (area.height - 1) // 2)
    highest, lowest = session.cursor - area.height + 1, max(0, session.cursor - margin)
    if not highest <= top <= lowest:
        is_far = abs(session.cursor - top) > 2 * area.height
        top = session.cursor - area.height // 2 if is_far else min(top, lowest)
    top = max(0, highest, min(top, _last_top(session, area)))
    below = min(session.cursor + margin, len(session) - 1)
    while top < session.cursor and not _fits(session, top, below, area):
        top += 1
    return top


def _last_top(session: Session, area: ListArea) -> int:
    """The last block at the top that still fills the window."""
    top, room = len(session), area.height
    while top > 0 and (room := room - _height(session, top - 1, area)) >= 0:
        top -= 1
    return top


def _fits(session: Session, top: int, last: int, area: ListArea) -> bool:
    return sum(_height(session, block, area) for block in range(top, last + 1)) <= area.height


def _height(session: Session, block: int, area: ListArea) -> int:
    return len(lines_of(session, block, area)) if area.is_wrapped else 1


def lines_of(session: Session, block: int, area: ListArea) -> list[ScreenLine]:
    """All lines of a block; the first has its number and label."""
    look = look_of(session.page, block)
    head = _head(session, block)
    room = max(1, area.width - sum(len(text) for _, text in head) - len(look.lead))
    text = visible(session.page.texts[block])
    texts = wrapped(text, room, _MOST_LINES_OF_A_BLOCK) if area.is_wrapped else [cut(text, room)]
    style = f"{look.style} {_text_style(session, block)}".strip()
    gap = sum(len(text) for _, text in head) - 1
    place = _place_style(session, block)
    lines = [[*(head if number == 0 else [head[0], ("", " " * gap)])] for number in range(len(texts))]
    leads = [look.lead, *[" " * len(look.lead)] * (len(texts) - 1)]
    return [
        _placed([*begin, ("class:lead", lead), (style, filled(text, room))], place)
        for begin, lead, text in zip(lines, leads, texts, strict=True)
    ]


def _placed(line: ScreenLine, place: str) -> ScreenLine:
    return [(f"{style} {place}", text) for style, text in line] if place else line


def _place_style(session: Session, block: int) -> str:
    first, last = session.marked
    if block == session.cursor:
        return "class:cursor"
    return "class:marked" if session.anchor is not None and first <= block <= last else ""


def _text_style(session: Session, block: int) -> str:
    label = session.labels[block]
    if label is None and session.suggestions and not session.suggestions[block].label.is_content:
        return "class:noise"
    return "class:noise" if label and not label.is_content else ""


def _head(session: Session, block: int) -> ScreenLine:
    """The sign of cursor or range, the number, and the label; a suggested label has a question mark."""
    first, last = session.marked
    is_marked = session.anchor is not None and first <= block <= last
    sign = ">" if block == session.cursor else "|" if is_marked else " "
    number = f"{block:>{len(str(len(session) - 1))}}{'!' if block in session.flags else ' '}"
    return [("class:sign", sign), ("class:number", number), *_label(session, block), ("", " ")]


def _label(session: Session, block: int) -> ScreenLine:
    label = session.labels[block]
    if session.sides is not None:
        return _sides(session, block)
    if label is not None:
        return [(_style(label), f"{letter(label)}    " if session.suggestions else letter(label))]
    if not session.suggestions:
        return [("class:open", "·")]
    suggested, probability = session.suggestions[block]
    return [(f"{_style(suggested)} class:suggested", f"{letter(suggested)}?{min(99, int(100 * probability)):>2}%")]


def _sides(session: Session, block: int) -> ScreenLine:
    """The labels of both annotators, and the decision."""
    one, two = (side[block] for side in session.sides or ())
    style = "class:agreed" if one == two else "class:disputed"
    return [(style, f"{letter(one)}|{letter(two)} "), (_style(session.labels[block]), letter(session.labels[block]))]


def letter(label: Label | None) -> str:
    return "·" if label is None else _LETTERS.get(label, label.value)


_LETTERS = {Label.OTHER: "o", Label.TITLE: "T", Label.DATE: "W", Label.AUTHOR: "B", Label.COMMENT: "M"}


def _style(label: Label | None) -> str:
    return "class:open" if label is None else f"class:label-{letter(label.base)}"


# How the page formats it


class BlockLook(NamedTuple):
    """The indentation and sign before the text, and the style of the text."""

    lead: str
    style: str


@once_per_page
def look_of(page: Page, block: int) -> BlockLook:
    tags = containers(page.elements, int(page.element[block]))
    indentation = " " * min(_DEEPEST_INDENTATION, int(indents(page)[block]))
    return BlockLook(indentation + _sign(page, block, tags), _tag_style(page, tags))


def _sign(page: Page, block: int, tags: tuple[str, ...]) -> str:
    """The sign of the innermost heading, list item, table cell or quotation; `~` where the line continues."""
    if _continues_line(page)[block] and gaps_before(page)[block] != "\n":
        return "~ "
    for tag in reversed(tags):
        if tag in page.markup.class_header:
            return f"{'#' * int(tag[1]) if tag[1:].isdecimal() else '#'} "
        if tag in _SIGNS:
            return _SIGNS[tag]
    return ""


_SIGNS = {
    **dict.fromkeys(["li", "dt", "menu", "dir"], "• "),
    "dd": "  ",
    **dict.fromkeys(["td", "th", "caption"], "│ "),
    "blockquote": "❝ ",
    "pre": "$ ",
    **dict.fromkeys(["button", "select", "option", "label", "legend", "textarea"], "▢ "),
}


@once_per_page
def _continues_line(page: Page) -> list[bool]:
    """Whether a block continues the line of the previous block, with only inline tags between them."""
    events = tag_events(page.elements)
    parts = page.markup.members({*page.markup.class_block, "br"})[page.elements.codes[np.abs(events) - 1]]
    passed = np.concatenate(([0], np.cumsum(parts)))
    begins, ends = passed[page.runs.place[page.first_runs]], passed[page.runs.place[page.last_runs]]
    return [False, *(begins[1:] == ends[:-1]).tolist()]


def _tag_style(page: Page, tags: tuple[str, ...]) -> str:
    classes = {
        "header": page.markup.class_header,
        "link": ("a",),
        "bold": (*page.markup.class_bold, "th"),
        "italic": page.markup.class_italic,
    }
    return " ".join(f"class:{name}" for name, members in classes.items() if not set(tags).isdisjoint(members))


@once_per_page
def indents(page: Page) -> Ints:
    """The depth of each block in block-level elements, relative to the outermost block."""
    if not len(page):
        return np.zeros(0, np.int32)
    depths = _levels(page)[page.element]
    found: Ints = depths - depths.min()
    return found


def _levels(page: Page) -> Ints:
    """The number of block-level elements around each element, itself included."""
    is_block = page.markup.tables["class-block"][page.elements.codes].tolist()
    levels = [0]
    for number, parent in enumerate(page.elements.parents.tolist()[1:], start=1):
        levels.append(levels[parent] + is_block[number])
    return np.array(levels, np.int32)
