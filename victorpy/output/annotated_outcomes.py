"""Annotated pages as outcomes, in any format."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from victorpy.annotation.anno_files import Annotation, annotation_of, dumps, labeled_page, read
from victorpy.errors import VictorError
from victorpy.labelers import Labeling
from victorpy.labelers.selection import Selection
from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import WITH_METADATA, printer
from victorpy.output.outcome import Outcome
from victorpy.page.blocks import FIELDS, Label, Page
from victorpy.page.markup import Markup
from victorpy.page.metadata import Metadata, with_found
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import segment
from victorpy.sources import Location

log = logging.getLogger("victorpy")


def annotated_outcomes(
    files: Sequence[Location],
    format: str,
    broken: list[Location],
    options: FormatOptions = DEFAULT_OPTIONS,
    selection: Selection | None = None,
) -> Iterator[Outcome]:
    """Annotated pages in a format, as if cleaned. Log and collect the broken files."""
    for file in files:
        try:
            annotation = read(file.path)
        except VictorError as error:
            log.error("%s", error)
            broken.append(file)
        else:
            text, columns = converted(annotation, format, options, selection)
            metadata = Metadata(url=annotation.url, html_title=annotation.title)
            metadata = _with_found(metadata, annotation.html) if format in WITH_METADATA else metadata
            yield Outcome(id=file.id, path=file.path, status="ok", text=text, columns=columns, metadata=metadata)


def _with_found(metadata: Metadata, html: str) -> Metadata:
    return with_found(metadata, segment(html).core)


def converted(
    annotation: Annotation, format: str, options: FormatOptions = DEFAULT_OPTIONS, selection: Selection | None = None
) -> tuple[str, dict[str, str]]:
    """An annotated page as if cleaned, with the annotator's labels or those of selectors; and its other columns."""
    page, labels, _ = labeled_page(annotation, Markup(mode=annotation.mode), tuple(Label))
    if selection:
        labels = _selected(page, labels, selection)
    if format == "anno":
        return dumps(annotation_of(page, annotation.html, labels, annotation.annotator)), {}
    detailed = [label or Label.OTHER for label in labels]
    cleaned = Cleaned(page, [label.base for label in detailed], detailed=detailed)
    if any(label in FIELDS for label in detailed):
        cleaned = replace(cleaned, posts=labeled_posts(page, detailed))
    return printer(format, options)(cleaned), cleaned.columns(options.other_columns, options.without)


def _selected(page: Page, labels: Sequence[Label | None], selection: Selection) -> list[Label | None]:
    """A block that selectors leave as it is keeps its field."""
    detailed = [label or Label.OTHER for label in labels]
    before = [label.base for label in detailed]
    changed = selection.applied(page, Labeling(before))
    if changed.reason:
        log.warning("%s: %s", page.id, changed.reason)
    pairs = zip(labels, before, changed.labels, strict=True)
    return [label if after is was else after for label, was, after in pairs]
