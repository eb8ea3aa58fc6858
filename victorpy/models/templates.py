"""CRF templates in Victor's own format: combinations of features of a block and of its neighbours.

# A comment. One template a line: a feature and the row it is taken from, relative to the block.
container.p[0]
split.br[{-1,0,1}]                          # three templates, one per row
char.{alpha,num}-rel[{-1,0}]                # four
sentence-end[-1] sentence-begin[0]          # one template: both values together
B                                           # labels depend on the label before

The template files of CRF++ are read, too: U00:%x[-1,3]/%x[0,3] is the third column of the table of features, in the row
before and in the row of the block. Column 0 of the original's table is the number of the block.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import product
from math import prod
from typing import NamedTuple

from victorpy.errors import VictorError

_BRACES = re.compile(r"\{([^{}]*)\}")
_REFERENCE = re.compile(r"(?P<feature>[^\s\[\]{}]+)\[(?P<row>[+-]?\d{1,3})\]")
LABEL_BIGRAMS = "B"

# No useful template file has more. A few braces too many would take all memory, or hours.
_MOST_REFERENCES = 100_000


class Reference(NamedTuple):
    """The value of a feature in a row before (-) or behind (+) the block."""

    feature: str
    row: int

    def __str__(self) -> str:
        return f"{self.feature}[{self.row}]"


Template = tuple[Reference, ...]


@dataclass(frozen=True)
class Templates:
    """The templates of a file, in order, without duplicates."""

    unigrams: tuple[Template, ...]
    has_label_bigrams: bool = False

    def only(self, features: Collection[str]) -> "Templates":
        """The templates that need only these features."""
        kept = (template for template in self.unigrams if all(reference.feature in features for reference in template))
        return Templates(tuple(kept), self.has_label_bigrams)

    def __str__(self) -> str:
        """One line for each template, as `parse` reads it."""
        lines = [" ".join(map(str, template)) for template in self.unigrams]
        return "".join(f"{line}\n" for line in [*lines, *[LABEL_BIGRAMS] * self.has_label_bigrams])


def parse(text: str, place: str, known: Collection[str], columns: Sequence[str] = ()) -> Templates:
    """Read a template file; `known` are the features that it may name, `columns` those of CRF++'s columns."""
    unigrams: dict[Template, None] = {}
    has_label_bigrams = False
    references = 0
    for number, line in enumerate(text.splitlines(), start=1):
        content = _without_columns(" ".join(line.partition("#")[0].split()), place, number, columns)
        references += _references(content)
        if references > _MOST_REFERENCES:
            raise VictorError(f"more than {_MOST_REFERENCES:,} references in the file", place, number)
        if content == LABEL_BIGRAMS:
            has_label_bigrams = True
        elif content:
            unigrams.update(dict.fromkeys(_templates(content, place, number, known)))
    if not unigrams and not has_label_bigrams:
        raise VictorError("expected at least one template", place)
    return Templates(tuple(unigrams), has_label_bigrams)


# A line of CRF++: U or B, a number or a name, and references joined in any way.
_CRFPP = re.compile(r"([UB])[^\s:%]*+:?+(?P<references>.*+)")
_COLUMN = re.compile(r"%x\[\s*(?P<row>[+-]?\d{1,3})\s*,\s*(?P<column>\d{1,4})\s*\]")


def _without_columns(line: str, place: str, number: int, columns: Sequence[str]) -> str:
    """A line of a CRF++ template with the names of features; other lines as they are."""
    found = _CRFPP.fullmatch(line) if "%x" in line or re.fullmatch(r"B\d+", line) else None
    if not found:
        return line
    references = [*_COLUMN.finditer(found["references"])]
    if found[1] == "B" and not references:
        return LABEL_BIGRAMS
    if found[1] == "B":
        raise VictorError("a B template with a column: only a B alone, for pairs of labels, is known", place, number)
    if not references or found["references"].count("%x") != len(references):
        raise VictorError(f"expected references such as %x[-1,3], got '{found['references']}'", place, number)
    return " ".join(_feature_of(reference, place, number, columns) for reference in references)


def _feature_of(reference: re.Match[str], place: str, number: int, columns: Sequence[str]) -> str:
    column = int(reference["column"])
    if not column:
        raise VictorError(f"{reference[0]}: column 0 is the number of the block, not a feature", place, number)
    if column > len(columns):
        known = f"columns 1 to {len(columns)}" if columns else "no columns, because the config names no features"
        raise VictorError(f"{reference[0]}: no column {column}; there are {known}", place, number)
    return f"{columns[column - 1]}[{int(reference['row'])}]"


def _references(line: str) -> int:
    """The number of references in all templates of a line."""
    lines: int = prod(alternatives.count(",") + 1 for alternatives in _BRACES.findall(line))
    return lines * len(line.split())


def _templates(line: str, place: str, number: int, known: Collection[str]) -> Iterable[Template]:
    for expanded in expansions(line):
        references = [_reference(word, place, number, known) for word in expanded.split()]
        if not references:
            raise VictorError("the line is empty for some choice of its braces", place, number)
        yield tuple(dict.fromkeys(references))


def expansions(line: str) -> Iterator[str]:
    """All combinations of one alternative from each {a,b} of the line, the first braces varying slowest."""
    parts = _BRACES.split(line)
    choices = [part.split(",") if index % 2 else [part] for index, part in enumerate(parts)]
    for choice in product(*choices):
        yield "".join(alternative.strip() if index % 2 else alternative for index, alternative in enumerate(choice))


def _reference(word: str, place: str, number: int, known: Collection[str]) -> Reference:
    match = _REFERENCE.fullmatch(word)
    if not match:
        raise VictorError(
            f"expected a reference such as container.p[0] or split.br[{{-1,0}}], got '{word}'", place, number
        )
    if match["feature"] not in known:
        nearest = get_close_matches(match["feature"], known, 1)
        hint = f"; did you mean '{nearest[0]}'?" if nearest else ""
        raise VictorError(f"no such feature '{match['feature']}'{hint}", place, number)
    return Reference(match["feature"], int(match["row"]))
