"""What was fetched is kept as a web archive, and pages that have not changed are not sent again."""

import gzip
from collections import Counter

import pytest
from web_servers import PAGE, Answer, moved, served

from victorpy.errors import UsageError
from victorpy.fetching.crawl_archive import CrawlArchive
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import Fetcher
from victorpy.sources import archive_pages

QUICK = FetchSettings(delay=0, retries=0, seconds=5)


@pytest.fixture(params=["all.warc", "all.warc.gz"])
def path(request, tmp_path):
    return str(tmp_path / request.param)


def crawled(path, answers, *pages, settings=QUICK):
    """What a fetcher with an archive found."""
    with served(answers) as site:
        archive = CrawlArchive(path, settings)
        fetcher = Fetcher(settings, archive)
        found = [fetcher.fetch(site.url(page)) for page in pages]
        archive.close()
    return found


def test_our_reader_finds_the_pages(path):
    packed = Answer(gzip.compress(PAGE), media="text/html; charset=latin1", headers=(("Content-Encoding", "gzip"),))
    found = crawled(path, {"/old": moved("/new"), "/new": Answer(), "/packed": packed}, "/old", "/packed", "/gone")

    skipped = Counter()
    pages = list(archive_pages.read(path, skipped=skipped))

    assert [(page.url, page.data, page.charset) for page in pages] == [
        (found[0].final_url, PAGE, "utf-8"),
        (found[1].url, PAGE, "latin1"),
    ]
    assert [page.record for page in pages] == [fetched.record for fetched in found[:2]]
    assert skipped == {"warcinfo record": 1, "request record": 5, "HTTP status 404": 2, "HTTP status 302": 1}


def test_warcio_finds_all_records_and_no_wrong_digest(path):
    iterator = pytest.importorskip("warcio.archiveiterator")
    crawled(path, {"/old": moved("/new"), "/new": Answer()}, "/old")

    with open(path, "rb") as file:
        records = iterator.ArchiveIterator(file, check_digests="raise")
        found = [(record.rec_type, record.content_stream().read()) for record in records]

    kinds = ["warcinfo", *["response", "request"] * 3]
    assert [kind for kind, _ in found] == kinds
    assert found[5][1] == PAGE
    assert b"robots: obey" in found[0][1]


def test_an_archive_is_not_replaced(tmp_path):
    path = tmp_path / "all.warc.gz"
    path.write_bytes(b"a year of work")

    with pytest.raises(UsageError, match="this file exists: name a new one"):
        CrawlArchive(str(path), QUICK)


def test_a_page_that_has_not_changed_is_taken_from_the_cache(tmp_path):
    headers = (("ETag", '"7"'), ("Last-Modified", "Fri, 01 May 2026 07:00:00 GMT"))
    fresh = Answer(headers=headers)
    settings = FetchSettings(delay=0, retries=0, ignore_robots=True, cache=str(tmp_path / "cache"))
    with served({"/": lambda asked: Answer(b"", 304) if "if-none-match" in asked.headers else fresh}) as site:
        first, second = (Fetcher(settings).fetch(site.url()) for _ in range(2))

    assert (first.data, second.data) == (PAGE, PAGE)
    assert (first.is_cached, second.is_cached, second.charset) == (False, True, "utf-8")
    assert site.asked[1].headers["if-none-match"] == '"7"'
    assert site.asked[1].headers["if-modified-since"] == "Fri, 01 May 2026 07:00:00 GMT"


def test_a_page_that_has_changed_is_sent_again(tmp_path):
    settings = FetchSettings(delay=0, ignore_robots=True, cache=str(tmp_path))
    with served({"/": [Answer(headers=(("ETag", '"1"'),)), Answer(b"<p>new", headers=(("ETag", '"2"'),))]}) as site:
        found = [Fetcher(settings).fetch(site.url()).data for _ in range(3)]

    assert found == [PAGE, b"<p>new", b"<p>new"]


@pytest.mark.parametrize("damage", [lambda data: data[:-5], lambda data: b"", lambda data: b"{}\n" + data])
def test_a_damaged_cache_is_not_used(tmp_path, damage):
    settings = FetchSettings(delay=0, ignore_robots=True, cache=str(tmp_path))
    with served({"/": Answer(headers=(("ETag", '"1"'),))}) as site:
        Fetcher(settings).fetch(site.url())
        (kept,) = tmp_path.rglob("*.page")
        kept.write_bytes(damage(kept.read_bytes()))

        assert Fetcher(settings).fetch(site.url()).data == PAGE
    assert "if-none-match" not in site.asked[1].headers


def test_a_page_that_has_not_changed_is_a_revisit_in_the_archive(tmp_path):
    settings = FetchSettings(delay=0, ignore_robots=True, cache=str(tmp_path / "cache"))
    fresh = Answer(headers=(("ETag", '"7"'),))
    answers = {"/": lambda asked: Answer(b"", 304) if "if-none-match" in asked.headers else fresh}
    crawled(str(tmp_path / "all.warc"), answers, "/", "/", settings=settings)

    pages = list(archive_pages.read(str(tmp_path / "all.warc")))

    assert [page.data for page in pages] == [PAGE, None]
    assert "a revisit" in pages[1].problem
