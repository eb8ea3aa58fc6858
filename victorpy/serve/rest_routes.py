"""The REST interface: pages in, JSON out."""

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from victorpy.serve.clean_choices import choices
from victorpy.serve.open_api import open_api
from victorpy.serve.page_batches import batch
from victorpy.serve.page_requests import task_of
from victorpy.serve.page_service import service_of, settings_of
from victorpy.serve.page_tasks import QUICK_TABLES, TABLES, Answer, Work


def rest_routes() -> Sequence[BaseRoute]:
    return [
        Route("/health", _health),
        Route("/metrics", _metrics),
        Route("/openapi.json", _open_api),
        Route("/api/choices", _choices),
        Route("/api/clean", _clean, methods=["POST"]),
        Route("/api/batch", batch, methods=["POST"]),
        Route("/api/explain", _explain, methods=["POST"]),
        Route("/api/perplexity", _perplexity, methods=["POST"]),
    ]


async def _health(_: Request) -> Response:
    return JSONResponse({"status": "ok"})


async def _metrics(request: Request) -> Response:
    service = service_of(request)
    return PlainTextResponse(service.metrics.text(service.pools), media_type="text/plain; version=0.0.4")


async def _open_api(request: Request) -> Response:
    return JSONResponse(open_api(settings_of(request)))


async def _choices(request: Request) -> Response:
    # A form has been opened, and may soon ask why.
    service_of(request).pools["explain"].open()
    return JSONResponse(choices(settings_of(request)))


async def _clean(request: Request) -> Response:
    return await _answered(request, "clean")


async def _perplexity(request: Request) -> Response:
    return await _answered(request, "perplexity")


async def _answered(request: Request, work: Work) -> Response:
    task, _ = await task_of(request, settings_of(request))
    return _response(await service_of(request).answer(task._replace(work=work)))


async def _explain(request: Request) -> Response:
    task, others = await task_of(request, settings_of(request), ("block", "tables"))
    asked = task._replace(work="explain", block=_number(others.get("block", 0)), tables=_tables(others.get("tables")))
    return _response(await service_of(request).answer(asked))


def _number(given: object) -> int:
    """The number of a block; in an address it is text."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        return int(given[:9])
    if isinstance(given, bool) or not isinstance(given, int):
        raise HTTPException(400, "block: expected the number of a block")
    return given


def _tables(given: object) -> tuple[str, ...]:
    names = given.split(",") if isinstance(given, str) else QUICK_TABLES if given is None else given
    if not isinstance(names, list | tuple) or not all(name in TABLES for name in names):
        raise HTTPException(400, f"tables: expected some of {', '.join(TABLES)}")
    return tuple(dict.fromkeys(names))


def _response(answer: Answer) -> Response:
    return Response(answer.body, 400 if answer.is_wrong else 200, media_type="application/json")
