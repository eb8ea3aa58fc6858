"""Pages with their addresses: files and a list of their addresses, or records in JSONL."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from victorpy.errors import UsageError, VictorError
from victorpy.files import read_text
from victorpy.sources import Location, RawPage, find_pages, read_page

_RECORDS = (".jsonl", ".jsonl.gz")


def addresses(path: Path) -> dict[str, str]:
    """A list of addresses: in each line a page (its file or its id), a tab, and its address."""
    found = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        name, tab, url = line.partition("\t")
        if not tab or not url.strip():
            raise VictorError("a page, a tab and its address are wanted", path, number)
        found[name] = url.split("\t")[0].strip()
    return found


def address_of(page: Location | RawPage, urls: Mapping[str, str]) -> str | None:
    return page.url or urls.get(page.path) or urls.get(page.id)


def crawled(inputs: Sequence[str], urls: Mapping[str, str] = {}) -> Iterator[RawPage]:
    """Pages, folders of pages, and files of records {"url": …, "html": …}, one page at a time."""
    records = [name for name in inputs if name.lower().endswith(_RECORDS)]
    for name in records:
        if not Path(name).is_file():
            raise UsageError("no such file", name)
    for name in records:
        yield from _records(name)
    rest = [name for name in inputs if name not in records]
    for location in find_pages(rest) if rest else []:
        yield read_page(location)._replace(url=address_of(location, urls))


def _records(path: str) -> Iterator[RawPage]:
    import gzip  # noqa: PLC0415

    try:
        with gzip.open(path) if path.lower().endswith(".gz") else open(path, "rb") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _page(line, f"{path}:{number}")
    except (OSError, EOFError, zlib.error) as error:
        raise VictorError(f"cannot be read: {error}", path) from error


def _page(line: bytes, place: str) -> RawPage:
    try:
        record: Any = json.loads(line)
    except ValueError as error:
        return RawPage("", place, None, f"no JSON: {error}")
    if not isinstance(record, dict) or not isinstance(record.get("html"), str):
        return RawPage("", place, None, 'no text "html" in this record')
    url = record.get("url")
    html = record["html"].encode("utf-8", "replace")
    return RawPage(str(record.get("id", "")), place, html, url=url if isinstance(url, str) else None)
