"""The outline of a page as CommonMark. Text that GitHub would read as markup is escaped, too."""

import re
from collections.abc import Sequence

from victorpy.output.outline import Code, Heading, Item, Part

_INLINE = re.compile(
    r"""
      \\ (?= [!-/:-@\[-`{-~] )             # a backslash that would escape
    | `                                    # code
    | (?<! \s ) (?<! ^ ) \* | \* (?= \S )  # emphasis, unless blanks are on both sides
    | (?<! [^\W_] ) _ (?= \S ) | (?<= \S ) _ (?! [^\W_] )  # within a word _ is only a character
    | < (?= [A-Za-z/!?] )                  # tags and links
    | & (?= \#? \w+ ; )                    # entities
    | \] (?= [(:] )                        # links and their definitions
    | ~ (?= \S ) | (?<= \S ) ~             # struck text
    """,
    re.VERBOSE,
)

# The beginnings of lines that would make a heading, a quotation, a list, a rule or a task.
_BEGINNING = re.compile(
    r"\d{1,9}(?=[.)](?:\s|$))|(?=\#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|-{3}|(?:_\s*){3}|\[[ xX]\](?:\s|$))"
)

_CLOSING_HASHES = re.compile(r"(?:(?<=\s)|^)(?=#+$)")


def markdown_text(parts: Sequence[Part]) -> str:
    """Headings, paragraphs, lists and fenced code, with a blank line between them."""
    lists = _ListMarkers()
    pieces: list[str] = []
    before: Part | None = None
    for part in parts:
        pieces += (_gap(before, part), lists.item(part, before) if isinstance(part, Item) else _block(part))
        before = part
    return "".join([*pieces, "\n"] if pieces else [])


def _gap(before: Part | None, part: Part) -> str:
    if isinstance(before, Item) and isinstance(part, Item):
        return "\n\n" if part.is_first and part.depth == 0 else "\n"
    return "\n\n" if before else ""


def _block(part: Part) -> str:
    if isinstance(part, Code):
        return _fenced(part.text)
    if isinstance(part, Heading):
        return "#" * part.level + " " + _CLOSING_HASHES.sub(r"\\", _inline(part.text))
    return escaped(part.text)


def escaped(text: str) -> str:
    """A line of text in which nothing is read as markup."""
    text = _inline(text)
    found = _BEGINNING.match(text)
    return f"{text[: found.end()]}\\{text[found.end() :]}" if found else text


def _inline(text: str) -> str:
    return _INLINE.sub(r"\\\g<0>", text)


def _fenced(code: str) -> str:
    longest = max(map(len, re.findall("`+", code)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{code}\n{fence}"


# No reader supports deeper lists, and indentation would grow with the square of the depth.
_DEEPEST = 20


class _ListMarkers:
    """The bullets and numbers of lists, and their indentation."""

    def __init__(self) -> None:
        self.widths: list[int] = []
        self.is_other = False

    def item(self, item: Item, before: Part | None) -> str:
        depth = min(item.depth, _DEEPEST)
        if item.is_first and item.depth == 0:
            # Another sign, or the item would belong to the list before.
            self.is_other = isinstance(before, Item) and not self.is_other
        sign = f"{item.number}{'.)'[self.is_other]} " if item.number else f"{'-*'[self.is_other]} "
        del self.widths[depth:]
        indent = " " * sum(self.widths)
        self.widths.append(len(sign))
        return indent + sign + escaped(item.text)
