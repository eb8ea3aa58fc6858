"""Finds configs, templates and models by name: first the user's own, then the shipped ones."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

from victorpy.errors import UsageError, suggestion

Kind = Literal["configs", "templates", "models", "language-models", "labeler-models"]

_SHAPES: Mapping[Kind, str] = {
    "configs": "*.yaml",
    "templates": "*.tpl",
    "models": "*/model.yaml",
    "language-models": "*/lm.yaml",
    "labeler-models": "*.yaml",
}


# Files of the original Victor.
_EARLIER_SUFFIXES: Mapping[Kind, tuple[str, ...]] = {"configs": (".conf",)}


def find(kind: Kind, name: str) -> Path:
    """The file, or the folder of a model, with this name or path."""
    if is_path(kind, name):
        return existing(kind, Path(name))
    known = available(kind)
    if name in known:
        return known[name]
    hint = suggestion(name, known) or (f"; as a path, write './{name}'" if os.path.exists(name) else "")
    raise UsageError(f"no {kind[:-1]} '{name}' (known: {', '.join(known) or 'none'}){hint}")


def available(kind: Kind) -> dict[str, Path]:
    """The names that can be used, and their paths."""
    found: dict[str, Path] = {}
    for name, path in named(kind):
        found.setdefault(name, path)
    return dict(sorted(found.items()))


def named(kind: Kind) -> Iterator[tuple[str, Path]]:
    """Names and paths; the first of equal names is the one that is used."""
    for folder in _folders(kind):
        for path in sorted(folder.glob(_SHAPES[kind])):
            yield (path.parent.name, path.parent) if _is_folder(kind) else (path.stem, path)


def _folders(kind: Kind) -> list[Path]:
    """The user's folders, then the shipped one."""
    home = os.environ.get("VICTORPY_HOME")
    return [Path(kind), *([Path(home, kind)] if home else []), shipped(kind)]


def shipped(kind: Kind) -> Path:
    """The folder inside the package, or beside it in a checkout."""
    package = Path(__file__).parent.parent
    return (package / "data" if (package / "data").is_dir() else package.parent) / kind


def _is_folder(kind: Kind) -> bool:
    return "/" in _SHAPES[kind]


def is_path(kind: Kind, name: str) -> bool:
    suffixes = (Path(_SHAPES[kind]).suffix, *_EARLIER_SUFFIXES.get(kind, ()))
    return any(separator in name for separator in {"/", os.sep}) or name.endswith(suffixes)


def existing(kind: Kind, path: Path) -> Path:
    # os.path, because Path raises an error if the name is too long.
    if not (os.path.isdir(path) if _is_folder(kind) else os.path.isfile(path)):
        raise UsageError(f"{path}: no such {kind[:-1]}")
    return path
