"""The kind of a kept block by its markup: `h` in a heading, `l` in a list item, else `p`.

For labelers and selectors that only separate content from noise.
"""

from collections.abc import Iterable

from victorpy.page.blocks import Label, Page, once_per_page


def labels_of(page: Page, keeps: Iterable[bool]) -> list[Label]:
    """Kept blocks get their kind by markup; all others are noise."""
    labels: list[Label] = []
    is_after_content = False
    for kind, continues, is_kept in zip(kinds_by_markup(page), continuations(page), keeps, strict=True):
        is_continued = continues and is_after_content
        labels.append(Label.OTHER if not is_kept else Label.CONTINUATION if is_continued else kind)
        is_after_content = bool(is_kept)
    return labels


@once_per_page
def kinds_by_markup(page: Page) -> list[Label]:
    """Of a heading and a list item around a block, the inner one decides."""
    headings, items = _nearest(page, page.markup.class_header), _nearest(page, ("li",))
    return [
        Label.HEADER if heading > item else Label.LIST if item > heading else Label.PARAGRAPH
        for heading, item in zip(headings, items, strict=True)
    ]


@once_per_page
def continuations(page: Page) -> list[bool]:
    """Is each block in the same block-level element and on the same line as the block before it?"""
    if page.markup.mode == "block":
        return [False] * len(page)
    around, is_new_line = _nearest(page, page.markup.class_block), page.core.column("is-new-line")
    return [
        number > 0 and around[number] == around[number - 1] and not is_new_line[number] for number in range(len(page))
    ]


def _nearest(page: Page, tags: Iterable[str]) -> memoryview:
    """For each block the nearest element of these tags around it, or -1."""
    return memoryview(page.core.enclosing([*tags], page.markup.core)).cast("i")
