"""Many pages in one request: a JSON list, or a stream of lines, with a result for each in the same order."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from victorpy.serve.clean_options import options_in_address
from victorpy.serve.page_requests import check_options, content_type, task_in
from victorpy.serve.page_service import PageService, error_in, service_of, settings_of
from victorpy.serve.page_tasks import as_json
from victorpy.serve.request_bodies import body_of, json_object, pieces, too_large
from victorpy.serve.server_settings import ServerSettings

NDJSON = "application/x-ndjson"
_MOST_PAGES = 1_000
# So many pages of a stream are on their way for each process: enough that none waits for the client.
_AHEAD = 4


class _Lines(Response):
    """Sends lines while the body is still being read; starlette's own class would take pieces of the body away."""

    media_type = NDJSON

    def __init__(self, lines: AsyncIterator[bytes]):
        super().__init__()
        self.lines = lines
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for line in self.lines:
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def batch(request: Request) -> Response:
    settings, service = settings_of(request), service_of(request)
    in_address = options_in_address(request.query_params.multi_items())
    check_options(in_address, settings)
    if content_type(request)[0] == NDJSON:
        return _Lines(_streamed(request, service, settings))
    given = json_object(await body_of(request, settings, 4 * settings.max_bytes))
    pages, shared = given.get("pages"), {name: value for name, value in given.items() if name != "pages"}
    if not isinstance(pages, list):
        raise HTTPException(400, "pages: expected a list of objects, each with the 'html' of a page")
    if len(pages) > _MOST_PAGES:
        raise HTTPException(400, f"pages: expected at most {_MOST_PAGES}, got {len(pages)}; send lines of JSON instead")
    check_options(shared, settings)
    shared = {**in_address, **shared}
    results = [one async for one in _in_order(_each(pages), shared, service, settings)]
    return Response(b'{"results":[' + b",".join(results) + b"]}", media_type="application/json")


async def _each(pages: Iterable[Any]) -> AsyncIterator[Any]:
    for page in pages:
        yield page


async def _in_order(
    pages: AsyncIterator[Any], shared: Mapping[str, Any], service: PageService, settings: ServerSettings
) -> AsyncIterator[bytes]:
    """The results in the order of the pages, while later pages are already being cleaned."""
    running = deque[asyncio.Task[bytes]]()
    try:
        async for page in pages:
            running.append(asyncio.create_task(_result(page, shared, service, settings)))
            while running and (running[0].done() or len(running) > _AHEAD * max(settings.jobs, 1)):
                yield await running.popleft()
        while running:
            yield await running.popleft()
    finally:
        for task in running:
            task.cancel()


async def _result(page: Any, shared: Mapping[str, Any], service: PageService, settings: ServerSettings) -> bytes:
    """The result of one page. What is wrong with one request does not end the others."""
    name = page.get("id") if isinstance(page, Mapping) else None
    try:
        if not isinstance(page, Mapping):
            raise page if isinstance(page, HTTPException) else HTTPException(400, "expected a JSON object")
        task, _ = task_in({**shared, **page}, settings)
        answer = await service.answer(task)
        return answer.body if not answer.is_wrong else _refused(name, error_in(answer))
    except HTTPException as error:
        return _refused(name, error.detail)


def _refused(name: Any, reason: str) -> bytes:
    return as_json({"id": name if isinstance(name, str) else "", "status": "refused", "reason": reason})


async def _streamed(request: Request, service: PageService, settings: ServerSettings) -> AsyncIterator[bytes]:
    shared = options_in_address(request.query_params.multi_items())
    async for result in _in_order(_pages(request, settings), shared, service, settings):
        yield result + b"\n"


async def _pages(request: Request, settings: ServerSettings) -> AsyncIterator[Any]:
    """The object of each line, or what is wrong with it."""
    try:
        async for line in _lines(request, settings):
            if line.strip():
                yield _object(line)
    except HTTPException as error:
        yield error


def _object(line: bytes) -> Any:
    try:
        return json_object(line)
    except HTTPException as error:
        return error


async def _lines(request: Request, settings: ServerSettings) -> AsyncIterator[bytes]:
    rest, size = bytearray(), 0
    async for piece in pieces(request, settings.idle_seconds):
        size += len(piece)
        if size > settings.max_batch_bytes:
            raise too_large(settings.max_batch_bytes)
        rest += piece
        if b"\n" in piece:
            *whole, last = rest.split(b"\n")
            rest = bytearray(last)
            for line in whole:
                yield bytes(line)
        if len(rest) > 3 * settings.max_bytes:
            raise too_large(settings.max_bytes)
    if rest:
        yield bytes(rest)
