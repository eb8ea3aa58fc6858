"""Config files of the original Victor, read as ours: `variable: value`, with arrays, include, undef, $var and {a,b}."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from victorpy.errors import VictorError, suggestion
from victorpy.features import NoSuchFeatureError, features
from victorpy.foundation.files import read_text
from victorpy.foundation.yaml_options import dump
from victorpy.models.templates import expansions

SUFFIX = ".conf"

_LINE = re.compile(r"(?P<name>[A-Za-z][\w.-]*+)(?:\s*+:\s*+|\s++)(?P<value>.*+)")
_VARIABLE = re.compile(r"\$\{?([A-Za-z][\w.-]*)\}?")
_VALUES = re.compile(r"feature-(?P<feature>.+)-(?P<kind>values|scale)")
_MARKUP = ("tag-delete", *(f"class-{name}" for name in ("header", "bold", "italic", "list", "form", "inline", "block")))
_LISTS = (*_MARKUP, "crf-features")
_REGEXP = "regexp-"
_TEMPLATE = "template"
# No config of the original is as large. Braces and variables could make it so.
_MOST_VALUES = 10_000


class Value(NamedTuple):
    """One value of a variable, and where it stands."""

    text: str
    path: Path
    line: int

    def error(self, message: str) -> VictorError:
        return VictorError(message, self.path, self.line)


Variables = dict[str, list[Value]]


@dataclass
class _Reader:
    """Reads files into variables, and remembers which of them others have used."""

    variables: Variables
    used: set[str]

    def read(self, path: Path, chain: tuple[Path, ...]) -> None:
        for number, line in enumerate(read_text(path).splitlines(), start=1):
            content = line.strip()
            if content and not content.startswith("#"):
                self._statement(Value(content, path, number), (*chain, path.resolve()))

    def _statement(self, line: Value, chain: tuple[Path, ...]) -> None:
        found = _LINE.fullmatch(line.text.strip())
        if not found:
            raise line.error(f"expected 'variable: value', got '{line.text}'")
        name, value = found["name"], line._replace(text=found["value"])
        if name == "include":
            self._include(value, chain)
        elif name == "undef":
            self._undefine(value)
        elif name.startswith(_REGEXP):
            # A regular expression has blanks, braces and dollars of its own.
            self.variables.setdefault(name, []).append(value)
        else:
            self.variables.setdefault(name, []).extend(self._values(value))
            if sum(map(len, self.variables.values())) > _MOST_VALUES:
                raise line.error(f"more than {_MOST_VALUES:,} values")

    def _include(self, value: Value, chain: tuple[Path, ...]) -> None:
        name = value.text if value.text.endswith(SUFFIX) else f"{value.text}{SUFFIX}"
        path = value.path.parent / name
        if not path.is_file():
            raise value.error(f"include: {path}: no such file")
        if path.resolve() in chain:
            steps = [*chain[chain.index(path.resolve()) :], path]
            raise value.error(f"include: includes itself: {' → '.join(step.name for step in steps)}")
        self.read(path, chain)

    def _undefine(self, value: Value) -> None:
        for name in value.text.split():
            if name not in self.variables:
                raise value.error(f"undef: no variable '{name}'{suggestion(name, self.variables)}")
            del self.variables[name]

    def _values(self, value: Value) -> Iterator[Value]:
        for word in value.text.split():
            for expanded in expansions(word):
                yield from self._with_variables(value._replace(text=expanded))

    def _with_variables(self, value: Value) -> Iterator[Value]:
        """The value for each value of the first variable in it; a value without one as it is."""
        found = _VARIABLE.search(value.text)
        if not found:
            yield value
            return
        name = found[1]
        if name not in self.variables:
            raise value.error(f"no variable '{name}' before this line{suggestion(name, self.variables)}")
        self.used.add(name)
        for inner in list(self.variables[name]):
            text = f"{value.text[: found.start()]}{inner.text}{value.text[found.end() :]}"
            yield from self._with_variables(value._replace(text=text))


def converted(path: Path) -> str:
    """A config of the original as one of ours, in YAML. What it does not say is that of our `cleaneval`."""
    reader = _Reader({}, set())
    reader.read(path, ())
    variables = reader.variables
    for name, values in variables.items():
        if not _is_known(name) and name not in reader.used:
            first = next(iter(values), Value("", path, 1))
            raise first.error(f"unknown variable '{name}'{suggestion(name, [*_LISTS, _TEMPLATE])}")
    return dump(_sections(variables))


def _is_known(name: str) -> bool:
    return name in {*_LISTS, _TEMPLATE} or name.startswith(_REGEXP) or _VALUES.fullmatch(name) is not None


def _sections(variables: Mapping[str, Sequence[Value]]) -> dict[str, object]:
    found: dict[str, object] = {"include": "cleaneval"}
    markup = {name: _texts(variables[name]) for name in _MARKUP if name in variables}
    regexp = {name.removeprefix(_REGEXP): _texts(variables[name]) for name in variables if name.startswith(_REGEXP)}
    sections = {"markup": markup, "regexp": regexp, "buckets": _buckets(variables)}
    found |= {name: section for name, section in sections.items() if section}
    if "crf-features" in variables:
        found["features"] = _features(variables["crf-features"], [*regexp, "url", "date", "time"])
    if _TEMPLATE in variables:
        found["template"] = _template(variables[_TEMPLATE][-1])
    return found


def _texts(values: Sequence[Value]) -> list[str]:
    return [value.text for value in values]


def _buckets(variables: Mapping[str, Sequence[Value]]) -> dict[str, dict[str, object]]:
    buckets: dict[str, dict[str, object]] = {}
    for name, values in variables.items():
        found = _VALUES.fullmatch(name)
        if found:
            numbers = [_number(value, name) for value in values]
            is_scale = found["kind"] == "scale"
            buckets[found["feature"]] = {"scale": int(numbers[-1])} if is_scale else {"values": numbers}
    return buckets


def _number(value: Value, name: str) -> float:
    try:
        return float(value.text)
    except ValueError:
        raise value.error(f"{name}: expected a number, got '{value.text}'") from None


def _features(values: Sequence[Value], expressions: Sequence[str]) -> list[str]:
    for value in values:
        try:
            features([value.text], dict.fromkeys(expressions, ()))
        except NoSuchFeatureError as error:
            raise value.error(f"crf-features: {error}") from None
    return _texts(values)


def _template(value: Value) -> str:
    """A file beside the config, or in the folder `templates` beside its folder; else a name of ours."""
    name = value.text if value.text.endswith(".tpl") else f"{value.text}.tpl"
    folders = (value.path.parent, value.path.parent / "templates", value.path.parent.parent / "templates")
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    return str(found.resolve()) if found else value.text
