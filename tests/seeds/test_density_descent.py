"""WC Cleaner: the descent to the densest part, against a brute-force reading of its rules on random pages."""

import random

import pytest

from victorpy.labelers.density import main_part
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment

STRUCTURAL = ("div", "p", "ul", "section")
OTHER = ("span", "b", "em")


def random_html(chance, depth=0):
    parts = []
    for _ in range(chance.randint(1, 4)):
        tag = chance.choice(STRUCTURAL + OTHER)
        inner = random_html(chance, depth + 1) if depth < 4 and tag != "p" and chance.random() < 0.6 else ""
        parts.append(f"<{tag}>{'word ' * chance.randint(0, 9)}{inner}</{tag}>")
    return "".join(parts)


class Element:
    """An element as a list of children, with its place among all elements."""

    def __init__(self, page, number):
        self.page, self.number = page, number
        parents = page.elements.parents
        found = [child for child in range(1, len(parents)) if parents[child] == number and child != number]
        self.children = [Element(page, child) for child in found]
        self.is_structural = page.elements.tags[number] in BLOCKS.class_block

    def characters(self):
        return sum(
            int(length)
            for element, length in zip(self.page.element.tolist(), self.page.lengths, strict=True)
            if self.holds(element)
        )

    def holds(self, number):
        return number == self.number or any(child.holds(number) for child in self.children)

    def structural(self):
        return self.is_structural + sum(child.structural() for child in self.children)

    def density(self):
        return self.characters() / max(self.structural(), 1)

    def structural_children(self):
        """Those of its children, and of the other elements around them."""
        for child in self.children:
            if child.is_structural:
                yield child
            else:
                yield from child.structural_children()


def descended(element, share):
    children = list(element.structural_children())
    densest = max(children, key=lambda child: (child.density(), -child.number), default=None)
    if densest is None or not densest.characters() > share * element.characters():
        return element
    return descended(densest, share)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("share", [0.3, 0.5, 0.8])
def test_the_descent_ends_where_its_rules_say(seed, share):
    page = segment(f"<body>{random_html(random.Random(seed))}</body>", markup=BLOCKS)
    body = Element(page, page.elements.tags.index("body"))

    expected = descended(body, share)

    found = main_part(page, share)
    assert (found.element, found.density) == (expected.number, pytest.approx(expected.density()))
