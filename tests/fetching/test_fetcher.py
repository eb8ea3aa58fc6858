"""One page is fetched: what comes back, and why nothing comes back."""

import gzip
import time

import pytest
from web_servers import PAGE, Answer, moved, served

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import Fetcher, fetch

QUICK = FetchSettings(delay=0, retries=0, seconds=20)


def test_a_page_comes_with_its_charset_and_its_address():
    with served({"/ferry": Answer(media="text/html; charset=iso-8859-2")}) as site:
        found = fetch(site.url("/ferry"), QUICK)

    assert (found.data, found.charset, found.failure, found.status) == (PAGE, "iso-8859-2", None, 200)
    page = found.raw_page("ferry")
    assert (page.data, page.charset, page.url, page.is_xml) == (PAGE, "iso-8859-2", site.url("/ferry"), False)


def test_the_user_agent_says_who_asks():
    with served({"/": Answer()}) as site:
        fetch(site.url(), QUICK)

    assert {asked.headers["user-agent"].split()[0].partition("/")[0] for asked in site.asked} == {"victor-cleaner"}
    assert all("https://" in asked.headers["user-agent"] for asked in site.asked)


def test_a_packed_page_is_unpacked():
    with served({"/": Answer(gzip.compress(PAGE), headers=(("Content-Encoding", "gzip"),))}) as site:
        assert fetch(site.url(), QUICK).data == PAGE


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(status):
    with served({"/old": moved("/new", status), "/new": Answer()}) as site:
        found = fetch(site.url("/old"), QUICK)

    assert (found.data, found.final_url, found.url) == (PAGE, site.url("/new"), site.url("/old"))


@pytest.mark.parametrize(
    ("answer", "failure", "problem"),
    [
        (Answer(b"no", 404), "status", "HTTP status 404 Not Found"),
        (Answer(b"no", 500), "status", "HTTP status 500"),
        (Answer(b"%PDF-", media="application/pdf"), "media", "not a page: its type is application/pdf"),
        (Answer(b"words", media=""), "media", "it has no type, and is no HTML"),
        (moved("/"), "redirects", "its redirects go in a circle"),
        (
            moved("ftp://harbour.example/"),
            "redirects",
            "leads to ftp://harbour.example/, not the address of a web page",
        ),
        (Answer(PAGE * 20_000), "size", "larger than 1,000,000 bytes"),
        (Answer(gzip.compress(b" " * 2_000_000), headers=(("Content-Encoding", "gzip"),)), "size", "larger than"),
        (Answer(pause=0.2), "timeout", "not all was sent within 1 s"),
    ],
    ids=["missing", "broken", "a PDF", "no type", "a circle", "to FTP", "large", "packed and large", "slow"],
)
def test_a_failure_says_what_is_wrong(answer, failure, problem):
    with served({"/": answer}) as site:
        found = fetch(site.url(), FetchSettings(delay=0, retries=0, seconds=1, max_bytes=1_000_000))

    assert problem in found.problem
    assert found.failure == failure or (failure == "timeout" and found.data)


def test_what_came_before_the_time_was_over_is_kept_with_a_problem():
    with served({"/": Answer(PAGE, size=len(PAGE) + 1_000)}) as site:
        found = fetch(site.url(), QUICK)

    assert (found.data, found.problem) == (PAGE, f"the connection broke off: only {len(PAGE)} bytes are there")


def test_endless_redirects_end():
    with served({f"/{number}": moved(f"/{number + 1}") for number in range(30)}) as site:
        found = fetch(site.url("/0"), FetchSettings(delay=0, retries=0, max_redirects=5))

    assert (found.failure, found.problem) == ("redirects", f"more than 5 redirects, the last one to {site.url('/6')}")


def test_an_endless_body_ends():
    begun = time.monotonic()
    with served({"/": Answer(PAGE * 1_000, pause=0.05)}) as site:
        found = fetch(site.url(), FetchSettings(delay=0, retries=0, seconds=0.5))

    assert time.monotonic() - begun < 20
    assert "not all was sent within 0.5 s" in found.problem


