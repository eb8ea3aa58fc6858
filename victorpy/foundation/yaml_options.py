"""YAML to dataclasses and back: each field is an option. Only this module uses PyYAML.

Values are read from YAML's nodes, because only nodes have line numbers.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from io import StringIO
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin, get_type_hints

import yaml

from victorpy.errors import OptionError, UsageError, VictorError, suggestion

log = logging.getLogger("victorpy")

T = TypeVar("T")
Node = yaml.Node


# 27 s for 600,000 on a slow machine. The card of the largest shipped model has a thousand.
_MOST_VALUES = 100_000


def _parser() -> Any:
    """libyaml's parser with Python's composer, because deep nesting crashes libyaml's own composer."""
    fast, composer = getattr(yaml, "CSafeLoader", None), yaml.composer.Composer
    if fast is None:
        return yaml.SafeLoader

    def begin(self: Any, stream: Any) -> None:
        fast.__init__(self, stream)
        composer.__init__(self)

    return type("_Parser", (composer, fast), {"__init__": begin})


class _Loader(_parser()):  # type: ignore[misc]
    """Counts the values, so that no file takes long."""

    _values = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        self._values += 1
        if self._values > _MOST_VALUES:
            start = self.peek_event().start_mark
            raise VictorError(f"more than {_MOST_VALUES:,} names and values", start.name, start.line + 1)
        found: Node | None = super().compose_node(parent, index)
        return found


# Our own class, because representers belong to the class.
_Dumper: Any = type("_Dumper", (getattr(yaml, "CSafeDumper", yaml.SafeDumper),), {})

_MAPPING, _SEQUENCE, _TEXT = (f"tag:yaml.org,2002:{name}" for name in ("map", "seq", "str"))


# Reading

Entries = dict[str, tuple[Node, Node]]


def read(kind: type[T], source: str | Node, place: str | Path = "", key: str = "") -> T:
    """A value of an option's type from YAML; errors name `place`, and `key` as the option around all others."""
    found = source if isinstance(source, Node) else node(source, place)
    value: T = _value(kind, with_current_names(kind, found, key), key)
    return value


def popped(source: Node, name: str) -> tuple[Node, list[Node]]:
    """The mapping without the entry of this name, and the items of that entry."""
    rest = entries(source)
    _, found = rest.pop(name, (None, None))
    listed = found.value if isinstance(found, yaml.SequenceNode) else [found] if found else []
    return mapping(rest, source), listed


def merged(kind: Any, base: Node, over: Node) -> Node:
    """Merge sections key by key; replace lists, scalars and the entries of tables."""
    if not (isinstance(base, yaml.MappingNode) and isinstance(over, yaml.MappingNode)):
        return over
    kinds, layers = _options(kind), entries(base)
    for name, (key, value) in entries(over).items():
        merges = name in layers and name in kinds
        layers[name] = (key, merged(kinds[name], layers[name][1], value) if merges else value)
    return mapping(layers, over)


def with_current_names(kind: Any, source: Node, key: str = "", *, warns: bool = True) -> Node:
    """Rename the options of a section, and of the sections inside it, that have an old name.

    A dataclass lists old names in the class variable `OLD_NAMES`: old name -> current name.
    """
    if isinstance(source, yaml.SequenceNode) and get_origin(kind) is tuple and is_dataclass(get_args(kind)[0]):
        items = [with_current_names(get_args(kind)[0], item, key, warns=warns) for item in source.value]
        return yaml.SequenceNode(source.tag, items, source.start_mark, source.end_mark)
    kinds = _options(kind)
    if not (kinds and isinstance(source, yaml.MappingNode)):
        return source
    found = _renamed(getattr(kind, "OLD_NAMES", {}), entries(source, key), key, warns=warns)
    for name, (name_node, value) in found.items():
        found[name] = name_node, with_current_names(kinds.get(name), value, _below(key, name), warns=warns)
    return mapping(found, source)


def _renamed(old_names: Mapping[str, str], given: Entries, key: str, *, warns: bool) -> Entries:
    found = Entries()
    for old, (name_node, value) in given.items():
        name = old_names.get(old, old)
        found[name] = (name_node if name == old else with_text(name_node, name)), value
        if name != old and name in given:
            refuse(name_node, _below(key, old), f"the old name of '{name}', which is given too: remove one")
        if name != old and warns:
            warn_of_old_name(name_node, _below(key, old), name)
    return found


