"""Match every regular expression of the package against the worst inputs that its own parts suggest.

python benchmarks/expressions.py

An input is a beginning that the expression accepts, one of its parts over and over, and an end that it does not accept.
Ends with status 1 if five megabytes of an input take longer than five seconds of the processor.
"""

import argparse
import ast
import importlib
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from re import _constants as codes
from re import _parser as parser
from typing import Any, NamedTuple

from tally import tally

import victorpy

PACKAGE = Path(victorpy.__file__).parent
SIZE, SMALL = 5_000_000, 6_000
MOST_SECONDS = 5.0
_MOST_SMALL = 1.0
# So many inputs of an expression are made at full size.
_FULL = 2
_REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}
_ENDS = ("", "\0", "\n", "<")
_ANCHORED = {"match", "fullmatch"}

# Expressions that only see a piece of their input, and how much of it.
BOUNDED: dict[str, int] = {}


class Expression(NamedTuple):
    """A compiled expression, where it is, and the methods that are called of it; without any, all are."""

    name: str
    pattern: Any
    methods: frozenset[str]


class Worst(NamedTuple):
    expression: Expression
    seconds: float
    text: str


# Collecting


def expressions() -> list[Expression]:
    """Those that modules hold, and those that stand in calls."""
    found: dict[tuple[str, str | bytes], Expression] = {}
    for name in ["victorpy", *(module.name for module in pkgutil.walk_packages([str(PACKAGE)], "victorpy."))]:
        if name.endswith("__main__") or name.startswith("victorpy.pipeline.adapters"):
            continue
        module = importlib.import_module(name)
        tree = (
            ast.parse(Path(str(module.__file__)).read_text("utf-8")) if str(module.__file__).endswith(".py") else None
        )
        for attribute, value in vars(module).items():
            for pattern in _patterns(value):
                found.setdefault((str(pattern.pattern), str(pattern.flags)), _named(name, attribute, pattern))
        for pattern, method in _in_calls(tree):
            found.setdefault((str(pattern.pattern), str(pattern.flags)), Expression(name, pattern, frozenset([method])))
    return [*found.values()]


def _patterns(value: Any) -> Iterator[Any]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (tuple, list, frozenset)):
        yield from (one for one in value if isinstance(one, re.Pattern))
    elif isinstance(value, dict):
        yield from (one for one in value.values() if isinstance(one, re.Pattern))


def _named(module: str, attribute: str, pattern: Any) -> Expression:
    where = module if attribute.startswith("_") else ""
    return Expression(f"{module}.{attribute}", pattern, _methods(where).get(attribute, frozenset()))


@cache
def _methods(module: str) -> dict[str, frozenset[str]]:
    """What is called of each name in this module, or anywhere in the package.

    What is passed on may be used in any way.
    """
    called: dict[str, set[str]] = {}
    for path in [_path(module)] if module else sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                called.setdefault(node.value.id, set()).add(node.attr)
            for word in node.args if isinstance(node, ast.Call) else ():
                if isinstance(word, ast.Name):
                    called.setdefault(word.id, set()).add("any")
    return {name: frozenset(methods) for name, methods in called.items()}


def _path(module: str) -> Path:
    return Path(str(sys.modules[module].__file__))


def _in_calls(tree: ast.AST | None) -> Iterator[tuple[Any, str]]:
    for node in ast.walk(tree) if tree else ():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr != "escape":
            first, *others = node.args
            if isinstance(first, ast.Constant):
                flags = [word for word in others if isinstance(word, ast.Attribute)]
                yield re.compile(first.value, sum(getattr(re, flag.attr) for flag in flags)), node.func.attr


# Worst inputs


def _sample(items: Iterable[Any], groups: dict[int, str]) -> str:
    return "".join(_sample_of(code, value, groups) for code, value in items)


def _sample_of(code: Any, value: Any, groups: dict[int, str]) -> str:  # noqa: PLR0911
    """A short text that a part of an expression accepts, as far as that is easy to say."""
    if code is codes.LITERAL:
        return chr(value)
    if code in (codes.ANY, codes.NOT_LITERAL):
        return "b" if code is codes.NOT_LITERAL and value == ord("a") else "a"
    if code is codes.IN:
        return _member(value)
    if code in _REPEATS:
        low, _, items = value
        return _sample(items, groups) * max(low, 1)
    if code is codes.SUBPATTERN:
        number, _, _, items = value
        groups[number] = _sample(items, groups)
        return groups[number]
    if code is codes.ATOMIC_GROUP:
        return _sample(value, groups)
    if code is codes.BRANCH:
        return _sample(value[1][0], groups)
    return groups.get(value, "") if code is codes.GROUPREF else ""


_OF_CATEGORIES = {codes.CATEGORY_SPACE: " ", codes.CATEGORY_DIGIT: "0", codes.CATEGORY_WORD: "a"}


