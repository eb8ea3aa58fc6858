"""What happens to the comments of a page: they are kept or dropped whatever a labeler says, or nothing else is kept."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, get_args

from victorpy.errors import UsageError, suggestion
from victorpy.labelers import Labeling
from victorpy.page.blocks import Label, Page

Comments = Literal["keep", "drop", "only"]
COMMENTS: tuple[Comments, ...] = get_args(Comments)


def checked_comments(name: str | None) -> str | None:
    if name is not None and name not in COMMENTS:
        raise UsageError(f"comments: expected one of {', '.join(COMMENTS)}, got '{name}'{suggestion(name, COMMENTS)}")
    return name


def with_comments(page: Page, labeling: Labeling, handling: str) -> Labeling:
    """The labels with the comments kept, dropped, or as the only content."""
    from victorpy.labelers.selection import overridden  # noqa: PLC0415 - selectors need more than the names of options

    are = are_comments(page, labeling.detailed, labeling.fields)
    keeps = [handling != "drop" and flag for flag in are]
    drops = are if handling == "drop" else [handling == "only" and not flag for flag in are]
    # Most comments are items of a list, which is no list to a reader.
    labels = [
        Label.PARAGRAPH if flag and label is Label.LIST else label
        for label, flag in zip(overridden(page, labeling.labels, keeps, drops), are, strict=True)
    ]
    fields = [
        Label.COMMENT if flag and label.is_content else label
        for label, flag in zip(_detailed(labeling, labels), are, strict=True)
    ]
    found = replace(labeling, labels=labels, detailed=fields, forced=[*map(bool.__or__, keeps, drops)])
    return replace(found, lead="", reason=labeling.reason or _why_empty(are)) if handling == "only" else found


def are_comments(
    page: Page, labels: Sequence[Label] | None, fields: Sequence[Label | None] | None = None
) -> list[bool]:
    """Is each block in a comment, by its label or, if no block has this label, by rules or its field?"""
    if labels and Label.COMMENT in labels:
        return [label is Label.COMMENT for label in labels]
    from victorpy.labelers.comment_sections import comment_blocks  # noqa: PLC0415

    flags: list[bool] = comment_blocks(page).tolist()
    return [flag or field is Label.COMMENT for flag, field in zip(flags, fields, strict=True)] if fields else flags


def _detailed(labeling: Labeling, labels: list[Label]) -> list[Label]:
    pairs = zip(labeling.detailed_labels, labels, strict=True)
    return [field if field.base is label else label for field, label in pairs]


def _why_empty(are: list[bool]) -> str:
    return "" if any(are) else "no comments found"