def with_lists(source: Node, key: str, names: Iterable[str]) -> Node:
    """The section, with a single text under one of these names read as a list of one."""
    found = entries(source, key)
    for name in {*names} & found.keys():
        name_node, value = found[name]
        if isinstance(value, yaml.ScalarNode) and not _is_nothing(value):
            found[name] = name_node, yaml.SequenceNode(_SEQUENCE, [value], value.start_mark, value.end_mark)
    return mapping(found, source)


def with_text(node: Node, text: str) -> Node:
    """A node with another text at the same place of the file."""
    return yaml.ScalarNode(_TEXT, text, node.start_mark, node.end_mark)


def with_flag(node: Node, flag: bool) -> Node:
    """A flag in the same place of the file."""
    return yaml.ScalarNode("tag:yaml.org,2002:bool", str(flag).lower(), node.start_mark, node.end_mark)


def is_section(node: Node) -> bool:
    return isinstance(node, yaml.MappingNode)


def is_section_of(names: Set[str], node: Node) -> bool:
    """Is it a section that is empty, or has one of these names?"""
    return is_section(node) and (not node.value or any(name.value in names for name, _ in node.value if _is_text(name)))


def _is_text(node: Node) -> bool:
    return isinstance(node, yaml.ScalarNode)


def warn_of_old_name(name_node: Node, key: str, name: str) -> None:
    start = name_node.start_mark
    log.warning(
        "%s:%d: %s is now called '%s'; the next version drops the old name", start.name, start.line + 1, key, name
    )


def mapping(pairs: Entries, like: Node) -> Node:
    return yaml.MappingNode(_MAPPING, list(pairs.values()), like.start_mark, like.end_mark)


class _NamedText(StringIO):
    """Gives YAML's marks the name of the file."""

    name: str


def node(text: str, place: str | Path) -> Node:
    stream = _NamedText(text)
    stream.name = str(place)
    with _yaml_errors(place):
        found = yaml.compose(stream, _Loader)
    if found and _size(found, {}) > _MOST_VALUES:
        raise VictorError(f"its aliases (*) expand to more than {_MOST_VALUES:,} values", place)
    start = yaml.Mark(str(place), 0, 0, 0, "", 0)
    return found or yaml.MappingNode(_MAPPING, [], start, start)


def _size(node: Node, known: dict[int, int]) -> int:
    """The number of nodes, with every alias expanded."""
    if id(node) not in known:
        known[id(node)] = 0
        inner = node.value if isinstance(node, yaml.CollectionNode) else ()
        pairs = (pair if isinstance(pair, tuple) else (pair,) for pair in inner)
        known[id(node)] = 1 + sum(_size(child, known) for pair in pairs for child in pair)
    return known[id(node)]


@contextmanager
def _yaml_errors(place: str | Path) -> Iterator[None]:
    try:
        yield
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise VictorError(f"not valid YAML: {error.problem}", place, line) from None
    except RecursionError:
        raise VictorError("not valid YAML: nests too deep", place) from None
    except UnicodeEncodeError:
        raise VictorError("not valid YAML: half of a surrogate pair, or bytes that are not UTF-8", place) from None
    except yaml.reader.ReaderError as error:
        raise VictorError(f"not valid YAML: {error.reason}", place) from None


def _value(kind: Any, node: Node, key: str) -> Any:
    return _READERS.get(get_origin(kind) or kind, _section)(kind, node, key)


def text(_: Any, node: Node, key: str = "") -> str:
    """The text as it is written: YAML 1.1 reads no, off and 2008 as other types."""
    if not isinstance(node, yaml.ScalarNode) or _is_nothing(node):
        refuse(node, key, f"expected a text, got {_found(node)}")
    return str(node.value)


def _flag(_: Any, node: Node, key: str) -> bool:
    flags = yaml.SafeLoader.bool_values
    is_flag = isinstance(node, yaml.ScalarNode) and node.tag == "tag:yaml.org,2002:bool"
    if not is_flag or node.value.lower() not in flags:
        refuse(node, key, f"expected true or false, got {_found(node)}")
    return flags[node.value.lower()]


