"""What the tags of HTML mean to us: which are deleted, which end a block, which count as headings, lists, forms."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Mode = Literal["victor", "block", "line"]


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Every other tag of HTML, past and present.
_HTML = _words(
    "a abbr acronym address article aside b bdi bdo big blockquote body button caption center cite code colgroup data"
    " datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6"
    " head header hgroup html i ins kbd label legend li main map mark menu meter nav noscript ol optgroup option output"
    " p picture pre progress q rp rt ruby s samp search section select small span strike strong sub summary sup table"
    " tbody td textarea tfoot th thead time tr tt u ul var"
)

# Elements that have no closing tag: HTML Standard, 13.1.2.
VOID = frozenset(_words("area base basefont br col embed frame hr img input link meta param source track wbr"))

# Shown as a thing of their own within a line: text on both sides of one is apart.
REPLACED = frozenset(_words("br hr img input select button textarea object video audio canvas iframe"))

# Adjacent elements of these are nearly always set apart by style (menus, tags, counters), while adjacent <b> and <i>
# may well split a word.
APART = frozenset(_words("a abbr button cite img input label select small span time"))


# Roles that say as much as a tag: https://www.w3.org/TR/wai-aria/#roles_categorization
ROLES = _words(
    "navigation main banner contentinfo complementary dialog alertdialog search article heading list listitem button"
    " tab"
)
ROLE_CODES = {role: code for code, role in enumerate(ROLES, start=1)}


@dataclass(frozen=True)
class Markup:
    """The classes of tags, as the original's options name them, and how text is cut into blocks by them."""

    # Whose values a page keeps; no option, since no block depends on it.
    attributes: ClassVar[tuple[str, ...]] = ()

    mode: Mode = "victor"
    tag_delete: tuple[str, ...] = _words(
        "applet audio canvas embed frame iframe noembed noframes object script style svg template title video"
    )
    keep_noscript: bool = True
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

    @cached_property
    def codes(self) -> dict[str, int]:
        """A small number for every tag that HTML or the config knows; 0 is any other."""
        configured = (tag for name in self._classes() for tag in getattr(self, name))
        return {tag: code for code, tag in enumerate(sorted({*_HTML, *VOID, *REPLACED, *configured}), start=1)}

    @cached_property
    def tables(self) -> dict[str, Flags]:
        """Look-up tables by code: is a tag a heading, does it part text, …?"""
        tables = {name.replace("_", "-"): self.members(getattr(self, name)) for name in self._classes()}
        tables["apart"] = self.members(APART)
        tables["parting"] = self.members({*self.class_block, *REPLACED})
        tables["line-break"] = self.members(["br"])
        tables["picture"] = self.members(["img"])
        return tables

    def members(self, tags: Iterable[str]) -> Flags:
        table = np.zeros(len(self.codes) + 1, np.bool_)
        table[[self.codes[tag] for tag in tags]] = True
        return table

    def _classes(self) -> list[str]:
        return [name for name in self.__dataclass_fields__ if name.startswith("class_")]


class CalledMarkup(Markup):
    """The same for networks that read what elements are called."""

    attributes = _words("class")

    @classmethod
    def of(cls, markup: Markup) -> "CalledMarkup":
        return cls(**{field.name: getattr(markup, field.name) for field in fields(markup)})


class NamedMarkup(Markup):
    """The same for those who read the names that sites give to elements: the page keeps these attributes."""

    attributes = _words("class id itemprop itemtype rel datetime data-testid")


STANDARD = Markup()

# What stands in for a player or a picture where there is none may hold the text that goes with it.
_PLAYERS = ("applet", "audio", "canvas", "object", "video")

# For labelers that take whole paragraphs.
BLOCKS = Markup(mode="block", tag_delete=tuple(tag for tag in STANDARD.tag_delete if tag not in _PLAYERS))
NAMED_BLOCKS = NamedMarkup(mode="block", tag_delete=BLOCKS.tag_delete)
