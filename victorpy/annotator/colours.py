"""Colours: the terminal's own sixteen, so that they suit its background; none of them tells what a letter does not."""

import curses
import os

# Read by the widgets, by the names that fragments carry.
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
    """How many colours there may be: none if NO_COLOR is set, else what the terminal's description says."""
    if os.environ.get("NO_COLOR"):
        return 0
    try:
        curses.setupterm(fd=1)
    except curses.error:  # a terminal that nobody has described
        return 16
    return max(0, curses.tigetnum("colors"))
