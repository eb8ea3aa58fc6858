"""What style rules in the page say of a block: size, weight, display and visibility.

A future idea of the original: "Extract features from CSS style rules". Style sheets of other files are not read.
Rules apply in the order of their specificity, then of the page; each applies to all blocks inside what it selects.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from victorpy import _core
from victorpy.features.element_blocks import blocks_in_elements
from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page, once_per_page

NAMES = ("css.size", "css.is-bold", "css.is-hidden", "css.is-set-apart")

_STYLE_TAG = re.compile(r"<(/?)style\b", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_AT_RULE = re.compile(r"@[^{};@]*+(?:;|\{(?:[^{}]*+\{[^{}]*+\})*+[^{}]*+\})")
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]*)\}")
_DECLARATION = re.compile(r"\s*([a-z-]+)\s*:\s*([^;!]+)", re.IGNORECASE)
_SIZE = re.compile(r"([\d.]{1,8})(px|pt|em|rem|%)?")
_UNITS = {"px": 1 / 16, "pt": 1 / 12, "em": 1.0, "rem": 1.0, "%": 1 / 100, None: 1 / 16}
_SIZE_NAMES = {
    "xx-small": 0.6,
    "x-small": 0.75,
    "small": 0.89,
    "medium": 1.0,
    "large": 1.2,
    "x-large": 1.5,
    "xx-large": 2.0,
    "smaller": 0.83,
    "larger": 1.2,
}
_BOLD = 600
_NAMES = frozenset({"font-size", "font-weight", "display", "visibility", "position", "float"})
# Pages have a few hundred rules; more would take long.
_MOST_RULES = 1_000
_MOST_STYLED = 10_000

Declarations = dict[str, str]


class _Rule(NamedTuple):
    specificity: tuple[int, int, int]
    selector: str
    declarations: Declarations


@once_per_page
def styles(page: Page) -> Table:
    """Size in units of the usual text, and 1 for blocks that are bold, hidden, or placed apart (float, position)."""
    table = np.zeros((len(NAMES), len(page)), np.float32)
    table[0] = 1
    for rule in sorted(_rules(page.core.source), key=lambda rule: rule.specificity):
        selected = _selected(page, rule.selector)
        if selected.any():
            _apply(table, selected, rule.declarations)
    first, last = blocks_in_elements(page)
    for element, style in _inline_styles(page):
        inside = np.zeros(len(page), np.bool_)
        inside[first[element] : last[element]] = True
        _apply(table, inside, _declarations(style))
    return table


def _inline_styles(page: Page) -> list[tuple[int, str]]:
    found = [(element, style) for element, style in enumerate(page.attributes["style"]) if style]
    return found[:_MOST_STYLED]


def _sheets(source: str) -> Iterator[str]:
    """What stands between the tags of each <style>; one that nobody closes has no sheet."""
    begin = -1
    for tag in _STYLE_TAG.finditer(source):
        if tag[1]:
            if 0 <= begin <= tag.start():
                yield source[begin : tag.start()]
            begin = -1
        elif begin < 0:
            begin = source.find(">", tag.end()) + 1
            if not begin:
                return


def _rules(source: str) -> Iterator[_Rule]:
    """The rules of the page's own sheets. Rules for some media only are left out."""
    sheets = "\n".join(_AT_RULE.sub("", _COMMENT.sub("", sheet)) for sheet in _sheets(source))
    for number, (selectors, body) in enumerate(_RULE.findall(sheets)):
        declarations = _declarations(body)
        if number >= _MOST_RULES:
            return
        if declarations:
            for selector in selectors.split(","):
                yield _Rule(_specificity(selector), selector.strip(), declarations)


def _declarations(body: str) -> Declarations:
    """The declarations that matter here, by name."""
    found = (match.groups() for match in map(_DECLARATION.match, body.split(";")) if match)
    return {name.lower(): value.strip().lower() for name, value in found if name.lower() in _NAMES}


def _specificity(selector: str) -> tuple[int, int, int]:
    """Ids, then classes and attributes, then tags."""
    return (
        selector.count("#"),
        len(re.findall(r"[.\[]|(?<!:):(?!:)", selector)),
        len(re.findall(r"(?:^|[\s>+~])[a-z]", selector)),
    )


def _selected(page: Page, selector: str) -> "np.typing.NDArray[np.bool_]":
    """The blocks inside what a selector selects; none for a selector that is not known, such as a:hover."""
    try:
        blocks, _ = page.core.selected(_core.Selector(selector))
    except ValueError:
        return np.zeros(len(page), np.bool_)
    return np.frombuffer(blocks, np.bool_)


def _apply(table: Table, blocks: "np.typing.NDArray[np.bool_]", declarations: Declarations) -> None:
    size = _size(declarations.get("font-size", ""))
    if size:
        table[0, blocks] = size
    weight = declarations.get("font-weight")
    if weight:
        table[1, blocks] = weight in {"bold", "bolder"} or (weight.isdigit() and int(weight) >= _BOLD)
    if "visibility" in declarations:
        table[2, blocks] = declarations["visibility"] in {"hidden", "collapse"}
    if declarations.get("display") == "none":
        table[2, blocks] = 1
    elif "display" in declarations:
        table[2, blocks] = 0
    if "float" in declarations or "position" in declarations:
        is_apart = declarations.get("float", "none") != "none" or declarations.get("position") in {"absolute", "fixed"}
        table[3, blocks] = is_apart


def _size(value: str) -> float:
    found = _SIZE.match(value)
    if found and found[1].count(".") <= 1 and found[1] != ".":
        return float(found[1]) * _UNITS[found[2]]
    return _SIZE_NAMES.get(value, 0.0)
