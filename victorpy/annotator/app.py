"""The desk in a terminal: the only place that knows prompt_toolkit."""

import asyncio
from collections.abc import Callable

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Point
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseButton, MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from victorpy.annotator.block_lines import Line
from victorpy.annotator.colours import STYLES, colours_of_terminal
from victorpy.annotator.controller import Desk
from victorpy.annotator.keys import KNOWN_KEYS
from victorpy.annotator.screen import screen

# How long after Escape a terminal may take to send the rest of a key.
_ESCAPE_SECONDS = 0.05
_SECONDS_BETWEEN_TICKS = 0.25

_NAMES = {"page-up": "pageup", "page-down": "pagedown", "space": " "}


def run(desk: Desk, input: Input | None = None, output: Output | None = None) -> None:
    """Until the person leaves, or whatever else ends it."""
    try:
        application(desk, input, output).run(handle_sigint=False)
    finally:
        desk.end()


def application(desk: Desk, input: Input | None = None, output: Output | None = None) -> Application[None]:
    program = Application[None](
        layout=Layout(Window(Display(desk), always_hide_cursor=True)),
        key_bindings=_bindings(desk),
        style=Style.from_dict(STYLES),
        color_depth=_depth(colours_of_terminal()),
        full_screen=True,
        mouse_support=True,
        input=input,
        output=output,
        after_render=_ticking(desk),
    )
    program.ttimeoutlen = _ESCAPE_SECONDS
    return program


def _depth(colours: int) -> ColorDepth:
    if colours < 8:
        return ColorDepth.DEPTH_1_BIT
    return ColorDepth.DEPTH_8_BIT if colours >= 256 else ColorDepth.DEPTH_4_BIT


def _ticking(desk: Desk) -> Callable[[Application[None]], None]:
    """Begins with the first screen, and ends with the program."""
    tasks: list[asyncio.Task[None]] = []

    def begin(program: Application[None]) -> None:
        if not tasks:
            tasks.append(program.create_background_task(_tick(desk, program)))

    return begin


async def _tick(desk: Desk, program: Application[None]) -> None:
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_TICKS)
        if desk.tick():
            program.invalidate()


def _bindings(desk: Desk) -> KeyBindings:
    bindings = KeyBindings()

    def after(action: Callable[[], None], event: KeyPressEvent) -> None:
        # A key that was typed ahead is not the next page's, nor anybody's, once the person has left.
        if not desk.is_over:
            action()
        if desk.is_over and not event.app.is_done:
            event.app.exit()

    for key in sorted(KNOWN_KEYS):
        bindings.add(_name(key))(lambda event, key=key: after(lambda: desk.press(key), event))
    bindings.add(Keys.Any)(lambda event: after(lambda: _pressed(desk, event.data), event))
    bindings.add(Keys.BracketedPaste)(lambda event: after(lambda: desk.paste(event.data), event))
    return bindings


def _pressed(desk: Desk, data: str) -> None:
    if len(data) == 1 and data.isprintable():
        desk.press(data)


def _name(key: str) -> str:
    """What prompt_toolkit calls it."""
    prefix = "c-" if key.startswith("ctrl-") else "s-" if key.startswith("shift-") else ""
    name = key.removeprefix("ctrl-").removeprefix("shift-")
    return prefix + _NAMES.get(name, name)


class Display(UIControl):
    """All of the window, a line at a time, as the desk makes it."""

    def __init__(self, desk: Desk):
        self.desk = desk

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        lines = screen(self.desk, width, height)
        return UIContent(lambda number: _fragments(lines[number]), len(lines), Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        kind, line = mouse_event.event_type, mouse_event.position.y
        if kind is MouseEventType.SCROLL_DOWN:
            self.desk.wheel(1)
        elif kind is MouseEventType.SCROLL_UP:
            self.desk.wheel(-1)
        elif kind is MouseEventType.MOUSE_DOWN:
            self.desk.click(line)
        elif kind is MouseEventType.MOUSE_MOVE and mouse_event.button is MouseButton.LEFT:
            self.desk.click(line, is_dragged=True)


def _fragments(line: Line) -> StyleAndTextTuples:
    return list(line)
