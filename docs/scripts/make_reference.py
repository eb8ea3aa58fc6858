"""Writes docs/reference/ from the code; a test fails if a page there is stale."""

import argparse
import ast
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import victorpy
from victorpy.cli.command_parser import parser_of
from victorpy.cli.command_table import GROUPS
from victorpy.features import FAMILIES, FEATURES
from victorpy.foundation import exit_codes
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS
from victorpy.models.config import Config, load
from victorpy.output.cleaned import FAILURES, Status
from victorpy.output.formats import TABLE

FOLDER = Path(__file__).parents[1] / "reference"
NOTE = "Made from the code by `docs/scripts/make_reference.py`; do not edit it by hand.\n"
SHIPPED = ("base", "cleaneval", "web", "blog", "tree", "exp-1", "exp-2", "exp-3")

EXIT_STATUSES = {
    "FINE": "done; single pages may have failed, and standard error lists them",
    "FAILED": "failed: no page could be cleaned, a file is broken, or an output cannot be written",
    "WRONG_USAGE": "wrong usage, or an input, a model or a config is missing",
    "SOME_PAGES_FAILED": "with `clean --strict`: done, but some pages failed",
    "INTERRUPTED": "interrupted (Ctrl-C)",
}
PAGE_STATUSES = {
    "ok": "the page has content",
    "empty": "no content: the page is empty, has no text, or no block is content",
    "dropped": "larger than `--max-bytes`, or dropped by a filter or as a duplicate",
    "timeout": "it took longer than `--timeout`",
    "out-of-memory": "it took more memory than `--max-memory`",
    "crashed": "a fault of victorpy's, or the process that cleaned it died",
    "undecodable": "not a text: a picture, a PDF, an archive",
    "unreadable": "no such file, no permission, or the address could not be fetched",
}

PRINTS = {
    "anno": "a labeled page to correct in an editor and to train on",
    "blog-xml": "the posts of a blog with title, date, author and body",
    "cleaneval": "CLEANEVAL's: `<p>`, `<h>` or `<l>` before each passage; `URL: …` first, if the address is known",
    "doc": "the lines of `cleaneval` between `<doc>` and `</doc>`, for corpora",
    "html": "the outline as a small HTML document",
    "json": "metadata, text, the outline with links and emphasis, passages and blocks with their places",
    "jsonl": "the same, one line for each page",
    "main-html": "the page's own elements that hold content",
    "markdown": "GitHub's: headings, lists, tables, code, links, images, emphasis, footnotes, math",
    "parquet": "a table, a row for each page, with title, address, status and text",
    "precleaned": "the HTML of the page, whole, without scripts, style sheets and comments, as WC Cleaner begins",
    "tei": "the outline as TEI P5",
    "text": "a line for each passage",
    "vertical": 'the prevertical of corpus tools: `<doc>`, `<p>`, `<p heading="1">`',
    "vertical-tokens": "the same with a token on each line, and `<g/>`",
    "warc": "a conversion record for each page, as Common Crawl's WET files have",
    "xml": "the outline as XML with places in the source",
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, "utf-8")


def pages() -> dict[str, str]:
    """The text of each page by its file name."""
    return {
        "commands.md": _commands_page(),
        **{f"{_slug(group)}.md": _group_page(group) for group in GROUPS},
        "config-options.md": _config_page(),
        "feature-list.md": _features_page(),
        "format-list.md": _formats_page(),
        "labeler-options.md": _labelers_page(),
        "statuses.md": _statuses_page(),
        "python.md": _python_page(),
    }


# Markdown


def _page(title: str, *parts: str) -> str:
    return "\n".join([f"# {title}\n", NOTE, *parts])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = list(head)
    lines = [head, ["---"] * len(head), *map(list, rows)]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def _code(text: object) -> str:
    return f"`{text}`" if str(text) else ""


def _plain(text: str) -> str:
    """A text in which Markdown finds no tags."""
    return " ".join(text.split()).replace("<", "&lt;").replace("*", "\\*")


def _slug(text: str) -> str:
    return text.lower().replace(" ", "-")


def _doc(documented: object) -> str:
    """The docstring in one paragraph, in which names are code."""
    return " ".join((inspect.getdoc(documented) or "").split())


# Commands

# Titles of argparse that say nothing to users.
TITLES = {"positional arguments": "inputs"}


