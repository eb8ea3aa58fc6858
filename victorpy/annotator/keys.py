"""The keys, in one table: bindings, the key bar and the help are all made from it, and a YAML file may change it."""

import os
from collections.abc import Collection, Mapping
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from victorpy.errors import suggestion
from victorpy.foundation import yaml_options
from victorpy.foundation.files import read_text


class Action(NamedTuple):
    """`short` is what the key bar says; actions without it stand in the help only."""

    name: str
    keys: tuple[str, ...]
    help: str
    short: str = ""


Keys = Mapping[str, tuple[str, ...]]

ACTIONS: Mapping[str, tuple[Action, ...]] = {
    "Label the block, or the marked range, and move on": (
        Action("label-p", ("p",), "a paragraph, or the beginning of one", "para"),
        Action("label-h", ("h",), "a header", "head"),
        Action("label-l", ("l",), "an item of a list", "list"),
        Action("label-c", ("c",), "goes on with the content block before it", "cont"),
        Action("label-o", ("o",), "other: noise", "other"),
        Action("label-title", ("T",), "the title of a post, if the config has this label", "title"),
        Action("label-date", ("W",), "the date of a post (when), likewise", "date"),
        Action("label-author", ("B",), "the author of a post (by whom), likewise", "author"),
        Action("label-comment", ("M",), "a comment on a post, likewise", "comment"),
        Action("unlabel", ("x", "backspace", "delete"), "no label"),
        Action("undo", ("u", "ctrl-z"), "undo", "undo"),
        Action("redo", ("U", "ctrl-r", "ctrl-y"), "redo"),
    ),
    "Suggestions": (
        Action("accept", ("a",), "accept what is suggested for the block, or for the marked range", "accept"),
        Action("accept-screen", ("A",), "accept all that is suggested on the screen, and go on behind it", "screen"),
        Action("next-open", ("tab",), "to the next block without a label; in a review to the next in dispute", "next"),
        Action("previous-open", ("shift-tab",), "the same, backwards"),
        Action("next-doubtful", ("d",), "down to the next block whose suggestion is below 70%", "doubt"),
        Action("previous-doubtful", ("D",), "the same, upwards"),
        Action("order", ("O",), "go through them in the page's order, or the least certain first"),
        Action("retrain", ("t",), "train on all labeled pages, in the background, and suggest anew"),
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
        Action("next-kind", ("}",), "to the next block of another label, confirmed or suggested"),
        Action("previous-kind", ("{",), "the same, backwards"),
        Action("go", ("g",), "to the block of a number", "go"),
        Action("search", ("/",), "search", "search"),
        Action("search-next", ("n",), "search on"),
        Action("search-previous", ("N",), "search backwards"),
    ),
    "Mark": (
        Action("mark", ("space", "v"), "begin a range here, or give it up", "mark"),
        Action("mark-down", ("shift-down", "J"), "stretch the range down"),
        Action("mark-up", ("shift-up", "K"), "stretch the range up"),
        Action("back", ("escape",), "give up the range, or leave help, list or search"),
    ),
    "Look": (
        Action("html", ("e",), "the block's HTML", "html"),
        Action("browser", ("b",), "open the page in a browser", "browser"),
        Action("wrap", ("w",), "show the texts whole, or a line each"),
        Action("help", ("?", "f1"), "all keys", "help"),
    ),
    "Pages": (
        Action("save", ("s", "ctrl-s"), "save (every change is safe on disk at once anyway)", "save"),
        Action("next-page", ("]",), "the next page"),
        Action("previous-page", ("[",), "the page before"),
        Action("pages", ("P",), "the list of pages", "pages"),
        Action("choose", ("enter",), "down; in the list of pages: open this one"),
        Action("quit", ("q", "ctrl-c"), "leave", "quit"),
    ),
}

NAMES = {action.name: action for group in ACTIONS.values() for action in group}

_MOVES = ("up", "down", "left", "right", "home", "end", "page-up", "page-down", "tab")
_PLAIN = (*_MOVES, "space", "enter", "escape", "backspace", "delete", "insert")
# A terminal sends the same for Ctrl-I and Tab, Ctrl-H and Backspace, Ctrl-J, Ctrl-M and Enter.
_CONTROLS = [f"ctrl-{letter}" for letter in ascii_lowercase if letter not in "hijm"]
KNOWN_KEYS = frozenset([*_PLAIN, *_CONTROLS, *(f"shift-{name}" for name in _MOVES), *(f"f{n}" for n in range(1, 13))])

STANDARD: Keys = {name: action.keys for name, action in NAMES.items()}


def default_file() -> Path:
    """Where a user's own keys are looked for."""
    home = os.environ.get("XDG_CONFIG_HOME")
    return Path(home or Path.home() / ".config", "victorpy", "keys.yaml")


def load(file: Path) -> Keys:
    return loads(read_text(file), file)


def loads(text: str, place: str | Path = "") -> Keys:
    """The standard keys with those of a YAML file: `action: key`, or `action: [key, key]`.

    A key that the file gives to an action no longer means what it did.
    """
    given: dict[str, tuple[str, ...]] = {}
    actions: dict[str, str] = {}
    for name, (name_node, node) in yaml_options.entries(yaml_options.node(text, place)).items():
        if name not in NAMES:
            yaml_options.refuse(
                name_node, name, f"no such action{suggestion(name, NAMES) or '; ? shows what there is'}"
            )
        given[name] = _keys(node, name)
        for key in given[name]:
            if actions.setdefault(key, name) != name:
                yaml_options.refuse(node, name, f"key '{key}' is given to {actions[key]} too")
    merged = {name: given[name] if name in given else _left(keys, actions) for name, keys in STANDARD.items()}
    if not merged["quit"]:
        yaml_options.refuse(yaml_options.node(text, place), "quit", "no key is left to leave with")
    return merged


def _left(keys: tuple[str, ...], taken: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in taken)


def _keys(node: yaml_options.Node, name: str) -> tuple[str, ...]:
    is_list = isinstance(node.value, list)
    keys = yaml_options.read(tuple[str, ...], node) if is_list else (yaml_options.text(str, node, name),)
    for key in keys:
        if key not in KNOWN_KEYS and not (len(key) == 1 and key.isprintable() and not key.isspace()):
            yaml_options.refuse(node, name, f"no such key: '{key}'{suggestion(key, KNOWN_KEYS)}")
    return keys


def shown(key: str) -> str:
    """A key as keyboards have it."""
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


def bar(keys: Keys, useless: Collection[str] = ()) -> list[tuple[str, str]]:
    """For the key bar: a key and what it does, the most needed first, and none that has no use at present."""
    short = sorted((action for action in NAMES.values() if action.short), key=lambda action: action.name not in _ALWAYS)
    useful = (action for action in short if keys[action.name] and action.name not in useless)
    return [(shown(keys[action.name][0]), action.short) for action in useful]


# However narrow the window is: whoever sees these finds the rest. The sides are there in a review only.
_ALWAYS = {"take-one", "take-two", "help", "quit"}


def help_lines(keys: Keys) -> list[tuple[str, str]]:
    """For the help: keys and what they do; headings have no keys."""
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
