"""All that is known of a page, for programs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from json import dumps
from typing import Any

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.escapes import printable
from victorpy.output.formats.text import text
from victorpy.page.blocks import Label, Page
from victorpy.page.passages import Passage
from victorpy.page.posts import Post
from victorpy.page.segment import segment


def json(cleaned: Cleaned) -> str:
    """One object over many lines."""
    return dumps(record(cleaned), ensure_ascii=False, indent=1) + "\n"


def record(cleaned: Cleaned) -> dict[str, Any]:
    return {
        "id": printable(cleaned.page.id),
        "url": None if cleaned.url is None else printable(cleaned.url),
        "title": printable(cleaned.title),
        "status": cleaned.status,
        "reason": printable(cleaned.reason),
        "language": cleaned.language or None,
        "confidence": _rounded(cleaned.confidence),
        "encoding": cleaned.encoding,
        "replaced": cleaned.replaced,
        "model": cleaned.model,
        "text": text(cleaned),
        "blocks": [
            {
                "id": block.id,
                "label": block.label,
                "text": printable(block.text),
                "probability": _rounded(block.probability),
            }
            for block in cleaned.blocks
        ],
        "passages": [
            {"label": passage.label, "text": printable(passage.text), "blocks": passage.blocks}
            for passage in cleaned.passages
        ],
    } | _posts(cleaned)


def _posts(cleaned: Cleaned) -> dict[str, Any]:
    """There, if the labeler knows of posts."""
    if cleaned.posts is None:
        return {}
    return {"posts": [_post(cleaned, post) for post in cleaned.posts]}


def _post(cleaned: Cleaned, post: Post) -> dict[str, Any]:
    return {
        "title": printable(post.title),
        "date": printable(post.date),
        "datetime": printable(post.datetime),
        "author": printable(post.author),
        "body": _lines(cleaned, post.blocks),
        "blocks": post.blocks,
    } | ({"comments": _lines(cleaned, post.comments)} if post.comments else {})


def _lines(cleaned: Cleaned, blocks: Sequence[int]) -> str:
    return "".join(f"{printable(passage.text)}\n" for passage in cleaned.passages_of(blocks))


def _rounded(probability: float | None) -> float | None:
    # A column of float32 gives numbers that JSON does not know.
    return None if probability is None else round(float(probability), 6)


@dataclass(frozen=True, eq=False)
class _Recorded(Cleaned):
    """A page of which there are passages, and no blocks any more."""

    kept: Sequence[Passage] = ()

    @cached_property
    def passages(self) -> list[Passage]:
        return list(self.kept)


@cache
def _no_page() -> Page:
    return segment("", "")


def cleaned_of(record: Mapping[str, Any]) -> Cleaned:
    """What a record tells of a page, as far as formats without blocks print it."""
    page = replace(_no_page(), id=record["id"], url=record["url"], title=record["title"])
    kept = [
        Passage(Label(passage["label"]), passage["text"], tuple(passage["blocks"])) for passage in record["passages"]
    ]
    return _Recorded(page, [], kept=kept)
