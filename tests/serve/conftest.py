"""Clients of the application, in this process."""

from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from victorpy.serve.application import application
from victorpy.serve.server_settings import ServerSettings

US = "http://127.0.0.1:8765"


@pytest.fixture
def app() -> Iterator[Callable[..., TestClient]]:
    """Makes a client of an application with these settings. Pages are cleaned in this process."""
    opened = list[TestClient]()

    def client(**options: object) -> TestClient:
        made = TestClient(application(ServerSettings(**{"jobs": 0, **options})), base_url=US, follow_redirects=False)
        made.__enter__()
        opened.append(made)
        return made

    yield client
    for made in opened:
        made.__exit__(None, None, None)


@pytest.fixture
def small(app: Callable[..., TestClient], model: object) -> TestClient:
    """A client of a server with the small model."""
    return app(model=str(model))
