"""Options in the YAML that `yaml_options` writes, read without PyYAML, whose import takes longer than cleaning a page.

Whatever could mean something else in YAML is a ValueError: then the file has to be read with `yaml_options`.
"""

import re
from collections.abc import Iterable
from dataclasses import fields
from math import isfinite
from typing import Any, NamedTuple, TypeVar, get_args

Kind = TypeVar("Kind")

_NAME = re.compile(r"([a-z][a-z0-9-]*):(?: (\S.*))?")
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*|-[0-9][0-9.]*")
_FLAGS = {"true": True, "false": False}


class Entry(NamedTuple):
    """What stands behind a name: on its line, and on the lines below it."""

    word: str
    below: list[str]


Section = dict[str, Entry]


def section(lines: Iterable[str], indent: int = 0) -> Section:
    """The entries whose names begin in this column."""
    found, below = Section(), list[str]()
    for line in lines:
        if line[:indent].strip():
            raise ValueError(line)
        if line[indent : indent + 1] in {"", " ", "-"}:
            below.append(line)
            continue
        named = _NAME.fullmatch(line, indent)
        if not named or named[1] in found or (below and not found):
            raise ValueError(line)
        below = []
        found[named[1]] = Entry(named[2] or "", below)
    return found


def inner(entry: Entry, indent: int) -> Section:
    """The section below a name."""
    if entry.word:
        raise ValueError(entry.word)
    return section(entry.below, indent)


def word(entry: Entry) -> str:
    if entry.below:
        raise ValueError(entry.below)
    return _word(entry.word)


def _word(text: str) -> str:
    if not _WORD.fullmatch(text) or text.lower() == "null":
        raise ValueError(text)
    return text


def flag(entry: Entry) -> bool:
    return _FLAGS[word(entry)]


def number(entry: Entry) -> float:
    found = float(word(entry))
    if not isfinite(found):
        raise ValueError(entry.word)
    return found


def words(entry: Entry) -> tuple[str, ...]:
    """The items of a list, one on each line."""
    if entry.word and (entry.word != "[]" or entry.below):
        raise ValueError(entry.word)
    return tuple(_word(line.lstrip(" ").removeprefix("- ")) for line in entry.below)


_READERS = {str: word, bool: flag, float: number, tuple: words}


def made(kind: type[Kind], given: Section) -> Kind:
    """The dataclass with these options. The type of an option is that of its default."""
    options: dict[str, Any] = {field.name.replace("_", "-"): field for field in fields(kind)}  # type: ignore[arg-type]
    if given.keys() - options.keys():
        raise ValueError(given.keys())
    return kind(**{options[name].name: _value(options[name], entry) for name, entry in given.items()})


def _value(option: Any, entry: Entry) -> Any:
    value = _READERS[type(option.default)](entry)
    if isinstance(value, str) and get_args(option.type) and value not in get_args(option.type):
        raise ValueError(value)
    return value
