"""Who may use the server."""

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from victorpy.errors import UsageError
from victorpy.serve.application import application
from victorpy.serve.server_settings import ServerSettings
from victorpy.serve.views import VIEWS

US = "http://127.0.0.1:8765"


def client(**options):
    return TestClient(application(ServerSettings(**options)), base_url=US, follow_redirects=False)


def public(**options):
    return client(host="0.0.0.0", token="open sesame", **options)


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "localhost"])
def test_a_browser_reaches_the_server_under_its_own_names(host):
    assert client().get("/health", headers={"host": host}).json() == {"status": "ok"}


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "10.0.0.1", "", "["])
def test_a_name_of_another_site_is_refused_so_that_rebinding_is_of_no_use(host):
    answer = client().get("/health", headers={"host": host})

    assert answer.status_code == 421
    assert "no name" in answer.json()["error"]


def test_a_further_name_is_accepted_if_the_user_gives_it():
    assert client(names=("corpus.example",)).get("/health", headers={"host": "corpus.example"}).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_what_a_page_of_another_site_sends_is_refused(headers):
    answer = client().post("/health", headers=headers)

    assert (answer.status_code, answer.json()) == (403, {"error": "the request comes from a page of another site"})


@pytest.mark.parametrize("headers", [{}, {"origin": US, "sec-fetch-site": "same-origin"}], ids=["program", "our page"])
def test_what_our_pages_and_programs_send_is_let_through(headers):
    assert client().post("/health", headers=headers).status_code == 405


def test_an_address_that_others_reach_needs_a_token():
    with pytest.raises(UsageError, match="needs a token"):
        ServerSettings(host="0.0.0.0")


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": "Bearer wrong"}, {"authorization": "open sesame"}, {"cookie": "victor-token=wrong"}],
    ids=str,
)
def test_without_the_token_there_is_no_answer(headers):
    assert public().get("/try", headers=headers).status_code == 401


def test_programs_send_the_token_as_bearer():
    assert public().get("/try", headers={"authorization": "Bearer open sesame"}).status_code == 200


def test_a_browser_moves_the_token_from_the_address_into_a_cookie():
    browser = public()
    answer = browser.get("/try?token=open%20sesame")

    assert (answer.status_code, answer.headers["location"]) == (303, "/try")
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=strict" in answer.headers["set-cookie"]
    assert browser.get("/try").status_code == 200


def test_monitors_need_no_token():
    assert public().get("/health").status_code == 200


def test_a_page_of_the_app_loads_scripts_only_from_the_server():
    policy = client().get("/try").headers["content-security-policy"]

    assert "default-src 'none'; script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy


def test_a_websocket_is_refused():
    with pytest.raises(WebSocketDisconnect), client().websocket_connect("/try"):
        pass


def test_a_request_for_a_websocket_has_a_clear_answer():
    answer = client().get("/annotate", headers={"upgrade": "websocket", "origin": "http://evil.example"})

    assert (answer.status_code, answer.json()["error"]) == (403, "there are no WebSockets here")


def test_the_first_page_is_the_first_view():
    assert client().get("/").headers["location"] == "/try"


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_has_a_page_a_script_and_a_style_sheet(name):
    browser = client()

    assert f'<a href="/{name}" title="{VIEWS[name].purpose}" aria-current="page">' in browser.get(f"/{name}").text
    assert browser.get(f"/static/{name}.js").status_code == 200
    assert browser.get(f"/static/{name}.css").status_code == 200


def test_nothing_outside_of_the_static_files_is_read():
    assert client().get("/static/..%2f..%2ferrors.py").status_code == 404
