"""Print tables for people and programs, with the facts that reproduce the figures."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import pandas as pd

from victorpy.errors import UsageError
from victorpy.foundation.digests import versions
from victorpy.foundation.terminal import escaped, escaped_line
from victorpy.models.config import Config, config_digest

Format = Literal["text", "csv", "json", "latex", "markdown"]
Facts = Mapping[str, Any]

_DECIMALS = 2


def facts(config: Config | None = None, data: str = "", seed: int | None = None, **others: Any) -> dict[str, Any]:
    """The facts that figures depend on, without the unknown ones."""
    given = {"config": config and config_digest(config), "data": data or None, "seed": seed, **others}
    return {name: fact for name, fact in given.items() if fact is not None} | {"versions": versions()}


def percent(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its floats, which are shares, in percent; whole numbers are counts and stay."""
    floats = table.select_dtypes("float").columns
    return table.assign(**{str(name): 100 * table[name] for name in floats})


def render(table: pd.DataFrame, format: Format = "text", facts: Facts | None = None) -> str:
    """Render a table with its index as first columns; floats have two decimals in formats for people."""
    return render_all({"": table}, format, facts)


def render_all(tables: Mapping[str, pd.DataFrame], format: Format = "text", facts: Facts | None = None) -> str:
    """Render several tables, each under its name."""
    if format == "json":
        return _json(tables, facts or {})
    if format == "csv" and len(tables) > 1:
        raise UsageError(f"csv holds one table, got {len(tables)}: {', '.join(tables)}")
    style = _STYLES[format]
    parts = [style.title.format(name) * bool(name) + style.table(table) for name, table in tables.items()]
    notes = [style.note.format(_line(*fact)) for fact in (facts or {}).items()]
    return "\n".join(["".join(notes), *parts] if notes and format != "csv" else ["".join([*notes, *parts])])


def _line(name: str, fact: Any) -> str:
    is_list = isinstance(fact, Mapping)
    return escaped_line(f"{name}: {', '.join(f'{key} {value}' for key, value in fact.items()) if is_list else fact}")


def _json(tables: Mapping[str, pd.DataFrame], facts: Facts) -> str:
    contents = {name or "table": _records(table) for name, table in tables.items()}
    return json.dumps({"facts": facts, **contents}, ensure_ascii=False, indent=1, default=str) + "\n"


def _records(table: pd.DataFrame) -> list[dict[str, Any]]:
    names, rows = _names(table), _rows(table)
    return [dict(zip(names, map(_plain, row), strict=True)) for row in rows]


def _plain(value: Any) -> Any:
    """A value for JSON, which has no NaN and no numbers of numpy."""
    if isinstance(value, list | tuple | dict):
        return value
    return None if pd.isna(value) else value.item() if hasattr(value, "item") else value


def _csv(table: pd.DataFrame) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_names(table))
    writer.writerows(["" if pd.isna(value) else value for value in row] for row in _rows(table))
    return file.getvalue()


def _text(table: pd.DataFrame) -> str:
    rows = [[escaped_line(cell) for cell in row] for row in [_names(table), *_cells(table)]]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    signs = [">" if is_number else "<" for is_number in _numeric(table)]
    shape = "  ".join(f"{{:{sign}{width}}}" for sign, width in zip(signs, widths, strict=True))
    return "".join(f"{shape.format(*row).rstrip()}\n" for row in rows)


def _markdown(table: pd.DataFrame) -> str:
    rule = ["---:" if is_number else "---" for is_number in _numeric(table)]
    rows = [[_escaped(cell, _MARKDOWN) for cell in row] for row in [_names(table), *_cells(table)]]
    return "".join(f"| {' | '.join(row)} |\n" for row in [rows[0], rule, *rows[1:]])


def _latex(table: pd.DataFrame) -> str:
    """LaTeX for the package booktabs."""
    sides = "".join("r" if is_number else "l" for is_number in _numeric(table))
    rows = [[_escaped(cell, _LATEX) for cell in row] for row in [_names(table), *_cells(table)]]
    head, *body = [f"{' & '.join(row)} \\\\\n" for row in rows]
    parts = [
        f"\\begin{{tabular}}{{{sides}}}\n\\toprule\n",
        head,
        "\\midrule\n",
        *body,
        "\\bottomrule\n\\end{tabular}\n",
    ]
    return "".join(parts)


_MARKDOWN = {"|": "\\|", "<": "&lt;", "\n": " "}
_LATEX = {sign: f"\\{sign}" for sign in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "\n": " ",
}


def _escaped(text: str, signs: Mapping[str, str]) -> str:
    written = text.translate({ord(sign): written for sign, written in signs.items()})
    return escaped(written)


def _names(table: pd.DataFrame) -> list[str]:
    index = [str(name) if name is not None else "" for name in table.index.names]
    return [*index, *map(str, table.columns)]


def _rows(table: pd.DataFrame) -> Iterable[Sequence[Any]]:
    for key, *values in table.itertuples(name=None):
        yield [*(key if isinstance(key, tuple) else [key]), *values]


def _numeric(table: pd.DataFrame) -> list[bool]:
    return [False] * table.index.nlevels + [pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes]


def _cells(table: pd.DataFrame) -> list[list[str]]:
    return [[_cell(value) for value in row] for row in _rows(table)]


def _cell(value: Any) -> str:
    if pd.isna(value):
        return ""
    return f"{value:.{_DECIMALS}f}" if isinstance(value, float) else str(value)


class _Style(NamedTuple):
    """How a table is written, and what is said before it."""

    table: Callable[[pd.DataFrame], str]
    note: str
    title: str


_STYLES: dict[Format, _Style] = {
    "text": _Style(_text, "# {}\n", "{}\n"),
    "csv": _Style(_csv, "# {}\n", ""),
    "latex": _Style(_latex, "% {}\n", "% {}\n"),
    "markdown": _Style(_markdown, "<!-- {} -->\n", "## {}\n\n"),
}
FORMATS: tuple[Format, ...] = ("text", "csv", "json", "latex", "markdown")