def _commands_page() -> str:
    tables = [
        f"## {group}\n\n"
        + _table(
            ("command", "does"),
            (
                [f"[`victor {name}`]({_slug(group)}.md#victor-{_slug(name)})", of.summary]
                for name, of in commands.items()
            ),
        )
        for group, commands in GROUPS.items()
    ]
    general = (
        "`victor COMMAND --help` prints the options of a command. All commands have `-h`, `-q` (print only errors to\n"
        "standard error) and `-v` (print more messages). `python -m victorpy` is the same program.\n"
    )
    return _page("All commands", general, *tables)


def _group_page(group: str) -> str:
    return _page(f"Commands: {group}", *map(_command, GROUPS[group]))


def _command(name: str) -> str:
    parser = parser_of(name)
    groups = [
        (group.title or "", [action for action in group._group_actions if action.help != argparse.SUPPRESS])
        for group in parser._action_groups
        if group.title != "general"
    ]
    shown = [f"### {TITLES.get(title, title)}\n\n{_actions(parser, of)}" for title, of in groups if of]
    examples = f"```text\n{parser.epilog.strip()}\n```\n" if parser.epilog else ""
    usage = f"```text\n{' '.join(parser.format_usage().removeprefix('usage: ').split())}\n```\n"
    head = [f"## victor {name}\n", f"{parser.description}\n", usage]
    return "\n".join([*head, *([examples] if examples else []), *shown])


def _actions(parser: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> str:
    formatter: Any = parser._get_formatter()
    return _table(
        ("option", "meaning"),
        ([_code(formatter._format_action_invocation(each)), _plain(formatter._expand_help(each))] for each in actions),
    )


# Configs


def _config_page() -> str:
    configs = {name: load(name) for name in SHIPPED if name != "base"}
    sections = [each for each in fields(Config) if is_dataclass(_hints(Config)[each.name])]
    top = [each for each in fields(Config) if each not in sections]
    parts = [
        "The sections and options of a [config](../config.md), with what each shipped config says differently.\n",
        "## Top level\n",
        _table(("option", "value"), ([_code(_option(each.name)), _type(_hints(Config)[each.name])] for each in top)),
    ]
    return _page("Config options", *parts, *(_section(each.name, configs) for each in sections))


def _section(name: str, configs: Mapping[str, Config]) -> str:
    kind = _hints(Config)[name]
    rows = [
        [
            _code(_option(each.name)),
            _type(_hints(kind)[each.name]),
            _code(_value(_default(each))),
            _differing(name, each.name, _default(each), configs),
        ]
        for each in fields(kind)
    ]
    table = _table(("option", "value", "default", "shipped configs"), rows)
    return f"## {_option(name)}\n\n{_plain(_doc(kind))}\n\n{table}"


def _differing(section: str, name: str, default: object, configs: Mapping[str, Config]) -> str:
    values = {config: getattr(getattr(of, section), name) for config, of in configs.items()}
    return ", ".join(f"{config}: {_code(_value(value))}" for config, value in values.items() if value != default)


def _option(name: str) -> str:
    return name.replace("_", "-")


def _hints(kind: object) -> dict[str, Any]:
    return get_type_hints(kind)


def _default(each: Any) -> object:
    return each.default_factory() if each.default_factory is not MISSING else each.default


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list | Mapping):
        return " ".join(map(str, value))
    return str(value)


KINDS = {bool: "true or false", int: "whole number", float: "number", str: "text", Mapping: "table"}


