"""The page that is to be labeled, by its .anno file or by its HTML, before any journal is looked at."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.annotator.label_journal import Labels
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import digest
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import ANNOTATION_SUFFIXES, decoded_page, find_pages


class Start(NamedTuple):
    """A page with the labels of its file, which has this digest; `messages` tell what a person would want to know."""

    page: Page
    labels: Labels
    html: str
    annotator: str
    base: str
    messages: tuple[str, ...] = ()
    is_recut: bool = False


def start_of(source: Path | None, anno: Path, markup: Markup, annotator: str) -> Start:
    if anno.exists():
        return _annotated(source, anno, markup, annotator)
    if source is None:
        raise UsageError("no such file", anno)
    return _fresh(source, markup, annotator)


def _annotated(source: Path | None, anno: Path, markup: Markup, annotator: str) -> Start:
    annotation = read(anno)
    # Cut in the other mode, blocks would merge or split, and what somebody decided be lost.
    page, labels, changes = labeled_page(annotation, replace(markup, mode=annotation.mode), tuple(Label))
    cut = [] if changes.is_none else [f"{anno.name}: cut anew; {changes}"]
    messages = (*cut, *_doubts(source, anno, annotation.html))
    name = annotator or annotation.annotator
    return Start(page, labels, annotation.html, name, digest([anno.read_bytes()]), messages, not changes.is_none)


def _doubts(source: Path | None, anno: Path, html: str) -> list[str]:
    """The .anno file has the page in it; whether the page beside it is another is worth telling, and no more."""
    if source is None or not source.exists():
        return []
    try:
        is_same = _html(source) == html
    except VictorError as error:
        return [str(error)]
    return [] if is_same else [f"{source.name} has changed since; shown is the page in {anno.name}"]


def _fresh(source: Path, markup: Markup, annotator: str) -> Start:
    """A page that nobody has labeled; of an .anno file too, whose labels are then not looked at."""
    html = _html(source)
    if source.suffix in ANNOTATION_SUFFIXES:
        given = read(source)
        page = segment(html, given.id, given.url, replace(markup, mode=given.mode))
    else:
        page = segment(html, find_pages([str(source)])[0].id, markup=markup)
    messages = () if len(page) else (f"{source.name}: no text in the page, so there is nothing to label",)
    return Start(page, [None] * len(page), html, annotator, digest([html]), messages)


def _html(source: Path) -> str:
    if source.is_dir():
        raise UsageError("a folder, not a page", source)
    if source.suffix in ANNOTATION_SUFFIXES:
        return read(source).html
    return decoded_page(find_pages([str(source)])[0]).required()