def _member(items: list[Any], reverse: bool = False) -> str:
    is_negated = items[0][0] is codes.NEGATE
    if is_negated:
        return next(one for one in "aä0 _-\n日" if re.fullmatch(_class_of(items), one, re.S))
    code, value = items[-1 if reverse else 0]
    if code is codes.RANGE:
        return chr(value[0])
    return _OF_CATEGORIES.get(value, "a") if code is codes.CATEGORY else chr(value)


def _class_of(items: list[Any]) -> str:
    parts = []
    for code, value in items[1:]:
        if code is codes.RANGE:
            parts.append(f"\\U{value[0]:08x}-\\U{value[1]:08x}")
        elif code is codes.CATEGORY:
            parts.append(
                {
                    "CATEGORY_SPACE": r"\s",
                    "CATEGORY_DIGIT": r"\d",
                    "CATEGORY_WORD": r"\w",
                    "CATEGORY_NOT_WORD": r"\W",
                    "CATEGORY_NOT_SPACE": r"\S",
                    "CATEGORY_NOT_DIGIT": r"\D",
                }[str(value)]
            )
        else:
            parts.append(f"\\U{value:08x}")
    return f"[^{''.join(parts)}]"


def _units(items: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """For each part that may be repeated or chosen: what stands before it, and samples of it."""
    groups: dict[int, str] = {}
    before = ""
    for code, value in items:
        for inner in _inner(code, value):
            for prefix, unit in _units(inner):
                yield before + prefix, unit
            yield before, _sample(inner, groups)
        if code in _REPEATS and len(value[2]) == 1 and value[2][0][0] is codes.IN:
            yield before, _member(value[2][0][1], reverse=True)
        before += _sample_of(code, value, groups)
        yield "", before


def _inner(code: Any, value: Any) -> list[Any]:
    if code in _REPEATS:
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return [*value[1]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return [value] if code is codes.ATOMIC_GROUP else []


class Input(NamedTuple):
    """A long text: a beginning, a part over and over, and an end."""

    before: str
    unit: str
    end: str

    def of_size(self, size: int, *, is_bytes: bool) -> Any:
        text = self.before + self.unit * (size // len(self.unit)) + self.end
        return text.encode("latin-1", "replace") if is_bytes else text


def inputs(pattern: Any) -> list[Input]:
    is_bytes = isinstance(pattern.pattern, bytes)
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if is_bytes else pattern.flags)
    known = dict.fromkeys((before, unit) for before, unit in [*_units(tree), ("", _sample(tree, {}))] if unit)
    known |= dict.fromkeys(("", before + unit) for before, unit in [*known])
    return [Input(before, unit, end) for before, unit in known for end in _ENDS]


# Measuring


class TooLongError(Exception):
    """The time is over. The matcher looks for signals now and then."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    def end(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def uses(expression: Expression) -> list[Callable[[Any], object]]:
    pattern, methods = expression.pattern, expression.methods
    if methods and methods <= _ANCHORED:
        return [getattr(pattern, method) for method in sorted(methods)]
    return [lambda text: sum(1 for _ in pattern.finditer(text))]


def seconds_for(expression: Expression, text: Any, most: float) -> float:
    """Of the processor; infinite where it took too long."""
    begun = time.process_time()
    try:
        with _limited(most):
            for use in uses(expression):
                use(text)
    except TooLongError:
        return float("inf")
    return time.process_time() - begun


def worst(expression: Expression, size: int = SIZE) -> Worst:
    """The inputs that take longest when they are small, at full size."""
    size, is_bytes = min(size, BOUNDED.get(expression.name, size)), isinstance(expression.pattern.pattern, bytes)

    def seconds(given: Input, of_size: int, most: float) -> float:
        return seconds_for(expression, given.of_size(of_size, is_bytes=is_bytes), most)

    small = min(size, SMALL)
    slowest = sorted(inputs(expression.pattern), key=lambda given: -seconds(given, small, _MOST_SMALL))[:_FULL]
    found = [(seconds(given, size, MOST_SECONDS), given) for given in slowest]
    most, given = max(found)
    return Worst(expression, most, repr(given.of_size(200, is_bytes=is_bytes)))


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--only", default="", help="only expressions whose name holds this")
    arguments.add_argument("--size", type=int, default=SIZE, help="bytes of an input (5000000)")
    options = arguments.parse_args()
    tried = [one for one in expressions() if options.only in one.name]
    failed = 0
    for expression in tried:
        found = worst(expression, options.size)
        is_slow = found.seconds > MOST_SECONDS
        failed += is_slow
        if is_slow or options.only:
            print(f"{expression.name}: {found.seconds:.2f} s for {found.text[:200]}", flush=True)
    tally(f"regular expressions, {options.size / 1_000_000:g} MB of their worst input", len(tried), failed)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