@pytest.mark.parametrize(
    ("url", "failure", "problem"),
    [
        ("ftp://harbour.example/", "address", "does not begin with http:// or https://"),
        ("https://", "address", "not the address of a web page"),
        ("https://a b/", "address", "it holds blanks or control characters"),
        ("http://[::1", "address", "it cannot be taken apart"),
        ("http://harbour.invalid/", "dns", "no address found for the host harbour.invalid"),
        ("http://127.0.0.1:1/", "connection", "no connection to 127.0.0.1: Connection refused"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(url, failure, problem):
    found = fetch(url, QUICK)

    assert (found.failure, found.data) == (failure, None)
    assert problem in found.problem


def test_a_busy_server_is_asked_again():
    with served({"/": [Answer(b"", 503, headers=(("Retry-After", "0"),)), Answer()]}) as site:
        found = fetch(site.url(), FetchSettings(delay=0, longest_wait=0.1))

    assert (found.data, site.paths) == (PAGE, ["/", "/"])


def test_a_server_that_asks_for_a_long_pause_is_not_asked_again():
    with served({"/": Answer(b"", 429, headers=(("Retry-After", "3600"),))}) as site:
        found = fetch(site.url(), FetchSettings(delay=0))

    assert found.problem == "HTTP status 429 Too Many Requests; it asks to come back after 3,600 s"
    assert site.paths == ["/"]


def test_what_robots_txt_forbids_is_not_fetched():
    robots = Answer(b"User-agent: *\nDisallow: /private\n", media="text/plain")
    with served({"/robots.txt": robots, "/private": Answer(), "/": Answer()}) as site:
        fetcher = Fetcher(QUICK)
        forbidden, allowed = fetcher.fetch(site.url("/private")), fetcher.fetch(site.url())

    assert (forbidden.failure, forbidden.data, allowed.data) == ("robots", None, PAGE)
    assert "robots.txt of 127.0.0.1 forbids it" in forbidden.problem
    assert [asked.path for asked in site.asked] == ["/robots.txt", "/"]


def test_robots_txt_can_be_ignored():
    with served({"/robots.txt": Answer(b"User-agent: *\nDisallow: /\n"), "/": Answer()}) as site:
        assert fetch(site.url(), FetchSettings(ignore_robots=True)).data == PAGE

    assert [asked.path for asked in site.asked] == ["/"]


def test_a_host_whose_robots_txt_is_broken_is_not_fetched_from():
    with served({"/robots.txt": Answer(b"", 500), "/": Answer()}) as site:
        fetcher = Fetcher(QUICK)
        found = [fetcher.fetch(site.url()) for _ in range(2)]

    assert {fetched.problem for fetched in found} == {"robots.txt of 127.0.0.1 cannot be read: HTTP status 500"}
    assert len(site.asked) == 1


def test_pages_of_a_host_keep_their_distance():
    with served({"/": Answer(), "/2": Answer()}) as site:
        fetcher = Fetcher(FetchSettings(delay=0.3))
        fetcher.fetch(site.url())
        fetcher.fetch(site.url("/2"))

    assert site.asked[2].time - site.asked[1].time > 0.25


def test_robots_txt_may_ask_for_a_longer_distance():
    robots = Answer(b"User-agent: victor-cleaner\nCrawl-delay: 0.3\n", media="text/plain")
    with served({"/robots.txt": robots, "/": Answer(), "/2": Answer()}) as site:
        fetcher = Fetcher(FetchSettings(delay=0))
        fetcher.fetch(site.url())
        fetcher.fetch(site.url("/2"))

    assert site.asked[2].time - site.asked[1].time > 0.25


def test_a_password_is_sent_to_its_host_and_is_not_kept():
    with served({"/old": moved("/new"), "/new": Answer()}) as site:
        found = fetch(site.url("/old").replace("//", "//anna:secret@"), QUICK)

    assert [asked.headers.get("authorization") for asked in site.asked[1:]] == ["Basic YW5uYTpzZWNyZXQ="] * 2
    assert "secret" not in repr(found)
