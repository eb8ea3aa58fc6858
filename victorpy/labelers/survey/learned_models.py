"""The files of learned labelers: YAML, readable by people, found by name like models."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from victorpy.errors import VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.resources import find
from victorpy.foundation.yaml_options import read

Learned = TypeVar("Learned")


@dataclass(frozen=True)
class LearnedPages:
    """The annotated pages that a labeler has learned from."""

    pages: int
    blocks: int
    digest: str = ""
    source: str = ""
    licence: str = ""


def learned_model(kind: type[Learned], name: str, fits: Callable[[Learned], str]) -> Learned:
    """The model of this kind with this name or path. `fits` says what is wrong with it, or nothing."""
    path = find("labeler-models", name)
    found: Learned = _read(kind, path, path.stat().st_mtime_ns, fits)  # type: ignore[arg-type]
    return found


@lru_cache(maxsize=8)
def _read(kind: Hashable, path: Path, _: int, fits: Callable[[Any], str]) -> Any:
    found: Any = read(kind, read_text(path), path)  # type: ignore[arg-type]
    problem = fits(found)
    if problem:
        raise VictorError(f"not a model of this labeler: {problem}", path)
    return found