def _number(kind: type[float], node: Node, key: str) -> float:
    """Numbers as Python writes them, because 1e-3 is a string in YAML 1.1."""
    number = _converted(kind, node)
    if number is None:
        refuse(node, key, f"expected a {'whole ' if kind is int else ''}number, got {_found(node)}")
    return number


def _converted(kind: type[float], node: Node) -> float | None:
    if not isinstance(node, yaml.ScalarNode) or node.style:
        return None
    try:
        number = kind(node.value)
        return number if isfinite(number) else None
    except (ValueError, OverflowError):
        return None


def _choice(kind: Any, node: Node, key: str) -> str:
    choices = get_args(kind)
    name = text(str, node, key)
    if name not in choices:
        refuse(node, key, f"expected one of {', '.join(choices)}, got {_quoted(name)}{suggestion(name, choices)}")
    return name


def _optional(kind: Any, node: Node, key: str) -> Any:
    [given] = set(get_args(kind)) - {NoneType}
    return None if _is_nothing(node) else _value(given, node, key)


def _list(kind: Any, node: Node, key: str) -> tuple[Any, ...]:
    if not isinstance(node, yaml.SequenceNode):
        refuse(node, key, f"expected a list, got {_found(node)}")
    return tuple(_value(get_args(kind)[0], item, key) for item in node.value)


def _table(kind: Any, node: Node, key: str) -> dict[str, Any]:
    return {
        name: _value(get_args(kind)[1], value, _below(key, name)) for name, (_, value) in entries(node, key).items()
    }


def _section(kind: Any, node: Node, key: str) -> Any:
    """A dataclass, with an option for each of its fields."""
    given, kinds = entries(node, key), _options(kind)
    for name, (name_node, _) in given.items():
        if name not in kinds:
            refuse(name_node, _below(key, name), f"no such option{_right_name(name, kind)}")
    values = {name: _value(kinds[name], value, _below(key, name)) for name, (_, value) in given.items()}
    for field in fields(kind):
        if _dashed(field) not in values and field.default is field.default_factory is MISSING:
            refuse(node, _below(key, _dashed(field)), "missing")
    return _made(kind, {name.replace("-", "_"): value for name, value in values.items()}, node, key)


def chosen(table: Mapping[str, type[T]], source: Node, key: str = "") -> T:
    """The dataclass of a table that the option `name` selects, made from the other options of the section."""
    kind = chosen_kind(table, source, key)
    rest = popped(source, "name")[0]
    made: T = _section(kind, with_current_names(kind, rest, key), key)
    return made


def chosen_kind(table: Mapping[str, type[T]], source: Node, key: str = "") -> type[T]:
    """The dataclass of a table that the option `name` of a section selects."""
    given = entries(source, key)
    if "name" not in given:
        refuse(source, _below(key, "name"), f"missing; expected one of {', '.join(table)}")
    _, name_node = given["name"]
    name = text(str, name_node, _below(key, "name"))
    if name not in table:
        hint = suggestion(name, table) or f" (known: {', '.join(table)})"
        refuse(name_node, _below(key, "name"), f"no {key} {_quoted(name)}{hint}")
    return table[name]


def given_options(words: Iterable[str], kind: Any, place: str) -> Node:
    """A section of options from words such as share=0.4; commas separate the items of a list."""
    lines = []
    for word in words:
        name, is_given, value = word.partition("=")
        if not is_given:
            raise UsageError(f"'{word}' is not NAME=VALUE", place)
        is_list = get_origin(_options(kind).get(name)) is tuple and not value.startswith("[")
        lines.append(f"{name}: [{value}]\n" if is_list else f"{name}: {value}\n")
    return node("".join(lines), place)


def _right_name(name: str, kind: Any) -> str:
    """A hint: an option with a similar name, or one of this name in a subsection."""
    kinds = _options(kind)
    inside = [f"{section}.{name}" for section, of_section in kinds.items() if name in _options(of_section)]
    if inside:
        return f"; did you mean '{inside[0]}'?"
    return suggestion(name, kinds) or f" (known: {', '.join(kinds)})"


_READERS: Mapping[Any, Callable[[Any, Node, str], Any]] = {
    str: text,
    bool: _flag,
    int: _number,
    float: _number,
    Literal: _choice,
    tuple: _list,
    UnionType: _optional,
    get_origin(Mapping[str, str]): _table,
}


