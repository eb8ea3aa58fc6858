"""Many pages are fetched: in their order, several hosts at once, and each host one page at a time."""

import threading
import time
from contextlib import ExitStack

import pytest
from web_servers import PAGE, Answer, served

from victorpy.errors import VictorError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetched_pages import with_fetched
from victorpy.fetching.fetcher import Fetcher
from victorpy.sources import Location, RawPage
from victorpy.sources.raw_pages import web_location
from victorpy.sources.web_addresses import id_of_address


def fetched(pages, **settings):
    usual = {"delay": 0, "retries": 0, "ignore_robots": True}
    return list(with_fetched(pages, Fetcher(FetchSettings(**(usual | settings)))))


def test_all_pages_come_in_their_order():
    file, damage = Location("page.html", "page"), VictorError("damaged", "list.txt", 3)
    with served({"/a": Answer(b"<p>a"), "/b": Answer(b"<p>b")}) as one, served({"/c": Answer(b"<p>c")}) as two:
        given = [web_location(url) for url in (two.url("/c"), one.url("/a"), one.url("/b"), one.url("/none"))]
        found = fetched([file, given[0], given[1], damage, given[2], given[3]])

    assert (found[0], found[3]) == (file, damage)
    assert [page.data for page in found if isinstance(page, RawPage)] == [b"<p>c", b"<p>a", b"<p>b", None]
    assert [page.id for page in found if isinstance(page, RawPage)] == [page.id for page in given]


def test_hosts_are_asked_at_once_and_each_one_page_at_a_time():
    busy, most = dict[int, int](), dict[int, int]()

    def slow(site):
        def answer(_):
            busy[site] = busy.get(site, 0) + 1
            most[site] = max(most.get(site, 0), busy[site])
            most[-1] = max(most.get(-1, 0), sum(busy.values()))
            time.sleep(0.2)
            busy[site] -= 1
            return Answer()

        return answer

    with ExitStack() as stack:
        sites = [stack.enter_context(served({"/": slow(number)})) for number in range(3)]
        found = fetched([web_location(site.url()) for _ in range(2) for site in sites])

    assert [page.data for page in found] == [PAGE] * 6
    assert (most[0], most[1], most[2]) == (1, 1, 1)
    assert most[-1] > 1


def test_one_page_alone_starts_no_thread_that_stays():
    with served({"/": Answer()}) as site:
        before = threads_of_ours()
        found = fetched([web_location(site.url())])

        assert (found[0].data, threads_of_ours()) == (PAGE, before)


def threads_of_ours():
    """All but those in which the server answers."""
    return {thread.name for thread in threading.enumerate() if "process_request" not in thread.name}


def test_pages_are_drawn_as_they_are_needed():
    drawn = []

    def pages(site):
        for number in range(5_000):
            drawn.append(number)
            yield web_location(site.url(f"/{number}"))

    with served({"/0": Answer()}) as site:
        stream = with_fetched(pages(site), Fetcher(FetchSettings(delay=60, retries=0, ignore_robots=True)))
        first = next(stream)
        stream.close()

    assert first.data == PAGE
    assert len(drawn) < 300


@pytest.mark.parametrize(
    ("url", "id"),
    [
        ("https://Harbour.example/boats", "harbour.example/boats"),
        ("https://harbour.example", "harbour.example/index"),
        ("https://harbour.example/boats/?a=/b#c", "harbour.example/boats/index?a=%2Fb"),
        ("http://anna:secret@harbour.example:8080/a.html", "harbour.example:8080/a.html"),
        ("http://harbour.example?a=1", "harbour.example/index?a=1"),
    ],
)
def test_the_id_of_a_page_is_its_address(url, id):
    assert id_of_address(url) == id
