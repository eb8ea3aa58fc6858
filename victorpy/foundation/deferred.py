"""Functions of a table whose modules are imported when they are first called."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any


def found_at(home: str) -> Any:
    """What a place such as `output.formats.tei:tei` names; its module is imported now."""
    module, _, name = home.partition(":")
    return getattr(import_module(f"victorpy.{module}"), name)


@dataclass(frozen=True)
class Deferred:
    """A function by its place, module and name. `function` imports it."""

    home: str

    @property
    def function(self) -> Any:
        return found_at(self.home)

    def __call__(self, *values: Any, **options: Any) -> Any:
        return self.function(*values, **options)