def _made(kind: Any, values: dict[str, Any], node: Node, key: str) -> Any:
    """Make the dataclass; its own errors get the line of the option."""
    try:
        return kind(**values)
    except OptionError as error:
        refuse(_culprit(error, node), _below(key, ".".join(error.names)), error.message)
    except VictorError as error:
        refuse(node, key, str(error))


def _culprit(error: OptionError, section: Node) -> Node:
    name = value = section
    for step in error.names:
        name, value = entries(value, "")[step]
    return name if error.item is None else value.value[error.item]


def entries(node: Node, key: str = "") -> Entries:
    """The keys and values of a mapping by name; a name may occur only once."""
    if not isinstance(node, yaml.MappingNode):
        refuse(node, key, f"expected options, got {_found(node)}")
    found: Entries = {}
    for name_node, value in node.value:
        name = text(str, name_node, key)
        if name in found:
            first = found[name][0].start_mark.line + 1
            refuse(name_node, _below(key, name), f"given before, on line {first}")
        found[name] = (name_node, value)
    return found


@cache
def _options(kind: Any) -> dict[str, Any]:
    """The names and types of a dataclass's options; other types have none."""
    if not is_dataclass(kind):
        return {}
    types = get_type_hints(kind)
    return {_dashed(field): types[field.name] for field in fields(kind)}


def _dashed(field: Field[Any]) -> str:
    return field.name.replace("_", "-")


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _is_nothing(node: Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _found(node: Node) -> str:
    """A node as error messages show it."""
    if not isinstance(node, yaml.ScalarNode):
        return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
    return "nothing" if _is_nothing(node) else f"the text {_quoted(node.value)}" if node.style else _quoted(node.value)


def _quoted(text: str) -> str:
    """A text as error messages show it: another file than was meant may be one long text."""
    return f"'{text}'" if len(text) <= _LONGEST_QUOTE else f"'{text[:_LONGEST_QUOTE]}…'"


_LONGEST_QUOTE, _LONGEST_MESSAGE = 60, 1_000


def refuse(node: Node, key: str, message: str) -> NoReturn:
    start, told = node.start_mark, f"{key}: {message}" if key else message
    if len(told) > _LONGEST_MESSAGE:
        told = f"{told[: _LONGEST_MESSAGE // 2]} … {told[-_LONGEST_MESSAGE // 2 :]}"
    raise VictorError(told, start.name, start.line + 1)


# Writing


def options_of(value: Any) -> dict[str, Any]:
    """The options of a dataclass by name, as plain values."""
    options: dict[str, Any] = _plain(value)
    return options


def dump(value: Any) -> str:
    """A dataclass or plain values as readable YAML, in their order."""
    text: str = yaml.dump(_plain(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_NEVER_FOLD)
    return text


def _plain(value: Any) -> Any:
    """Dataclasses and mappings as dicts, tuples as lists."""
    if is_dataclass(value):
        return {_dashed(field): _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: _entry(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _entry(value: Any) -> Any:
    """An entry of a table without its defaults: a bucketing has either values or a scale."""
    if not is_dataclass(value):
        return _plain(value)
    given = (field for field in fields(value) if getattr(value, field.name) != field.default)
    return {_dashed(field): _plain(getattr(value, field.name)) for field in given}


# A folded regular expression is hard to read.
_NEVER_FOLD = 1_000_000


# Rows of numbers take one line, long texts keep their lines, and everything else has an item on each line.


def _represent_list(dumper: Any, items: list[Any]) -> Node:
    node: Node = dumper.represent_sequence(_SEQUENCE, items, flow_style=_is_row(items))
    return node


def _represent_dict(dumper: Any, entries: dict[str, Any]) -> Node:
    is_bucketing = len(entries) == 1 and all(_is_row(item) for item in entries.values())
    node: Node = dumper.represent_mapping(_MAPPING, entries, flow_style=is_bucketing)
    return node


def _represent_text(dumper: Any, text: str) -> Node:
    node: Node = dumper.represent_scalar(_TEXT, text, style="|" if "\n" in text else None)
    return node


def _is_row(value: Any) -> bool:
    return all(isinstance(item, int | float) for item in (value if isinstance(value, list) else [value]))


_Dumper.add_representer(list, _represent_list)
_Dumper.add_representer(dict, _represent_dict)
_Dumper.add_representer(str, _represent_text)
