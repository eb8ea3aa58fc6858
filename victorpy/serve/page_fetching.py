"""Fetches the pages that requests name, from public addresses only."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.exceptions import HTTPException

from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetched import Fetched
from victorpy.fetching.fetcher import Fetcher

_THREADS = 16
_MOST_WAITING = 200
# A fetcher remembers every host, so a new one follows after so many pages.
_PAGES = 10_000


class PageFetching:
    """Fetches up to 16 pages at once. A page of this machine or of its network is refused, also after redirects."""

    def __init__(self, max_bytes: int):
        self.settings = FetchSettings(
            seconds=20.0, longest_wait=5.0, retries=0, max_bytes=max_bytes, forbid_private=True
        )
        self.waiting = self.count = 0
        self.fetcher = Fetcher(self.settings)
        self.threads = ThreadPoolExecutor(_THREADS, "fetch")

    async def fetched(self, url: str) -> Fetched:
        if self.waiting >= _MOST_WAITING:
            raise HTTPException(503, "the server is busy: try again in a second", {"retry-after": "1"})
        self.waiting += 1
        self.count += 1
        if self.count % _PAGES == 0:
            self.fetcher = Fetcher(self.settings)
        try:
            return await asyncio.get_running_loop().run_in_executor(self.threads, self.fetcher.fetch, url)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        self.threads.shutdown(wait=False, cancel_futures=True)
