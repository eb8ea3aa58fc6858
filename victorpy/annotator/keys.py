"""One table of keys for bindings, key bar and help; a YAML file may change it."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from victorpy.errors import suggestion
from victorpy.foundation import yaml_options
from victorpy.foundation.files import read_text


class Action(NamedTuple):
    """`short` is the name on the key bar; actions without it appear in the help only."""

    name: str
    keys: tuple[str, ...]
    help: str
    short: str = ""


Keys = Mapping[str, tuple[str, ...]]

ACTIONS: Mapping[str, tuple[Action, ...]] = {
    "Label the block, or the marked range, and move on": (
        Action("label-p", ("p",), "paragraph, or its beginning", "para"),
        Action("label-h", ("h",), "header", "head"),
        Action("label-l", ("l",), "list item", "list"),
        Action("label-c", ("c",), "continuation of the content block before it", "cont"),
        Action("label-o", ("o",), "other: noise", "other"),
        Action("label-title", ("T",), "title of a post, if the config has this label", "title"),
        Action("label-date", ("W",), "date of a post (when), if the config has it", "date"),
        Action("label-author", ("B",), "author of a post (by), if the config has it", "author"),
        Action("label-comment", ("M",), "comment on a post, if the config has it", "comment"),
        Action("unlabel", ("x", "backspace", "delete"), "remove the label"),
        Action("undo", ("u", "ctrl-z"), "undo", "undo"),
        Action("redo", ("U", "ctrl-r", "ctrl-y"), "redo"),
        Action(
            "label-alike",
            ("=",),
            "give this block's label to all unlabeled blocks with the same tags and classes, on all pages of the site",
        ),
        Action("flag", ("f",), "flag the block, or remove its flag"),
        Action("note", ("i",), "write a note on the block, which flags it"),
        Action("next-flag", ("F",), "to the next flagged block"),
    ),
    "Suggestions": (
        Action("accept", ("a",), "accept the suggestion for the block or the marked range", "accept"),
        Action("accept-screen", ("A",), "accept all suggestions on the screen, and move on after it", "screen"),
        Action("next-open", ("tab",), "to the next block without a label (in a review: undecided)", "next"),
        Action("previous-open", ("shift-tab",), "the same, backwards"),
        Action("next-doubtful", ("d",), "down to the next suggestion below 70%", "doubt"),
        Action("previous-doubtful", ("D",), "the same, upwards"),
        Action("order", ("O",), "switch between page order and least certain first"),
        Action("retrain", ("t",), "adapt the model to all labeled pages in the background, and update the suggestions"),
        Action("take-one", ("1",), "in a review: take the first annotator's label", "first"),
        Action("take-two", ("2",), "in a review: take the second annotator's label", "second"),
    ),
    "Move": (
        Action("down", ("down", "j"), "down"),
        Action("up", ("up", "k"), "up"),
        Action("page-down", ("page-down", "ctrl-f"), "a screen down"),
        Action("page-up", ("page-up", "ctrl-b"), "a screen up"),
        Action("first", ("home",), "to the first block"),
        Action("last", ("end", "G"), "to the last block"),
        Action("next-kind", ("}",), "to the next block with another label, given or suggested"),
        Action("previous-kind", ("{",), "the same, backwards"),
        Action("go", ("g",), "to a block by its number", "go"),
        Action("search", ("/",), "search", "search"),
        Action("search-next", ("n",), "next match"),
        Action("search-previous", ("N",), "previous match"),
    ),
    "Mark": (
        Action("mark", ("space", "v"), "start a range here, or cancel it", "mark"),
        Action("mark-down", ("shift-down", "J"), "extend the range down"),
        Action("mark-up", ("shift-up", "K"), "extend the range up"),
        Action("back", ("escape",), "cancel the range, or leave help, list or search"),
    ),
    "Look": (
        Action("html", ("e",), "the block's HTML", "html"),
        Action("browser", ("b",), "open a copy in a browser, without scripts and network", "browser"),
        Action("wrap", ("w",), "show full texts, or one line each"),
        Action("help", ("?", "f1"), "show all keys", "help"),
    ),
    "Pages": (
        Action("save", ("s", "ctrl-s"), "save now (each change is already safe on disk)", "save"),
        Action("next-page", ("]",), "next page"),
        Action("previous-page", ("[",), "previous page"),
        Action("pages", ("P",), "list of pages", "pages"),
        Action("choose", ("enter",), "down; in the list of pages, open the page"),
        Action("quit", ("q", "ctrl-c"), "quit", "quit"),
    ),
}

NAMES = {action.name: action for group in ACTIONS.values() for action in group}

_MOVES = ("up", "down", "left", "right", "home", "end", "page-up", "page-down", "tab")
_PLAIN = (*_MOVES, "space", "enter", "escape", "backspace", "delete", "insert")
# A terminal sends the same bytes for Ctrl-I and Tab, Ctrl-H and Backspace, and Ctrl-J, Ctrl-M and Enter.
_CONTROLS = [f"ctrl-{letter}" for letter in ascii_lowercase if letter not in "hijm"]
KNOWN_KEYS = frozenset([*_PLAIN, *_CONTROLS, *(f"shift-{name}" for name in _MOVES), *(f"f{n}" for n in range(1, 13))])

STANDARD: Keys = {name: action.keys for name, action in NAMES.items()}


def default_file() -> Path:
    """The file with the user's own keys."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return Path(home or Path.home() / ".config", "victorpy", "keys.yaml")


