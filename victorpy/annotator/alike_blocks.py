"""Blocks that a site makes alike: in elements of the same tags and classes. One label can serve them all."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from victorpy.annotation.page_sites import named_site
from victorpy.annotator.label_store import ResumedPage, resume_page
from victorpy.annotator.page_queue import QueuedPage
from victorpy.annotator.session import Labels
from victorpy.errors import VictorError
from victorpy.page.blocks import Label, Page, once_per_page
from victorpy.page.markup import Markup

_NUMBER = re.compile(r"\d+")


class AlikeResult(NamedTuple):
    """How many blocks got the label, on how many other pages; and why pages were left out."""

    blocks: int = 0
    pages: int = 0
    problems: tuple[str, ...] = ()


def alike_message(here: int, elsewhere: AlikeResult) -> str:
    """What label-alike did, in a line."""
    blocks = f"{here} more block{'s' * (here != 1)} here"
    others = f"{elsewhere.blocks} on {elsewhere.pages} other page{'s' * (elsewhere.pages != 1)}"
    left_out = f"; left out: {'; '.join(elsewhere.problems[:3])}" if elsewhere.problems else ""
    return f"labeled alike: {blocks}, {others}{left_out}"


@once_per_page
def block_paths(page: Page) -> list[str]:
    """For each block the tags and classes of the elements around it; numbers in classes do not count."""
    tags, classes, parents = page.elements.tags, page.attributes["class"], page.elements.parents.tolist()
    paths = [""] * len(tags)
    for element, tag in enumerate(tags):
        names = sorted(set(_NUMBER.sub("#", classes[element] or "").split()))
        outer = f"{paths[parents[element]]} > " if element else ""
        paths[element] = outer + ".".join([tag, *names])
    return [paths[element] for element in page.element.tolist()]


def alike(page: Page, path: str) -> list[int]:
    """The blocks with this path."""
    return [block for block, other in enumerate(block_paths(page)) if other == path]


def with_alike(page: Page, labels: Labels, path: str, label: Label) -> Labels:
    """The labels, with this one on all unlabeled blocks of the path."""
    return labeled_at(labels, alike(page, path), label)


def labeled_at(labels: Labels, blocks: Iterable[int], label: Label) -> Labels:
    """The labels, with this one on those of the blocks that have none."""
    found = set(blocks)
    return tuple(label if old is None and block in found else old for block, old in enumerate(labels))


class AlikeBlocks(NamedTuple):
    """What the blocks alike have in common, and their label."""

    site: str
    path: str
    label: Label


def alike_blocks(page: Page, html: str, block: int, label: Label) -> AlikeBlocks:
    return AlikeBlocks(named_site(page, html), block_paths(page)[block], label)


def alike_there(page: Page, html: str, wanted: AlikeBlocks) -> list[int]:
    """The blocks alike of another page; none if it is of another site."""
    return alike(page, wanted.path) if named_site(page, html) == wanted.site else []


def label_alike(entries: Iterable[QueuedPage], wanted: AlikeBlocks, markup: Markup, annotator: str = "") -> AlikeResult:
    """Give the label to the unlabeled blocks alike of these pages, as far as they are of the site, and save them."""
    return label_blocks(
        entries,
        wanted.label,
        lambda entry: resume_page(entry.source, entry.anno, markup, annotator),
        lambda opened: alike_there(opened.page, opened.html, wanted),
    )


Opened = Callable[[QueuedPage], ResumedPage[Any]]
Chosen = Callable[[ResumedPage[Any]], Collection[int]]


def label_blocks(entries: Iterable[QueuedPage], label: Label, opened: Opened, chosen: Chosen) -> AlikeResult:
    """Open these pages, give the label to the chosen blocks that have none, and save them."""
    counts: Counter[str] = Counter()
    problems = []
    for entry in entries:
        try:
            count = _labeled(opened(entry), label, chosen)
        except VictorError as error:
            problems.append(str(error))
        else:
            counts.update(blocks=count, pages=int(count > 0))
    return AlikeResult(counts["blocks"], counts["pages"], tuple(problems))


def _labeled(opened: ResumedPage[Any], label: Label, chosen: Chosen) -> int:
    """How many blocks of the page got the label."""
    before = labels = opened.labels
    try:
        labels = labeled_at(before, chosen(opened), label)
    finally:
        # A page that does not change gets no file; a journal of an earlier session is only removed with a file.
        opened.store.close(labels, opened.cursor)
    return sum(new is not old for new, old in zip(labels, before, strict=True))
