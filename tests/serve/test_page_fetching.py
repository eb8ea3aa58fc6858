"""Pages that requests name by address."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import Fetcher

PAGE = "<h1>Ferry times</h1><p>The ferry leaves at seven, long before the island is awake.</p>"


class Site(BaseHTTPRequestHandler):
    """A site with one page, and an address that leads to it."""

    def do_GET(self) -> None:
        is_moved, is_robots = self.path == "/moved", self.path == "/robots.txt"
        self.send_response(302 if is_moved else 404 if is_robots else 200)
        self.send_header("location", "/page")
        self.send_header("content-type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_without_leave_no_page_is_fetched(small, site):
    answer = small.post("/api/clean", json={"url": f"{site}/page"})

    assert answer.status_code == 403
    assert "--allow-fetch" in answer.json()["error"]


@pytest.mark.parametrize(
    "address", ["{site}/page", "http://localhost/", "http://[::1]/", "http://169.254.169.254/", "file:///etc/passwd"]
)
def test_pages_of_this_machine_and_its_network_are_refused(app, model, site, address):
    client = app(model=str(model), allow_fetch=True)

    found = client.post("/api/clean", json={"url": address.format(site=site)}).json()

    assert found["status"] == "unreadable"
    assert found["reason"]
    assert "text" not in found


def test_a_fetched_page_is_cleaned_under_its_last_address(app, model, site):
    client = app(model=str(model), allow_fetch=True)
    # The only test that fetches something, and it is from this machine.
    client.app.state.service.fetching.fetcher = Fetcher(FetchSettings(delay=0))

    found = client.post("/api/clean", json={"url": f"{site}/moved", "formats": ["text"]}).json()

    assert found["text"].startswith("Ferry times\n")
    assert found["url"] == f"{site}/page"
