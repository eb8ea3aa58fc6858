"""What a desk looks like in a window of some size: all lines of it, made anew for every key."""

from victorpy.annotator import surroundings
from victorpy.annotator.block_lines import Line, rows
from victorpy.annotator.block_source import source_of
from victorpy.annotator.controller import Desk


def screen(desk: Desk, width: int, height: int) -> list[Line]:
    if width < surroundings.LEAST_WIDTH or height < surroundings.LEAST_HEIGHT:
        return surroundings.too_small(width, height)
    desk.resize(width, height)
    if desk.mode == "pages":
        return surroundings.pages_screen(desk.entries, desk.chosen, width, height)
    if desk.mode in ("help", "html"):
        return _text(desk, width, height)
    return _blocks(desk, width, height)


def _text(desk: Desk, width: int, height: int) -> list[Line]:
    if desk.mode == "help":
        heading, lines = "Keys", surroundings.help_lines_of(desk.settings.keys, width)
    else:
        block = desk.session.cursor
        source = source_of(desk.session.page, desk.sheet.html, block)
        heading, lines = f"HTML of block {block}", surroundings.text_lines(source, width)
    desk.scroll = max(0, min(desk.scroll, len(lines) - (height - 2)))
    return [
        *surroundings.box(heading, lines, desk.scroll, width, height),
        surroundings.foot(surroundings.SCROLLING, width),
    ]


def _blocks(desk: Desk, width: int, height: int) -> list[Line]:
    session, area, last = desk.session, desk.area, _last_lines(desk, width)
    shown = [row.line for row in rows(session, desk.top, area)]
    blank: Line = [("", " " * width)]
    place = f"{desk.number + 1}/{len(desk.entries)}" if len(desk.entries) > 1 else ""
    lines = [
        surroundings.title_line(session, place, width),
        *shown,
        *[blank] * (area.height - len(shown)),
        surroundings.path_line(session, width),
        *surroundings.detail_lines(session, width, surroundings.detail_height(height)),
        surroundings.progress_line(session, desk.news, width),
    ]
    return [*lines[: height - len(last)], *last]


def _last_lines(desk: Desk, width: int) -> list[Line]:
    """A question, trouble, a message; or else the keys."""
    message = desk.session.message
    if desk.mode == "leave":
        asked = surroundings.message_lines("leave all the same? y/n", width, "class:question")
        return [*surroundings.message_lines(message, width, "class:trouble"), *asked]
    if desk.mode in ("search", "go"):
        question = "search: " if desk.mode == "search" else "go to block: "
        return surroundings.message_lines(f"{question}{desk.typed}▏  {message}", width, "class:question")
    if desk.sheet.trouble:
        return surroundings.message_lines(f"NOT SAVED: {desk.sheet.trouble}", width, "class:trouble")
    if message:
        return surroundings.message_lines(message, width)
    return [surroundings.key_line(desk.settings.keys, _useless(desk), width)]


def _useless(desk: Desk) -> set[str]:
    """The actions that could do nothing here."""
    return {
        *desk.without_use,
        *(() if desk.session.suggestions else ("accept", "accept-screen", "next-doubtful")),
        *(() if desk.session.sides else ("take-one", "take-two")),
        *(() if len(desk.entries) > 1 else ("pages",)),
    }
