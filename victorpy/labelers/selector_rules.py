"""Selectors, and the rules file: selectors by host, in YAML."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from victorpy import _core
from victorpy.errors import OptionError, UsageError, VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.yaml_options import entries, node, read, refuse, with_lists

ALL_HOSTS = "*"

# A host, such as example.org, localhost, 192.168.0.1 or [::1].
_HOST = re.compile(r"\[[0-9a-f:.]+\]|[\w-]+(?:\.[\w-]+)*", re.IGNORECASE)


@dataclass(frozen=True)
class HostRule:
    """The selectors for the pages of a host; `title`, `date` and `author` select elements with these facts."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    title: str = ""
    date: str = ""
    author: str = ""

    def __post_init__(self) -> None:
        for name in ("keep", "drop"):
            check_selectors(getattr(self, name), name)
        for name in ("title", "date", "author"):
            check_selectors(filter(None, [getattr(self, name)]), name, is_list=False)


def check_selectors(selectors: Iterable[str], name: str, *, is_list: bool = True) -> None:
    for number, text in enumerate(selectors):
        try:
            selector(text)
        except ValueError as error:
            reason, column = error.args
            message = f"'{shortened(text)}': column {column}: {reason}"
            raise OptionError(message, name, item=number if is_list else None) from None


def shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


_LONGEST_SHOWN = 80


# A server sees ever new ones.
@lru_cache(maxsize=1_000)
def selector(text: str) -> _core.Selector:
    try:
        return _core.Selector(text)
    except UnicodeEncodeError as error:
        raise ValueError("half a surrogate pair, which no page holds", error.start + 1) from None


def rules_of(path: str | Path) -> dict[str, HostRule]:
    """The rules in a file. An error names the file and the line."""
    place = Path(path)
    if not place.exists():
        raise UsageError("no such file", place)
    try:
        return _parsed(read_text(place), place)
    except VictorError as error:
        # A wrong selector is wrong usage, whether it is in a file or on the command line.
        raise UsageError(str(error)) from None


def _parsed(text: str, place: Path) -> dict[str, HostRule]:
    found: dict[str, HostRule] = {}
    for name, (name_node, value) in entries(node(text, place)).items():
        host = name.lower().removeprefix("www.")
        if name != ALL_HOSTS and not _HOST.fullmatch(name):
            refuse(name_node, "", f"expected a host such as example.org, or '*' for all, got '{name}'")
        if host in found:
            refuse(name_node, "", f"the host '{host}' is given before")
        found[host] = read(HostRule, with_lists(value, name, ("keep", "drop")), place, name)
    return found
