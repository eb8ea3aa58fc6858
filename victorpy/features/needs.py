"""What a text must hold for a regular expression to match it: most texts are ruled out without a search."""

import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

# One character out of a few; "0" stands for any digit.
Choice = frozenset[str]
# Characters that stand side by side.
Chain = tuple[Choice, ...]
# A match holds one chain of these; the empty need says nothing.
Need = frozenset[Chain]

ANY_DIGIT = "0"
_DIGIT = Choice(ANY_DIGIT)
_UNKNOWN = Choice()
_NOTHING = Need()

# Longer chains rule out little more.
_LONGEST = 4
_MOST_CHOICES = 8
_MOST_CHAINS = 8

_WITHOUT_WIDTH = frozenset(("AT", "ASSERT", "ASSERT_NOT"))
_REPEATS = frozenset(("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"))


def need(expression: str) -> Need:
    """The most telling of the chains that every match holds."""
    try:
        # Python's own parser of expressions has no public name.
        parsed = import_module("re._parser").parse(expression)
    except ImportError:
        return _NOTHING
    return _need(parsed, bool(parsed.state.flags & re.IGNORECASE))


def _need(items: Iterable[tuple[Any, Any]], ignores_case: bool, chain: Chain = ()) -> Need:
    """The best need of a sequence that stands behind this chain."""
    found: list[Need] = []
    for operator, argument in _flat(items):
        least, most, choice = _repeated(operator, argument, ignores_case)
        if choice and least:
            chain += (choice,) * least
            if most == least:
                continue
        found += [_cut(chain), _inner(operator, argument, ignores_case, chain)]
        # What follows stands beside the last of the repeated characters.
        chain = (choice,) * least if choice else ()
    return max([*found, _cut(chain)], key=_weight)


def _flat(items: Iterable[tuple[Any, Any]]) -> Iterator[tuple[str, Any]]:
    """The items without what has no width, and without groups, but for those that begin to ignore case."""
    for code, argument in items:
        operator = str(code)
        if operator == "SUBPATTERN" and not argument[1] & re.IGNORECASE:
            yield from _flat(argument[3])
        elif operator not in _WITHOUT_WIDTH:
            yield operator, argument


def _repeated(operator: str, argument: Any, ignores_case: bool) -> tuple[int, int, Choice]:
    """From how often to how often which characters are repeated; no choice where the item is anything else."""
    if operator in _REPEATS:
        least, most, repeated = argument
        inner = list(_flat(repeated))
        choice = _choice(*inner[0], ignores_case) if len(inner) == 1 else _UNKNOWN
        return min(least, _LONGEST), most, choice
    return 1, 1, _choice(operator, argument, ignores_case)


def _inner(operator: str, argument: Any, ignores_case: bool, chain: Chain) -> Need:
    if operator == "BRANCH":
        needs = [_need(branch, ignores_case, chain) for branch in argument[1]]
        either = _NOTHING.union(*needs)
        return either if all(needs) and len(either) <= _MOST_CHAINS else _NOTHING
    if operator in _REPEATS and argument[0]:
        return _need(argument[2], ignores_case)
    return _NOTHING


def _choice(operator: str, argument: Any, ignores_case: bool) -> Choice:
    if operator == "LITERAL":
        return _of_character(chr(argument), ignores_case)
    if operator != "IN":
        return _UNKNOWN
    members = [_of_member(str(kind), value, ignores_case) for kind, value in argument]
    choice = _UNKNOWN.union(*members)
    return choice if all(members) and len(choice) <= _MOST_CHOICES else _UNKNOWN


def _of_member(kind: str, value: Any, ignores_case: bool) -> Choice:
    if kind == "LITERAL":
        return _of_character(chr(value), ignores_case)
    if kind == "RANGE":
        return _DIGIT if ord("0") <= value[0] <= value[1] <= ord("9") else _UNKNOWN
    return _DIGIT if kind == "CATEGORY" and str(value) == "CATEGORY_DIGIT" else _UNKNOWN


def _of_character(character: str, ignores_case: bool) -> Choice:
    if character.isdecimal():
        return _DIGIT
    is_sure = character.isascii() and not (ignores_case and character.isalpha())
    return Choice(character) if is_sure else _UNKNOWN


def _cut(chain: Chain) -> Need:
    return Need([chain[-_LONGEST:]]) if chain else _NOTHING


def _weight(need: Need) -> tuple[int, int, int]:
    """How much the least telling chain tells; of equals, the longer one, and the one with fewer choices."""
    telling = min((sum(map(_telling, chain)) for chain in need), default=0)
    return telling, min(map(len, need), default=0), -sum(len(choice) for chain in need for choice in chain)


def _telling(choice: Choice) -> int:
    """White space is everywhere, and signs are rarer than letters and digits."""
    if any(character.isspace() for character in choice):
        return 0
    return 1 if any(character.isalnum() for character in choice) else 2
