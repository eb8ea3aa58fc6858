"""Spark: a function for DataFrame.mapInPandas."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from victorpy.pipeline.adapters.frames import FrameCleaner, made_columns

if TYPE_CHECKING:
    import pandas as pd


def schema(*columns: str) -> str:
    """The schema of a table with these texts, such as "text" and "markdown"."""
    return ", ".join(f"{name} string" for name in made_columns(columns))


SCHEMA = schema("text")


def cleaned(**options: Any) -> "Callable[[Iterable[pd.DataFrame]], Iterator[pd.DataFrame]]":
    """The function that mapInPandas calls on each partition. The options are the fields of FrameCleaner."""
    return partial(_each, FrameCleaner(**options))


def _each(cleaner: FrameCleaner, frames: "Iterable[pd.DataFrame]") -> "Iterator[pd.DataFrame]":
    return map(cleaner, frames)