def load(file: Path) -> Keys:
    return loads(read_text(file), file)


def loads(text: str, place: str | Path = "") -> Keys:
    """The standard keys with those of a YAML file: `action: key`, or `action: [key, key]`.

    A key that the file gives to one action is taken from all others.
    """
    given: dict[str, tuple[str, ...]] = {}
    actions: dict[str, str] = {}
    for name, (name_node, node) in yaml_options.entries(yaml_options.node(text, place)).items():
        if name not in NAMES:
            yaml_options.refuse(
                name_node, name, f"no such action{suggestion(name, NAMES) or '; press ? for all actions'}"
            )
        given[name] = _keys(node, name)
        for key in given[name]:
            if actions.setdefault(key, name) != name:
                yaml_options.refuse(node, name, f"key '{key}' is also given to {actions[key]}")
    merged = {name: given[name] if name in given else _remaining(keys, actions) for name, keys in STANDARD.items()}
    if not merged["quit"]:
        yaml_options.refuse(yaml_options.node(text, place), "quit", "needs at least one key")
    return merged


def _remaining(keys: tuple[str, ...], taken: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in taken)


def _keys(node: yaml_options.Node, name: str) -> tuple[str, ...]:
    is_list = isinstance(node.value, list)
    keys = yaml_options.read(tuple[str, ...], node) if is_list else (yaml_options.text(str, node, name),)
    for key in keys:
        if key not in KNOWN_KEYS and not (len(key) == 1 and key.isprintable() and not key.isspace()):
            yaml_options.refuse(node, name, f"no such key: '{key}'{suggestion(key, KNOWN_KEYS)}")
    return keys


def shown(key: str) -> str:
    """The name of a key as on keyboards."""
    if len(key) == 1:
        return key
    name = key.removeprefix("shift-")
    return ("Shift-" if name != key else "") + (_SIGNS.get(name) or name.title())


_SIGNS = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "page-up": "PgUp",
    "page-down": "PgDn",
    "escape": "Esc",
    "backspace": "Bksp",
    "delete": "Del",
}


def bar(keys: Keys, disabled: Collection[str] = ()) -> list[tuple[str, str]]:
    """For the key bar: each key with its action, the most important first, without disabled actions."""
    short = sorted((action for action in NAMES.values() if action.short), key=lambda action: action.name not in _FIRST)
    useful = (action for action in short if keys[action.name] and action.name not in disabled)
    return [(shown(keys[action.name][0]), action.short) for action in useful]


# These fit in any window: help lists the rest. The two sides appear in a review only.
_FIRST = {"take-one", "take-two", "help", "quit"}


def help_lines(keys: Keys) -> list[tuple[str, str]]:
    """For the help: keys with their actions; headings have no keys."""
    lines: list[tuple[str, str]] = []
    for heading, group in ACTIONS.items():
        lines += [("", heading), *((" ".join(map(shown, keys[action.name])), action.help) for action in group)]
    return [*lines, *_MOUSE]


_MOUSE = (
    ("", "Mouse"),
    ("click", "selects a block"),
    ("drag", "marks a range"),
    ("wheel", "scrolls"),
)
