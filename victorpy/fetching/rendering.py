"""Pages as a browser shows them, after their scripts: the browser of this machine, driven by Playwright."""

import asyncio
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from victorpy.errors import UsageError
from victorpy.foundation.bounds import AT_LEAST_1, MORE_THAN_0, check_bounds
from victorpy.foundation.optional import playwright
from victorpy.sources import Found, Location, RawPage, read_page, too_large
from victorpy.sources.decoded_pages import decoded_page
from victorpy.sources.raw_pages import MAX_BYTES
from victorpy.sources.web_addresses import is_address

BROWSERS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge")
_NO_BROWSER = (
    "no browser found: install Chromium ('apt install chromium', or 'playwright install chromium'),"
    " or name one with --browser"
)

# Nothing that leaves the browser by itself, and no more memory for scripts than a large page needs.
_ARGUMENTS = [
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-gpu",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--js-flags=--max-old-space-size=512",
]
# No host has an address, not even for connections that are opened ahead of requests.
_OFFLINE = ["--host-resolver-rules=MAP * ~NOTFOUND"]

# What a page may load from the web. Pictures, fonts and frames do not change its text.
_LOADED = {"script", "stylesheet", "xhr", "fetch"}

# A saved page without an address stands at this one, which no host can have.
_NOWHERE = "http://page.invalid/"

_ENDING = 5.0

Result = TypeVar("Result")


@dataclass(frozen=True, kw_only=True)
class RenderSettings:
    """`seconds` bound a page with its scripts, and `browser` is the program. `tabs` pages are open at once."""

    seconds: float = 20.0
    browser: str | None = None
    tabs: int = 2
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        check_bounds(self, {"seconds": MORE_THAN_0, "tabs": AT_LEAST_1, "max_bytes": AT_LEAST_1})


def with_rendered(pages: Iterable[Found], settings: RenderSettings) -> Iterator[Found]:
    """All pages in their order, as a browser shows them. Only pages from the web may load scripts and data."""
    waiting = deque[Callable[[], Found]]()
    with Renderer(settings) as renderer:
        for page in pages:
            found = read_page(page, settings.max_bytes) if isinstance(page, Location) else page
            waiting.append(renderer.begun(found) if isinstance(found, RawPage) else lambda found=found: found)  # type: ignore[misc]
            if len(waiting) >= settings.tabs:
                yield waiting.popleft()()
        while waiting:
            yield waiting.popleft()()


