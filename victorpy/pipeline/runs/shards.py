"""The shards of a run: each is a file of many pages, or up to 1,000 pages that are files."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import check_no_device
from victorpy.sources import STDIN, Container, Inputs, Location, PageColumns, RawPage, read_page

PAGES = 1_000


class Fingerprint(NamedTuple):
    """The total size and the digest of the files of a shard. A missing file counts as empty."""

    size: int
    sha256: str


class Shard(NamedTuple):
    number: int
    content: Container | tuple[Location, ...]

    @property
    def path(self) -> str:
        """The name of a shard: its file, or its first page."""
        return self.paths[0]

    @property
    def paths(self) -> list[str]:
        if isinstance(self.content, Container):
            return [self.content.path]
        return [page.path for page in self.content]

    def pages(
        self, columns: PageColumns, max_bytes: int, skipped: Counter[str] | None = None
    ) -> Iterator[RawPage | VictorError]:
        """The pages, always in the same order, and errors where something could not be read.

        Records of an archive that are not pages are counted in `skipped`.
        """
        if isinstance(self.content, Container):
            skipped = Counter[str]() if skipped is None else skipped
            return self.content.source.read(self.content.path, columns, max_bytes, skipped)
        return _read(self.content, max_bytes)

    def size(self) -> int:
        return sum(map(_size, self.paths))

    def fingerprint(self) -> Fingerprint:
        if isinstance(self.content, Container):
            return Fingerprint(_size(self.path), sha256_of(self.path))
        total = hashlib.sha256()
        for page in self.content:
            total.update(f"{sha256_of(page.path)} {page.id}\n".encode("utf-8", "replace"))
        return Fingerprint(self.size(), total.hexdigest())


def _read(pages: Iterable[Location], max_bytes: int) -> Iterator[RawPage | VictorError]:
    place = 0
    for location in pages:
        page = read_page(location, max_bytes)
        place += len(page.data or b"")
        yield replace(page, offset=place)
        if page.data is None and not os.path.exists(location.path):
            yield VictorError("no such file", location.path)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def sha256_of(path: str | os.PathLike[str]) -> str:
    """The digest of a file, or an empty string if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def shards_of(inputs: Inputs) -> list[Shard]:
    """All inputs in order, with absolute paths, so that a run can be resumed from any folder."""
    return [Shard(number, content) for number, content in enumerate(_contents(inputs), 1)]


def _contents(inputs: Inputs) -> Iterator[Container | tuple[Location, ...]]:
    pages: list[Location] = []
    for file in inputs.files():
        if isinstance(file, VictorError):
            raise file
        if file.path == STDIN:
            raise UsageError("a run cannot resume standard input: name files")
        check_no_device(file.path)
        if isinstance(file, Location):
            pages.append(file._replace(path=os.path.abspath(file.path)))
        if pages and (isinstance(file, Container) or len(pages) == PAGES):
            yield tuple(pages)
            pages = []
        if isinstance(file, Container):
            yield file._replace(path=os.path.abspath(file.path))
    if pages:
        yield tuple(pages)
