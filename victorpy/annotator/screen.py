"""All lines of the screen for the current view, made anew for each key."""

from victorpy.annotator import screen_parts
from victorpy.annotator.block_lines import ScreenLine, rows
from victorpy.annotator.block_source import source_of
from victorpy.annotator.controller import Controller

_QUESTIONS = {"search": "search: ", "go": "go to block: ", "note": "note: "}


def screen(controller: Controller, width: int, height: int) -> list[ScreenLine]:
    if width < screen_parts.LEAST_WIDTH or height < screen_parts.LEAST_HEIGHT:
        return screen_parts.too_small(width, height)
    controller.resize(width, height)
    if controller.mode == "pages":
        return screen_parts.pages_screen(controller.queue, controller.chosen, width, height)
    if controller.mode in ("help", "html"):
        return _text(controller, width, height)
    return _blocks(controller, width, height)


def _text(controller: Controller, width: int, height: int) -> list[ScreenLine]:
    if controller.mode == "help":
        heading, lines = "Keys", screen_parts.help_lines_of(controller.settings.keys, width)
    else:
        block = controller.session.cursor
        source = source_of(controller.session.page, controller.page.html, block)
        heading, lines = f"HTML of block {block}", screen_parts.text_lines(source, width)
    controller.scroll = max(0, min(controller.scroll, len(lines) - (height - 2)))
    return [
        *screen_parts.box(heading, lines, controller.scroll, width, height),
        screen_parts.foot(screen_parts.SCROLLING, width),
    ]


def _blocks(controller: Controller, width: int, height: int) -> list[ScreenLine]:
    session, area, last = controller.session, controller.area, _last_lines(controller, width)
    shown = [row.line for row in rows(session, controller.top, area)]
    blank: ScreenLine = [("", " " * width)]
    place = f"{controller.number + 1}/{len(controller.queue)}" if len(controller.queue) > 1 else ""
    lines = [
        screen_parts.title_line(session, place, width),
        *shown,
        *[blank] * (area.height - len(shown)),
        screen_parts.path_line(session, width),
        *screen_parts.detail_lines(session, width, screen_parts.detail_height(height)),
        screen_parts.progress_line(session, controller.training_status, width),
    ]
    return [*lines[: height - len(last)], *last]


def _last_lines(controller: Controller, width: int) -> list[ScreenLine]:
    """A question, an error or a message; otherwise the keys."""
    message = controller.session.message
    if controller.mode == "leave":
        asked = screen_parts.message_lines("quit anyway? y/n", width, "class:question")
        return [*screen_parts.message_lines(message, width, "class:trouble"), *asked]
    if controller.mode in _QUESTIONS:
        return screen_parts.message_lines(
            f"{_QUESTIONS[controller.mode]}{controller.typed}▏  {message}", width, "class:question"
        )
    if controller.page.write_error:
        return screen_parts.message_lines(f"NOT SAVED: {controller.page.write_error}", width, "class:trouble")
    if message:
        return screen_parts.message_lines(message, width)
    return [screen_parts.key_line(controller.settings.keys, _disabled(controller), width)]


def _disabled(controller: Controller) -> set[str]:
    """The actions that do nothing here."""
    return {
        *controller.unavailable,
        *(() if controller.session.suggestions else ("accept", "accept-screen", "next-doubtful")),
        *(() if controller.session.sides else ("take-one", "take-two")),
        *(() if len(controller.queue) > 1 else ("pages",)),
    }
