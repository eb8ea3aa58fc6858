"""Fetches pages: one after another of each host, with what robots.txt allows, redirects and further attempts."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TypeVar

from victorpy.fetching.crawl_archive import CrawlArchive
from victorpy.fetching.exchanges import Exchange, exchange
from victorpy.fetching.fetch_errors import FetchError
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetched import Fetched
from victorpy.fetching.host_turns import HostTurns
from victorpy.fetching.response_cache import ResponseCache, again, conditions_of
from victorpy.fetching.robots import MAX_BYTES as ROBOTS_BYTES
from victorpy.fetching.robots import RobotsRules
from victorpy.fetching.web_targets import WebTarget, target_of
from victorpy.sources.http_responses import MEDIA, charset_of, decoded_body, looks_like_html, media_of
from victorpy.sources.raw_pages import too_large

_REDIRECTS = {301, 302, 303, 307, 308}
_BUSY = {429, 500, 502, 503, 504}
_TEXT = "text/plain"
_ROBOTS_REDIRECTS = 5

_USUAL = FetchSettings()
Result = TypeVar("Result")


def fetch(url: str, settings: FetchSettings = _USUAL) -> Fetched:
    """Fetches one page. To fetch several, make a Fetcher once."""
    return Fetcher(settings).fetch(url)


class Fetcher:
    """Fetches pages, and keeps what it knows of hosts. Threads may share it."""

    def __init__(self, settings: FetchSettings = _USUAL, archive: CrawlArchive | None = None):
        self.settings, self.archive = settings, archive
        self._cache = ResponseCache(settings.cache) if settings.cache else None
        self._turns = HostTurns()
        self._rules = RobotsRules(self._robots, settings.robot)

    def fetch(self, url: str) -> Fetched:
        """Whatever happens, the result says it; it raises nothing."""
        try:
            target = target_of(url)
        except FetchError as error:
            return Fetched(url=url, final_url=url, problem=str(error), failure=error.failure)
        try:
            return self._tried(partial(self._page, target))
        except FetchError as error:
            return _failed(target, error)

    def seconds_until_turn(self, host: str) -> float:
        """The seconds until the next request to this host, with its port, may begin."""
        return self._turns.seconds_until(host)

    def _tried(self, attempt: Callable[[bool], Result]) -> Result:
        """The result of the first attempt that does not fail; each gets to know whether it is the last one."""
        number = 0
        while True:
            try:
                return attempt(number == self.settings.retries)
            except FetchError as error:
                wait = self._wait_after(error, number)
                if wait is None:
                    raise
            number += 1
            time.sleep(wait)

    def _wait_after(self, error: FetchError, number: int) -> float | None:
        """The seconds until the next attempt: 1, 2, 4 … or what the server asks for. None if there is none."""
        if error.waits is None or number >= self.settings.retries or error.waits > self.settings.longest_wait:
            return None
        return max(error.waits, min(2.0**number, self.settings.longest_wait))

    def _page(self, target: WebTarget, is_last: bool) -> Fetched:
        found = self._followed(target)
        if found.problem and not is_last:
            raise FetchError("connection", found.problem, 0.0)
        return _fetched(target, found, self.settings.max_bytes)

    def _followed(self, target: WebTarget) -> Exchange:
        """The answer after all redirects."""
        left, seen = self.settings.seconds, set[str]()
        for _ in range(self.settings.max_redirects + 1):
            self._wait_for_turn(target, is_first=not seen)
            begun = time.monotonic()
            found = self._asked(target, left)
            left -= time.monotonic() - begun
            seen.add(target.url)
            if not (goal := _redirect(found)):
                return found
            if goal.url in seen:
                raise FetchError("redirects", f"its redirects go in a circle, by {goal.url}")
            if left <= 0:
                raise FetchError("timeout", f"no page within {self.settings.seconds:g} s", 0.0)
            target = goal
        raise FetchError(
            "redirects", f"more than {self.settings.max_redirects} redirects, the last one to {target.url}"
        )

    def _asked(self, target: WebTarget, seconds: float) -> Exchange:
        """The answer of the server, or the one that is kept if the server says that nothing has changed."""
        kept = self._cache.kept(target) if self._cache else None
        conditions = conditions_of(kept) if kept else {}
        found = exchange(target, self.settings, seconds, _is_wanted, conditions)
        if kept and found.status == 304:
            return again(kept, self._archived(found, kept.date))
        if self._cache:
            self._cache.keep(found)
        return self._archived(found)

    def _archived(self, found: Exchange, refers_to: str = "") -> Exchange:
        return replace(found, record=self.archive.add(found, refers_to=refers_to)) if self.archive else found

    def _wait_for_turn(self, target: WebTarget, *, is_first: bool) -> None:
        asked_for = 0.0 if self.settings.ignore_robots else self._rules.check(target)
        delay = max(self.settings.delay, min(asked_for, self.settings.longest_wait))
        # A redirect is part of the same visit.
        self._turns.wait(target.host_part, delay if is_first else 0.0)

    def _robots(self, target: WebTarget) -> str:
        """The text of a robots.txt: empty if there is none. A host that cannot give it allows nothing."""
        return self._tried(lambda _: self._robots_text(target))

    def _robots_text(self, target: WebTarget) -> str:
        settings = replace(self.settings, max_bytes=ROBOTS_BYTES)
        for _ in range(_ROBOTS_REDIRECTS + 1):
            found = self._archived(exchange(target, settings, settings.seconds, lambda status, _: 200 <= status < 300))
            if not (goal := _redirect(found)):
                break
            target = goal
        if found.status == 429 or found.status >= 500:
            raise FetchError("robots", f"robots.txt of {target.host} cannot be read: HTTP status {found.status}", 0.0)
        text, _ = decoded_body(found.body, "", found.fields.get("content-encoding", ""), ROBOTS_BYTES)
        return text.decode("utf-8", "replace") if found.status < 300 else ""


def _redirect(found: Exchange) -> WebTarget | None:
    place = found.fields.get("location", "").strip()
    if found.status not in _REDIRECTS or not place:
        return None
    try:
        return found.target.joined(place)
    except FetchError as error:
        raise FetchError("redirects", f"a redirect leads to {place[:100]}, {error}") from error


def _media(fields: Mapping[str, str]) -> str:
    return media_of(fields.get("content-type", ""))


def _is_wanted(status: int, fields: Mapping[str, str]) -> bool:
    """Only pages are read to their end."""
    return 200 <= status < 300 and _media(fields) in {"", _TEXT, *MEDIA}


def _fetched(asked: WebTarget, found: Exchange, max_bytes: int) -> Fetched:
    """The page of an answer."""
    fields = found.fields
    media, packing = _media(fields), fields.get("content-encoding", "")
    _check_status(found, fields)
    data, problem = decoded_body(found.body, "", packing, max_bytes)
    _check_media(found, media, data)
    if found.is_too_large or len(data) > max_bytes:
        raise FetchError("size", too_large(max_bytes), None, found.status)
    return Fetched(
        url=asked.url,
        final_url=found.target.url,
        status=found.status,
        media=media,
        charset=charset_of(fields.get("content-type", "")),
        data=data,
        problem=found.problem or problem,
        date=found.date,
        record=found.record,
        is_cached=found.is_cached,
    )


def _check_media(found: Exchange, media: str, data: bytes) -> None:
    if media in {_TEXT, *MEDIA} or (not media and (looks_like_html(data) or not data)):
        return
    kind = f"its type is {media[:100]}" if media else "it has no type, and is no HTML"
    raise FetchError("media", f"not a page: {kind}", None, found.status)


def _check_status(found: Exchange, fields: Mapping[str, str]) -> None:
    if 200 <= found.status < 300:
        return
    phrase = f"HTTP status {found.status} {found.reason}".strip()
    waits = _retry_after(fields.get("retry-after", "")) if found.status in _BUSY else None
    asks = f"; it asks to come back after {waits:,.0f} s" if waits else ""
    raise FetchError("status", phrase + asks, waits, found.status)


def _retry_after(value: str) -> float:
    """Seconds, or a date."""
    if value.strip().isascii() and value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _failed(target: WebTarget, error: FetchError) -> Fetched:
    return Fetched(url=target.url, final_url=target.url, status=error.status, problem=str(error), failure=error.failure)
