"""The application: the views, the REST interface and the guard before them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from victorpy.serve.json_answers import JsonAnswer
from victorpy.serve.labeled_folder import LabeledFolder
from victorpy.serve.page_service import PageService
from victorpy.serve.page_shell import page_shell
from victorpy.serve.request_guard import RequestGuard
from victorpy.serve.rest_routes import rest_routes
from victorpy.serve.server_settings import ServerSettings
from victorpy.serve.views import VIEWS

STATIC = Path(__file__).parent / "static"


def application(settings: ServerSettings) -> Starlette:
    """The application that a server such as uvicorn runs."""
    views = [Route(f"/{name}", partial(_view, name)) for name in VIEWS]
    of_views = [route for view in VIEWS.values() for route in view.routes(settings)]
    static = Mount("/static", StaticFiles(directory=STATIC))
    service = PageService(settings)
    labeled = LabeledFolder(settings, service.labeling)
    made = Starlette(
        routes=[Route("/", _first_view), *views, *of_views, *rest_routes(), static],
        middleware=[Middleware(RequestGuard, settings=settings)],
        exception_handlers={HTTPException: _error},
        lifespan=partial(_running, service, labeled),
    )
    made.state.settings, made.state.service, made.state.labeled = settings, service, labeled
    return made


@asynccontextmanager
async def _running(service: PageService, labeled: LabeledFolder, made: Starlette) -> AsyncIterator[dict[str, Any]]:
    """At its end the server saves the pages that are open."""
    async with service.running(made) as state:
        try:
            yield state
        finally:
            labeled.end()


async def _first_view(_: Request) -> Response:
    return RedirectResponse(f"/{next(iter(VIEWS))}", 303)


async def _view(name: str, _: Request) -> Response:
    return HTMLResponse(page_shell(name, VIEWS))


async def _error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JsonAnswer({"error": error.detail}, error.status_code, error.headers)
