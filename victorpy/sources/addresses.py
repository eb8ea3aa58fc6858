"""The addresses of pages, from the pages themselves or from a list."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from victorpy.errors import VictorError
from victorpy.foundation.files import read_text
from victorpy.sources import Inputs, Location, RawPage, read_page


def addresses(path: Path) -> dict[str, str]:
    """Read a list of addresses: on each line a page (its file or its id), a tab, and its address."""
    found = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        name, tab, url = line.partition("\t")
        if not tab or not url.strip():
            raise VictorError("expected a page, a tab and its address", path, number)
        found[name] = url.split("\t")[0].strip()
    return found


def address_of(page: Location | RawPage, urls: Mapping[str, str]) -> str | None:
    return page.url or urls.get(page.path) or urls.get(page.id)


def crawled(inputs: Inputs, urls: Mapping[str, str] = {}) -> Iterator[RawPage | VictorError]:
    """Every page with its bytes and its address, and errors for what could not be read."""
    for found in inputs.pages():
        page = read_page(found) if isinstance(found, Location) else found
        yield page if isinstance(page, VictorError) else replace(page, url=address_of(page, urls))
