"""Classes of HTML tags: deleted tags, tags that end a block, headings, lists, forms."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from victorpy import _core

if TYPE_CHECKING:
    from victorpy.page.elements import Flags

Mode = Literal["victor", "block", "line"]
# The parser: that of the HTML standard, or libxml2 for HTML or for XML.
Parser = Literal["html5", "lxml", "xml"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Elements that have no closing tag: HTML Standard, 13.1.2.
VOID = frozenset(_words("area base basefont br col embed frame hr img input link meta param source track wbr"))

# Shown as a box within a line: they separate the text before them from the text after them.
REPLACED = frozenset(_words("br hr img input select button textarea object video audio canvas iframe"))

# Styles nearly always separate adjacent elements of these (menus, tags, counters), while adjacent <b> and <i> may
# split a word.
APART = frozenset(_words("a abbr button cite img input label select small span time"))


@dataclass(frozen=True)
class Markup:
    """The classes of tags, named as in the original, and how they cut text into blocks.

    With `pre_lines_split`, a new line in <pre> counts as a <br> for the features `split.…`, as in the original.
    """

    parser: Parser = "html5"
    mode: Mode = "victor"
    tag_delete: tuple[str, ...] = _words(
        "applet audio canvas embed frame iframe noembed noframes object script style svg template title video"
    )
    keep_noscript: bool = True
    pre_lines_split: bool = False
    class_header: tuple[str, ...] = _words("h1 h2 h3 h4 h5 h6")
    class_bold: tuple[str, ...] = _words("b strong")
    class_italic: tuple[str, ...] = _words("address cite dfn em i var")
    class_list: tuple[str, ...] = _words("dir dd dl dt li menu ol ul")
    class_form: tuple[str, ...] = _words("button fieldset form input label legend optgroup option select textarea")
    class_inline: tuple[str, ...] = _words(
        "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong"
        " sub sup time tt u var wbr"
    )
    class_block: tuple[str, ...] = _words(
        "address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset"
        " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html isindex legend li main"
        " menu nav noscript ol optgroup option p pre search section select summary table tbody td textarea tfoot th"
        " thead title tr ul"
    )

    @property
    def deleted(self) -> tuple[str, ...]:
        return self.tag_delete if self.keep_noscript else (*self.tag_delete, "noscript")

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def core(self) -> _core.Markup:
        """The markup as the core reads it."""
        return _core.Markup(
            self.mode,
            others=[*self._others],
            deleted=[*self.deleted],
            apart=[*APART],
            parting=[*{*self.class_block, *REPLACED}],
            block=[*self.class_block],
        )

    @cached_property
    def codes(self) -> dict[str, int]:
        """A small number for each tag of the core or the config; 0 for all others."""
        return {tag: code for code, tag in enumerate([*_core.TAGS, *self._others], start=1)}

    @property
    def _others(self) -> list[str]:
        """The tags that only the config names."""
        names = ("tag_delete", *self._classes())
        return sorted({tag for name in names for tag in getattr(self, name)} - {*_core.TAGS})

    @cached_property
    def tables(self) -> "dict[str, Flags]":
        """Tables by code for each class: is a tag a heading, a list, …?"""
        tables = {name.replace("_", "-"): self.members(getattr(self, name)) for name in self._classes()}
        tables["line-break"] = self.members(["br"])
        tables["picture"] = self.members(["img"])
        return tables

    def members(self, tags: Iterable[str]) -> "Flags":
        import numpy as np  # noqa: PLC0415

        table = np.zeros(len(self.codes) + 1, np.bool_)
        table[[self.codes[tag] for tag in tags]] = True
        return table

    def _classes(self) -> list[str]:
        return [name for name in self.__dataclass_fields__ if name.startswith("class_")]


STANDARD = Markup()

# Their fallback content may hold the text that belongs to a player or a picture.
_PLAYERS = ("applet", "audio", "canvas", "object", "video")

# For labelers that take whole paragraphs.
BLOCKS = Markup(mode="block", tag_delete=tuple(tag for tag in STANDARD.tag_delete if tag not in _PLAYERS))
