"""The options of formats."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from victorpy._core import MARKDOWN_PARTS
from victorpy.errors import OptionError, UsageError, suggestion

COLUMNS = ("text", "markdown", "html")


def check_names(option: str, names: tuple[str, ...], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise OptionError(f"expected {', '.join(known)}, got '{name}'{suggestion(name, known)}", option)


@dataclass(frozen=True, kw_only=True)
class FormatOptions:
    """`without` names what Markdown leaves out, `columns` the texts that records and tables hold.

    Records list the content blocks of a page or, with `all_blocks`, its noise as well. With `front_matter`, Markdown
    begins with the metadata of the page.
    """

    without: tuple[str, ...] = ()
    all_blocks: bool = False
    columns: tuple[str, ...] = ("text",)
    front_matter: bool = False

    def __post_init__(self) -> None:
        check_names("without", self.without, MARKDOWN_PARTS)
        check_names("columns", self.columns, COLUMNS)
        if not self.columns:
            raise OptionError(f"expected at least one of {', '.join(COLUMNS)}", "columns")

    def changed(self) -> dict[str, Any]:
        """The options that are not the default."""
        return {name: getattr(self, name) for name in NAMES if getattr(self, name) != getattr(DEFAULT_OPTIONS, name)}

    @property
    def other_columns(self) -> tuple[str, ...]:
        """The columns besides the text, which every outcome has."""
        return tuple(name for name in self.columns if name != "text")

    def check(self, format: str, allowed: frozenset[str]) -> None:
        """Refuse an option that the format does not have."""
        unknown = next((name for name in self.changed() if name not in allowed), None)
        if unknown:
            known = ", ".join(f"--{name.replace('_', '-')}" for name in NAMES if name in allowed) or "none"
            raise UsageError(f"{format} has no option --{unknown.replace('_', '-')} (its options: {known})")
        if "columns" in allowed and self.without and "markdown" not in self.columns:
            raise UsageError(f"--without needs the format markdown, or --columns with markdown, got {format}")


NAMES = tuple(field.name for field in fields(FormatOptions))
DEFAULT_OPTIONS = FormatOptions()
