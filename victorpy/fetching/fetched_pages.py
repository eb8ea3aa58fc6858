"""Puts fetched pages in the place of addresses. Several hosts are asked at once, and each host one page at a time."""

import threading
from collections import deque
from collections.abc import Iterable, Iterator

from victorpy.fetching.fetched import Fetched
from victorpy.fetching.fetcher import Fetcher
from victorpy.sources import Found, Location
from victorpy.sources.raw_pages import RawPage
from victorpy.sources.web_addresses import host_part

# So many pages, and bytes of pages, may wait behind a slow host.
_MOST_AHEAD = 256
_BYTES_AHEAD = 256_000_000


def with_fetched(pages: Iterable[Found], fetcher: Fetcher) -> Iterator[Found]:
    """All pages in their order."""
    crew = _FetchingCrew(fetcher)
    waiting = deque[_Slot]()
    try:
        for page in pages:
            waiting.append(crew.slot(page))
            while waiting and (waiting[0].is_done or _is_full(waiting)):
                yield crew.result(waiting.popleft())
        while waiting:
            yield crew.result(waiting.popleft())
    finally:
        crew.stop()


class _Slot:
    """The place of a page in the order."""

    def __init__(self, page: Found):
        self.page = page
        self.error: BaseException | None = None
        self.is_done = not is_to_fetch(page)

    @property
    def size(self) -> int:
        return len(self.page.data or b"") if self.is_done and isinstance(self.page, RawPage) else 0


def _is_full(waiting: deque[_Slot]) -> bool:
    return len(waiting) >= _MOST_AHEAD or sum(slot.size for slot in waiting) > _BYTES_AHEAD


def is_to_fetch(page: Found) -> bool:
    return isinstance(page, Location) and page.is_address


class _FetchingCrew:
    """Threads that fetch. One page alone is fetched without a thread, because threads prevent forks."""

    def __init__(self, fetcher: Fetcher):
        self.fetcher = fetcher
        self._queues: dict[str, deque[_Slot]] = {}
        self._busy = set[str]()
        self._threads = list[threading.Thread]()
        self._news = threading.Condition()
        self._is_stopped = False

    def slot(self, page: Found) -> _Slot:
        slot = _Slot(page)
        if isinstance(page, Location) and not slot.is_done:
            with self._news:
                is_first = not self._queues
                self._queues.setdefault(host_part(page.path), deque()).append(slot)
                self._news.notify_all()
            if not is_first:
                self._add_thread()
        return slot

    def _add_thread(self) -> None:
        if len(self._threads) < min(self.fetcher.settings.connections, 1 + len(self._queues)):
            thread = threading.Thread(target=self._work, daemon=True)
            self._threads.append(thread)
            thread.start()

    def result(self, slot: _Slot) -> Found:
        """The page, as soon as it is there."""
        if not self._threads and not slot.is_done:
            self._fill(slot)
        with self._news:
            self._news.wait_for(lambda: slot.is_done)
        if slot.error:
            raise slot.error
        return slot.page

    def stop(self) -> None:
        with self._news:
            self._is_stopped = True
            self._news.notify_all()

    def _work(self) -> None:
        while (taken := self._taken()) is not None:
            host, slot = taken
            self._fill(slot)
            with self._news:
                self._busy.discard(host)
                self._news.notify_all()

    def _taken(self) -> tuple[str, _Slot] | None:
        """A page of the free host whose turn comes first; None when nothing is left to do."""
        with self._news:
            while not self._is_stopped:
                free = [host for host, queue in self._queues.items() if queue and host not in self._busy]
                waits = {host: self.fetcher.seconds_until_turn(host) for host in free}
                host = min(free, key=waits.__getitem__, default=None)
                if host is not None and waits[host] <= 0:
                    self._busy.add(host)
                    return host, self._queues[host].popleft()
                self._news.wait(None if host is None else waits[host])
        return None

    def _fill(self, slot: _Slot) -> None:
        try:
            if isinstance(slot.page, Location):
                slot.page = self._page(slot.page)
        except BaseException as error:
            slot.error = error
        with self._news:
            slot.is_done = True
            self._news.notify_all()

    def _page(self, location: Location) -> RawPage:
        fetched: Fetched = self.fetcher.fetch(location.path)
        return fetched.raw_page(location.id)
