"""The pools of child processes of a server, and the way of a task through them."""

import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request

from victorpy.fetching.fetched import Fetched
from victorpy.foundation.processes import Crash, Limits
from victorpy.serve.label_processes import LabelProcesses
from victorpy.serve.label_works import result_of, warm_up
from victorpy.serve.page_fetching import PageFetching
from victorpy.serve.page_tasks import Answer, PageTask, as_json, failed_record
from victorpy.serve.page_worker import PageWorker
from victorpy.serve.server_metrics import ServerMetrics
from victorpy.serve.server_settings import ServerSettings
from victorpy.serve.worker_pool import WorkerPool

# Libraries for tables reserve 1.5 GB of addresses, of which they use a tenth.
_EXPLAINING = Limits(120.0, 4_000)


class PageService:
    """Cleans, explains and opens pages.

    Explaining loads pandas and takes longer, so it has a pool of its own. The pool for labeling starts with the first
    page that is opened there.
    """

    def __init__(self, settings: ServerSettings):
        function, jobs, limits = PageWorker(settings.model), settings.jobs, settings.limits
        warm, all_warm = PageTask("warm-up"), PageTask("warm-up", block=1)
        self.metrics = ServerMetrics()
        self.fetching = PageFetching(settings.max_bytes) if settings.allow_fetch else None
        self.pools = {
            "clean": WorkerPool(function, jobs, limits, warm),
            "explain": WorkerPool(function, min(jobs, 1), _EXPLAINING, all_warm, spares=0, most_waiting=50),
            "label": WorkerPool(result_of, min(jobs, 2), limits, warm_up, spares=0),
        }
        self.labeling = LabelProcesses(self.pools["label"])

    @asynccontextmanager
    async def running(self, _: Starlette) -> AsyncIterator[dict[str, Any]]:
        """While the application runs, its children do. Those that explain start when a form is opened."""
        self.pools["clean"].open()
        try:
            yield {}
        finally:
            for pool in self.pools.values():
                pool.close()
            if self.fetching:
                self.fetching.close()

    async def answer(self, task: PageTask) -> Answer:
        """The answer to a task. A page that kills its process or hangs has its outcome as its answer."""
        begun = time.monotonic()
        if task.is_address and self.fetching:
            found = await self.fetching.fetched(task.url or "")
            if found.data is None:
                return _answer_of(task, "unreadable", found.problem)
            task = _with_page(task, found)
        pool = self.pools["clean" if task.work == "clean" else "explain"]
        result: Answer | Crash = await pool.result(task)
        if isinstance(result, Crash):
            result = _answer_of(task, result.status, result.reason)
        if task.work == "clean" and not result.is_wrong:
            self.metrics.add_page(result.status, time.monotonic() - begun)
        return result


def _with_page(task: PageTask, found: Fetched) -> PageTask:
    raw = found.raw_page(task.id)
    task = task._replace(is_address=False, is_text=raw.is_text, is_xml=raw.is_xml)
    return task._replace(html=found.data or b"", charset=found.charset, url=found.final_url)


def _answer_of(task: PageTask, status: str, reason: str) -> Answer:
    return Answer(status, as_json(failed_record(task, status, reason)))


def service_of(request: Request) -> PageService:
    found: PageService = request.app.state.service
    return found


def settings_of(request: Request) -> ServerSettings:
    found: ServerSettings = request.app.state.settings
    return found


def error_in(answer: Answer) -> str:
    return str(json.loads(answer.body).get("error", ""))
