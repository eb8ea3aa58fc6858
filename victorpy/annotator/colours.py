"""The terminal's own sixteen colours, which suit its background; letters carry the same information."""

import curses
import os

# Styles by the class names that fragments use.
STYLES = {
    "title": "reverse bold",
    "sign": "bold",
    "number": "ansibrightblack",
    "lead": "ansibrightblack",
    "label-p": "ansigreen bold",
    "label-h": "ansimagenta bold",
    "label-l": "ansicyan bold",
    "label-c": "ansiblue bold",
    "label-o": "ansired",
    "open": "",
    "suggested": "nobold italic",
    "agreed": "ansibrightblack",
    "disputed": "ansiyellow bold",
    "header": "bold",
    "bold": "bold",
    "italic": "italic",
    "link": "underline",
    "noise": "ansibrightblack",
    "marked": "reverse",
    "cursor": "bold reverse",
    "path": "ansibrightblack",
    "detail": "",
    "progress": "reverse",
    "key": "bold",
    "bar": "",
    "heading": "bold underline",
    "message": "ansiyellow bold",
    "question": "bold",
    "trouble": "ansired bold reverse",
    "state-done": "ansigreen",
    "state-started": "ansiyellow",
    "state-open": "",
}


def colours_of_terminal() -> int:
    """The number of colours: none if NO_COLOR is set, otherwise by the terminal's description."""
    if os.environ.get("NO_COLOR"):
        return 0
    try:
        curses.setupterm(fd=1)
    except curses.error:  # an unknown terminal
        return 16
    return max(0, curses.tigetnum("colors"))
