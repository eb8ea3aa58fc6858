"""Annotated pages as outcomes, in any format."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from victorpy.annotation.anno_files import Annotation, annotation_of, dumps, page_as_annotated, read
from victorpy.annotation.realignment import realigned_flags
from victorpy.errors import VictorError
from victorpy.labelers import Labeling
from victorpy.labelers.comment_handling import with_comments
from victorpy.labelers.selection import Selection
from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import WITH_METADATA, printer
from victorpy.output.outcome import Outcome
from victorpy.page.blocks import FIELDS, Label, Page
from victorpy.page.metadata import Metadata, with_found
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import segment
from victorpy.sources import Location

log = logging.getLogger("victorpy")


class Overrides(NamedTuple):
    """What changes the annotator's labels."""

    selection: Selection | None = None
    comments: str | None = None


NO_OVERRIDES = Overrides()


def annotated_outcomes(
    files: Sequence[Location],
    format: str,
    broken: list[Location],
    options: FormatOptions = DEFAULT_OPTIONS,
    overrides: Overrides = NO_OVERRIDES,
) -> Iterator[Outcome]:
    """Annotated pages in a format, as if cleaned. Log and collect the broken files."""
    for file in files:
        try:
            annotation = read(file.path)
        except VictorError as error:
            log.error("%s", error)
            broken.append(file)
        else:
            text, columns = converted(annotation, format, options, overrides)
            metadata = Metadata(url=annotation.url, html_title=annotation.title)
            metadata = _with_found(metadata, annotation.html) if format in WITH_METADATA else metadata
            yield Outcome(id=file.id, path=file.path, status="ok", text=text, columns=columns, metadata=metadata)


def _with_found(metadata: Metadata, html: str) -> Metadata:
    return with_found(metadata, segment(html).core)


def converted(
    annotation: Annotation,
    format: str,
    options: FormatOptions = DEFAULT_OPTIONS,
    overrides: Overrides = NO_OVERRIDES,
) -> tuple[str, dict[str, str]]:
    """An annotated page as if cleaned, with the annotator's labels or those of selectors; and its other columns."""
    page, labels, _ = page_as_annotated(annotation, tuple(Label))
    has_fields = any(label in FIELDS for label in labels)
    if any(overrides):
        labels = _overridden(page, labels, overrides)
    if format == "anno":
        flags = realigned_flags(annotation.texts, annotation.flags, page.texts)
        return dumps(annotation_of(page, annotation.html, labels, annotation.annotator, flags)), {}
    detailed = [label or Label.OTHER for label in labels]
    bases = [label.base for label in detailed]
    cleaned = Cleaned(page, bases, detailed=detailed, comments_apart=overrides.comments in {"keep", "only"})
    if has_fields:
        cleaned = replace(cleaned, posts=labeled_posts(page, detailed))
    return printer(format, options)(cleaned), cleaned.columns(options.other_columns, options.without)


def _overridden(page: Page, labels: Sequence[Label | None], overrides: Overrides) -> list[Label | None]:
    """The labels as the handling of comments and the selectors change them; other blocks keep their fields."""
    detailed = [label or Label.OTHER for label in labels]
    before = [label.base for label in detailed]
    changed = Labeling(before, detailed=detailed)
    changed = with_comments(page, changed, overrides.comments) if overrides.comments else changed
    changed = overrides.selection.applied(page, changed) if overrides.selection else changed
    if changed.reason:
        log.warning("%s: %s", page.id, changed.reason)
    pairs = zip(labels, before, changed.labels, changed.detailed_labels, strict=True)
    return [field if field.base is after else label if after is was else after for label, was, after, field in pairs]
