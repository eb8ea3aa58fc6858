"""Asks child processes about the pages that are labeled: a hostile page ends its child, and the server goes on."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from anyio import from_thread

from victorpy.annotator.label_store import ResumedPage
from victorpy.annotator.page_loading import LoadedPage
from victorpy.errors import VictorError
from victorpy.foundation.processes import Crash
from victorpy.page.markup import Markup
from victorpy.serve.label_works import OpenedTexts, PageSource, RefusedWork, loaded_texts
from victorpy.serve.worker_pool import WorkerPool

Found = TypeVar("Found")

OpenedPage = ResumedPage[OpenedTexts]


_REMEDIES = {
    "timeout": " (victor serve --timeout allows more)",
    "out-of-memory": " (victor serve --max-memory allows more)",
}


class PageOutcomeError(VictorError):
    """A page has taken too much of its child process, or has ended it; it begins with the outcome."""


class LabelProcesses:
    """Functions called in child processes. Only threads that the event loop started may call them."""

    def __init__(self, pool: WorkerPool):
        self._pool = pool

    def call(self, place: Path | str, function: Callable[..., Found], *arguments: Any) -> Found:
        """What the function gives in a child; `place` is the page for messages."""
        found = from_thread.run(self._pool.result, partial(function, *arguments))
        if isinstance(found, RefusedWork):
            raise VictorError(found.message)
        if isinstance(found, Crash):
            raise PageOutcomeError(f"{found.status}: {found.reason}{_REMEDIES.get(found.status, '')}", place)
        return found  # type: ignore[no-any-return]

    def loaded(self, source: Path | None, anno: Path, markup: Markup, annotator: str) -> LoadedPage[OpenedTexts]:
        return self.call(source or anno, loaded_texts, source, anno, markup, annotator)


def page_source(opened: OpenedPage) -> PageSource:
    """The open page, to be sent to a child."""
    page = opened.page
    return PageSource(opened.html, page.id, page.url, page.markup)
