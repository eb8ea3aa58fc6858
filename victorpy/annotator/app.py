"""Run the controller in a terminal; only this module uses prompt_toolkit."""

import asyncio
import sys
from collections.abc import Callable
from contextlib import redirect_stdout

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

from victorpy.annotator.block_lines import ScreenLine
from victorpy.annotator.colours import STYLES, colours_of_terminal
from victorpy.annotator.controller import Controller
from victorpy.annotator.keys import KNOWN_KEYS
from victorpy.annotator.screen import screen
from victorpy.foundation.terminal import bare

# How long to wait after Escape for the rest of a key sequence.
_ESCAPE_SECONDS = 0.05
_SECONDS_BETWEEN_TICKS = 0.25

_NAMES = {"page-up": "pageup", "page-down": "pagedown", "space": " "}


def run(controller: Controller, input: Input | None = None, output: Output | None = None) -> None:
    """Run until the person quits or an error ends the program."""
    try:
        with redirect_stdout(bare(sys.stdout)):  # what is drawn has its own signs for control characters
            application(controller, input, output).run(handle_sigint=False)
    finally:
        controller.end()


def application(controller: Controller, input: Input | None = None, output: Output | None = None) -> Application[None]:
    program = Application[None](
        layout=Layout(Window(Display(controller), always_hide_cursor=True)),
        key_bindings=_bindings(controller),
        style=Style.from_dict(STYLES),
        color_depth=_depth(colours_of_terminal()),
        full_screen=True,
        mouse_support=True,
        input=input,
        output=output,
        after_render=_ticking(controller),
    )
    program.ttimeoutlen = _ESCAPE_SECONDS
    return program


def _depth(colours: int) -> ColorDepth:
    if colours < 8:
        return ColorDepth.DEPTH_1_BIT
    return ColorDepth.DEPTH_8_BIT if colours >= 256 else ColorDepth.DEPTH_4_BIT


def _ticking(controller: Controller) -> Callable[[Application[None]], None]:
    """Start the ticks with the first screen; they end with the program."""
    tasks: list[asyncio.Task[None]] = []

    def begin(program: Application[None]) -> None:
        if not tasks:
            tasks.append(program.create_background_task(_tick(controller, program)))

    return begin


async def _tick(controller: Controller, program: Application[None]) -> None:
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_TICKS)
        if controller.tick():
            program.invalidate()


def _bindings(controller: Controller) -> KeyBindings:
    bindings = KeyBindings()

    def after(action: Callable[[], None], event: KeyPressEvent) -> None:
        # Ignores keys that were typed ahead of quitting.
        if not controller.is_over:
            action()
        if controller.is_over and not event.app.is_done:
            event.app.exit()

    for key in sorted(KNOWN_KEYS):
        bindings.add(_name(key))(lambda event, key=key: after(lambda: controller.press(key), event))
    bindings.add(Keys.Any)(lambda event: after(lambda: _pressed(controller, event.data), event))
    bindings.add(Keys.BracketedPaste)(lambda event: after(lambda: controller.paste(event.data), event))
    return bindings


def _pressed(controller: Controller, data: str) -> None:
    if len(data) == 1 and data.isprintable():
        controller.press(data)


def _name(key: str) -> str:
    """The name of the key in prompt_toolkit."""
    prefix = "c-" if key.startswith("ctrl-") else "s-" if key.startswith("shift-") else ""
    name = key.removeprefix("ctrl-").removeprefix("shift-")
    return prefix + _NAMES.get(name, name)


class Display(UIControl):
    """The whole window, line by line."""

    def __init__(self, controller: Controller):
        self.controller = controller

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        lines = screen(self.controller, width, height)
        return UIContent(lambda number: _fragments(lines[number]), len(lines), Point(0, 0), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        kind, line = mouse_event.event_type, mouse_event.position.y
        if kind is MouseEventType.SCROLL_DOWN:
            self.controller.wheel(1)
        elif kind is MouseEventType.SCROLL_UP:
            self.controller.wheel(-1)
        elif kind is MouseEventType.MOUSE_DOWN:
            self.controller.click(line)
        elif kind is MouseEventType.MOUSE_MOVE and mouse_event.button is MouseButton.LEFT:
            self.controller.click(line, is_dragged=True)


def _fragments(line: ScreenLine) -> StyleAndTextTuples:
    return list(line)
