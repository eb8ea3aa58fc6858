"""Bytes in, cleaned page out: decode, segment, label."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from victorpy import models
from victorpy.blocks import Label
from victorpy.cleaned import Cleaned, Status
from victorpy.decode import Decoded, decode, is_binary
from victorpy.labelers import Labeler
from victorpy.markup import Markup
from victorpy.models import Model
from victorpy.sandbox import Crash, Limits, attempts
from victorpy.segment import segment

Html = bytes | str


@dataclass(frozen=True, eq=False)
class Cleaner:
    """Cleans pages with a labeler; it keeps nothing of one page for the next."""

    labeler: Labeler
    markup: Markup
    model: str = ""

    def clean(self, html: bytes | str, url: str | None = None, id: str = "", charset: str | None = None) -> Cleaned:
        """Never fails for what is in the page: `status` and `reason` say where there is no text, and why."""
        if isinstance(html, str):
            return self._cleaned(Decoded(html, "", 0, "text"), id, url)
        if is_binary(html):
            return without_text(id, url, "undecodable", "not a text: binary data", self.model)
        return self._cleaned(decode(html, charset), id, url)

    def _cleaned(self, decoded: Decoded, id: str, url: str | None) -> Cleaned:
        page = segment(decoded.utf8 or decoded.text, id, url, self.markup)
        labels, probabilities = self.labeler.labeling(page)
        reason = "" if any(label is not Label.OTHER for label in labels) else _why_empty(decoded, len(page))
        return Cleaned(
            page,
            labels,
            probabilities,
            status="empty" if reason else "ok",
            reason=reason,
            encoding=decoded.encoding,
            replaced=decoded.replaced,
            model=self.model,
            html=decoded.text,
        )

    def pipe(
        self, pages: Iterable[Html | tuple[Html, str | None]], jobs: int = 1, limits: Limits | None = None
    ) -> Iterator[Cleaned]:
        """Cleans a stream of pages (or pairs with a url), in order; with limits or several jobs in child processes."""
        items = (item if isinstance(item, tuple) else (item, None) for item in pages)
        for (_, url), result in attempts(self._cleaned_item, items, jobs, limits):
            if isinstance(result, Crash):
                yield without_text("", url, result.status, result.reason, self.model)
            else:
                yield result

    def _cleaned_item(self, item: tuple[Html, str | None]) -> Cleaned:
        return self.clean(*item)


def without_text(id: str, url: str | None, status: Status, reason: str, model: str = "") -> Cleaned:
    """What stands for a page that could not be cleaned."""
    return Cleaned(segment("", id, url), [], [], status=status, reason=reason, encoding="", model=model)


def _why_empty(decoded: Decoded, blocks: int) -> str:
    if not decoded.text.strip():
        return "the page is empty"
    return "no block of the page is content" if blocks else "no text in the page"


def load(model: str = "web", **decoding: Any) -> Cleaner:
    """The cleaner of a model, by name or folder; `decoding` changes its decoding, such as bias=0.5."""
    return cleaner(models.load(model).decoding_by(**decoding))


def cleaner(model: Model) -> Cleaner:
    return Cleaner(model, model.config.markup, model.digest)