class Renderer:
    """A browser with an event loop in a thread of its own. Leaving the block ends all its processes.

    If this process is killed, the browser notices that its pipe is closed, and ends, too.
    """

    def __init__(self, settings: RenderSettings):
        self.settings = settings
        self._tools = playwright()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._driver: Any = None
        self._browsers: dict[bool, Any] = {}

    def __enter__(self) -> "Renderer":
        self._thread.start()
        try:
            self._run(self._start())
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def rendered(self, page: RawPage) -> RawPage:
        """The page after its scripts; as it was, with a problem, if they do not end."""
        return self.begun(page)()

    def begun(self, page: RawPage) -> Callable[[], RawPage]:
        """Begins to render a page, and returns the function that waits for it."""
        html = None if page.is_text else decoded_page(page).html
        if html is None:
            return lambda: page
        return asyncio.run_coroutine_threadsafe(self._bounded(page, html), self._loop).result

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _start(self) -> None:
        self._driver = await self._tools.async_playwright().start()
        self._locks = {has_network: asyncio.Lock() for has_network in (True, False)}
        self._program  # noqa: B018 - fails now if there is no browser

    async def _stop(self) -> None:
        for browser in self._browsers.values():
            await _ended(browser.close())
        if self._driver:
            await _ended(self._driver.stop())

    async def _browser(self, *, has_network: bool) -> Any:
        """The browser for pages with or without network; a new one if the last one has died."""
        async with self._locks[has_network]:
            known = self._browsers.get(has_network)
            if not known or not known.is_connected():
                self._browsers[has_network] = await self._launched(has_network=has_network)
            return self._browsers[has_network]

    async def _launched(self, *, has_network: bool) -> Any:
        try:
            return await self._driver.chromium.launch(
                executable_path=self._program,
                args=_ARGUMENTS if has_network else [*_ARGUMENTS, *_OFFLINE],
                # Chromium refuses its sandbox to root.
                chromium_sandbox=getattr(os, "geteuid", lambda: 1)() != 0,
                handle_sigint=False,
            )
        except self._tools.Error as error:
            raise UsageError(f"the browser does not start: {_first_line(error)}", self._program) from error

    @cached_property
    def _program(self) -> str:
        own = self._driver.chromium.executable_path
        names = [self.settings.browser] if self.settings.browser else [*BROWSERS, own]
        found = next(filter(None, map(shutil.which, names)), None)
        if not found and self.settings.browser:
            raise UsageError("no such program", self.settings.browser)
        if not found:
            raise UsageError(_NO_BROWSER)
        return found

    async def _bounded(self, page: RawPage, html: str) -> RawPage:
        try:
            made = await self._tried(page, html)
        except (TimeoutError, self._tools.Error) as error:
            is_slow = isinstance(error, (TimeoutError, self._tools.TimeoutError))
            reason = f"do not end within {self.settings.seconds:g} s" if is_slow else f"failed ({_first_line(error)})"
            return replace(page, problem="; ".join(filter(None, (page.problem, f"not rendered: its scripts {reason}"))))
        data = made.encode("utf-8", "replace")
        if len(data) > self.settings.max_bytes:
            return replace(page, data=None, problem=too_large(self.settings.max_bytes), is_too_large=True)
        return replace(page, data=data, charset="utf-8", is_xml=False)

    async def _tried(self, page: RawPage, html: str) -> str:
        """The source of a page; once more if its browser was ended because of another page."""
        has_network = is_address(page.path)
        browser = await self._browser(has_network=has_network)
        try:
            return await self._in_time(browser, page, html)
        except self._tools.Error:
            if browser.is_connected():
                raise
        return await self._in_time(await self._browser(has_network=has_network), page, html)

    async def _in_time(self, browser: Any, page: RawPage, html: str) -> str:
        try:
            return await asyncio.wait_for(self._made(browser, page, html), self.settings.seconds + _ENDING)
        except (TimeoutError, self._tools.TimeoutError):
            # A script that never ends stops whatever asks its page.
            await _ended(browser.close())
            raise

    async def _made(self, browser: Any, page: RawPage, html: str) -> str:
        """The source of a page after its scripts. Each page has a context of its own: no cookies, no storage."""
        has_network = is_address(page.path)
        context = await browser.new_context(offline=not has_network, service_workers="block", accept_downloads=False)
        try:
            address = page.url if page.url and is_address(page.url) else _NOWHERE
            await context.route("**/*", _Gate(html, has_network=has_network).pass_on)
            await context.route_web_socket("**/*", lambda socket: socket.close())
            tab = await context.new_page()
            tab.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
            milliseconds = self.settings.seconds * 1_000
            with suppress(self._tools.TimeoutError):
                await tab.goto(address, wait_until="networkidle", timeout=milliseconds)
            return str(await tab.content())
        finally:
            await _ended(context.close())


class _Gate:
    """Answers the request for the page itself, and decides about all others."""

    def __init__(self, html: str, *, has_network: bool):
        self._html, self._has_network = html, has_network
        self._is_given = False

    async def pass_on(self, route: Any) -> None:
        request = route.request
        if request.is_navigation_request() and not self._is_given:
            self._is_given = True
            await route.fulfill(body=self._html, content_type="text/html; charset=utf-8")
        elif request.is_navigation_request():
            await route.fulfill(status=204)  # with which a browser stays at its page
        elif self._has_network and request.resource_type in _LOADED:
            await route.continue_()
        else:
            await route.abort()


async def _ended(work: Any) -> None:
    """Ends something within a few seconds, if it still exists."""
    with suppress(Exception):
        await asyncio.wait_for(work, _ENDING)


def _first_line(error: Exception) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