def _type(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(map(_code, parts))
    if origin in {tuple, list}:
        return f"list of: {_type(parts[0])}"
    if origin in {Union, UnionType}:
        return " or ".join(_type(part) for part in parts if part is not type(None))
    return KINDS.get(origin or hint, str(hint))


# Features


def _features_page() -> str:
    buckets = load("cleaneval").buckets
    users = {name: _used(load(name)) for name in ("cleaneval", "web", "tree")}
    rows = [[_code(name), ", ".join(of for of in users if name in users[of])] for name in FEATURES]
    families = [[_code(f"{name}.TAG"), "the name of a tag or of a class of the section `markup`"] for name in FAMILIES]
    named = [
        [_code("regexp.NAME"), "regular expressions of the section `regexp`"],
        [_code("perplexity.NAME"), "a language model"],
    ]
    put = [[_code(name), ", ".join(of.names())] for name, of in buckets.items()]
    parts = [
        "[Features](../features.md) says what each counts. `victor features PAGE` prints the values of a page.\n",
        "## Families\n",
        _table(("feature", "NAME is"), [*families, *named]),
        f"## All {len(FEATURES)} features\n",
        _table(("feature", "used by the shipped configs"), rows),
        "## Buckets\n",
        "The buckets of the config `cleaneval`; each value is the least of its bucket.\n",
        _table(("feature", "buckets"), put),
    ]
    return _page("All features", *parts)


def _used(config: Config) -> set[str]:
    return {*config.network_features} if config.network.enabled else {*config.used_features}


# Formats, labelers, statuses


def _formats_page() -> str:
    rows = [
        [
            _code(name),
            _code(row.ending),
            PRINTS[name],
            "yes" if row.is_streamed else "",
            "yes" if row.has_metadata else "",
            "yes" if row.records_failures or row.is_table else "",
            ", ".join(_code(f"--{_option(each)}") for each in sorted(row.options)),
        ]
        for name, row in TABLE.items()
    ]
    head = ("format", "file", "prints", "many pages in a file", "metadata", "failed pages, too", "options")
    return _page("All formats", "[What the formats print](../formats.md) describes them.\n", _table(head, rows))


def _labelers_page() -> str:
    parts = [_labeler(name, kind) for name, kind in LABELERS.items()]
    usage = "`victor clean --labeler NAME --option OPTION=VALUE`; [labelers](../labelers.md) describes them.\n"
    return _page("Options of labelers", usage, *parts)


def _labeler(name: str, kind: type[Untrained]) -> str:
    rows = [
        [_code(_option(each.name)), _type(_hints(kind)[each.name]), _code(_value(_default(each)))]
        for each in fields(kind)  # type: ignore[arg-type]
        if each.init
    ]
    table = f"\n{_table(('option', 'value', 'default'), rows)}" if rows else ""
    return f"## {name}\n\n{_plain(_doc(kind))}\n{table}"


def _statuses_page() -> str:
    ends = [[_code(name), PAGE_STATUSES[name], "yes" if name in FAILURES else ""] for name in get_args(Status)]
    codes = {name: getattr(exit_codes, name) for name in vars(exit_codes) if name.isupper()}
    parts = [
        "## How a page ends\n",
        "Every page ends with exactly one status. [How pages end](../hostile-pages.md#how-a-page-ends) says more.\n",
        _table(("status", "means", "a failure"), ends),
        "## How a command ends\n",
        _table(("exit status", "means"), ([str(code), EXIT_STATUSES[name]] for name, code in codes.items())),
    ]
    return _page("Statuses", *parts)


# Python


def _python_page() -> str:
    intro = "All public names of `victorpy`. [Python API](../api.md) shows how they are used.\n"
    names = [name for name in victorpy.__all__ if name not in {"FORMATS", "__version__"}]
    constants = [
        "## FORMATS\n\nThe formats by name: each prints a `Cleaned`.\n",
        "## \\_\\_version\\_\\_\n\nThe version of the package.\n",
    ]
    return _page(
        "Public names in Python", intro, *(_public(name, getattr(victorpy, name)) for name in names), *constants
    )


def _public(name: str, value: Any) -> str:
    source = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
    shown = _class_lines(source) if isinstance(source, ast.ClassDef) else _signature(source)
    lines = "\n".join(shown)
    return f"## {name}\n\n{_plain(inspect.getdoc(value) or '')}\n\n```text\n{lines}\n```\n"


def _class_lines(source: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(map(ast.unparse, source.bases))
    yield f"class {source.name}({bases})" if bases else f"class {source.name}"
    for part in source.body:
        if isinstance(part, ast.AnnAssign) and _is_public(ast.unparse(part.target)):
            yield f"    {ast.unparse(part)}"
        elif isinstance(part, ast.FunctionDef) and _is_public(part.name):
            yield from (f"    {line}" for line in _signature(part))


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def _signature(source: ast.stmt) -> Iterator[str]:
    if not isinstance(source, ast.FunctionDef):
        return
    kinds = {"property": "property", "cached_property": "property", "classmethod": "classmethod"}
    marks = [kinds[name] for each in source.decorator_list if (name := ast.unparse(each)) in kinds]
    returns = f" -> {ast.unparse(source.returns)}" if source.returns else ""
    if marks == ["property"]:
        yield f"{source.name}{returns.replace(' ->', ':', 1)}"
    else:
        yield f"{''.join(f'{mark} ' for mark in marks)}{source.name}({ast.unparse(source.args)}){returns}"


if __name__ == "__main__":
    main()
