"""Load a page to label from its .anno file or from its HTML; journals come later."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from victorpy.annotation.anno_files import PageTexts, labeled_page, read
from victorpy.annotation.realignment import realigned_flags
from victorpy.annotator.label_journal import Labels
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.digests import digest
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages
from victorpy.sources.decoded_pages import decoded_page

Texts = TypeVar("Texts", bound=PageTexts)


class LoadedPage(NamedTuple, Generic[Texts]):
    """A page with the labels of its file; `base` is the digest of that file, `messages` are for the annotator."""

    page: Texts
    labels: Labels
    html: str
    annotator: str
    base: str
    messages: tuple[str, ...] = ()
    is_recut: bool = False
    flags: Mapping[int, str] = {}


def load_page(source: Path | None, anno: Path, markup: Markup, annotator: str) -> LoadedPage[Page]:
    if anno.exists():
        return _annotated(source, anno, markup, annotator)
    if source is None:
        raise UsageError("no such file", anno)
    return _unlabeled(source, markup, annotator)


def _annotated(source: Path | None, anno: Path, markup: Markup, annotator: str) -> LoadedPage[Page]:
    annotation = read(anno)
    # In the other mode, blocks would merge or split, and labels would be lost.
    page, labels, changes = labeled_page(annotation, replace(markup, mode=annotation.mode), tuple(Label))
    recut = [] if changes.is_none else [f"{anno.name}: segmented again; {changes}"]
    messages = (*recut, *_source_messages(source, anno, annotation.html))
    name = annotator or annotation.annotator
    base, flags = digest([anno.read_bytes()]), realigned_flags(annotation.texts, annotation.flags, page.texts)
    return LoadedPage(page, labels, annotation.html, name, base, messages, not changes.is_none, flags)


def _source_messages(source: Path | None, anno: Path, html: str) -> list[str]:
    """A message if the HTML file differs from the page in the .anno file, which is the one shown."""
    if source is None or not source.exists():
        return []
    try:
        is_same = _html(source) == html
    except VictorError as error:
        return [str(error)]
    return [] if is_same else [f"{source.name} has changed since; this is the page in {anno.name}"]


def _unlabeled(source: Path, markup: Markup, annotator: str) -> LoadedPage[Page]:
    """A page without labels; the labels of an .anno file as source are ignored."""
    html = _html(source)
    if source.suffix in ANNOTATION_SUFFIXES:
        given = read(source)
        page = segment(html, given.id, given.url, replace(markup, mode=given.mode))
    else:
        page = segment(html, find_pages([str(source)])[0].id, markup=markup)
    messages = () if len(page) else (f"{source.name}: the page has no text, so there is nothing to label",)
    return LoadedPage(page, [None] * len(page), html, annotator, digest([html]), messages)


def _html(source: Path) -> str:
    if source.is_dir():
        raise UsageError("a folder, not a page", source)
    if source.suffix in ANNOTATION_SUFFIXES:
        return read(source).html
    return decoded_page(find_pages([str(source)])[0]).required()
