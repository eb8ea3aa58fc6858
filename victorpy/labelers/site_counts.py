"""How many pages of each site hold each text. A text on many pages of a site is rarely the main content of one."""

import hashlib
import io
import logging
import re
import zipfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from victorpy.errors import UsageError, VictorError
from victorpy.features.duplicates import number_of, text_hashes
from victorpy.features.paths import path_hashes
from victorpy.foundation.arrays import ARRAY_ERRORS, array_in, check_directory
from victorpy.foundation.files import written_whole
from victorpy.foundation.hashing import GOLDEN, Hashes
from victorpy.foundation.hosts import site_of
from victorpy.foundation.yaml_options import dump, read
from victorpy.labelers import count_sketch
from victorpy.labelers.count_sketch import Cells
from victorpy.page.blocks import Page, SiteCounts
from victorpy.page.markup import Markup, Mode
from victorpy.page.segment import SEGMENTER_VERSION
from victorpy.sources import RawPage
from victorpy.sources.decoded_pages import decoded_page

log = logging.getLogger("victorpy")

# Increased whenever older versions would misread the file.
SITES_FORMAT = 1

HEADER, CELLS = "header.yaml", "counts.npy"

# Above this, the filter would drop texts that no other page has.
_MOST_MISTAKES = 0.01

# What is counted for each site: pages, texts, texts with their tags, and the identities of pages.
_PAGES, _TEXTS, _PATHS, _IDENTITIES = np.array(
    [0x2545F4914F6CDD1D, 0xAF251AF3B0F025B5, 0xB564EF22EC7AECE5, 0xF7C2EBC08F67F2B5], np.uint64
)
_MIXER = np.uint64(GOLDEN)


# Sites


@dataclass(frozen=True, kw_only=True)
class SitesHeader:
    """`header.yaml`: what was counted."""

    victorpy_sites: int = SITES_FORMAT
    pages: int = 0
    sites: int = 0
    most_pages: int = 10_000
    mode: Mode = "block"
    markup: str = ""
    segmenter: int = SEGMENTER_VERSION


@dataclass(frozen=True, eq=False)
class CountedSites:
    """The counts of any number of sites."""

    header: SitesHeader
    cells: Cells

    def with_site_counts(self, page: Page, host: str | None = None) -> Page:
        """The page with the counts of its site. `host` is the site of pages without an address."""
        return self.with_counts_of(page, site_of(page.url, page.id, host))

    def with_counts_of(self, page: Page, site: str | None) -> Page:
        """The page with the counts of a given site, without those of the page itself (same address or text)."""
        counts = self._counts(page, _key(site)) if site else None
        # Derived columns are discarded, because they may come from earlier counts.
        return replace(page, site_counts=counts, derived={})

    def _counts(self, page: Page, site: np.uint64) -> SiteCounts:
        own = int(self.has(page, site))
        others = max(0, self.pages(site) - own)
        of_texts, of_paths = (count_sketch.counts(self.cells, keys) - own for keys in _block_keys(page, site))
        return SiteCounts(others, of_texts.clip(0, others), of_paths.clip(0, others))

    def has(self, page: Page, site: np.uint64) -> bool:
        return bool(count_sketch.counts(self.cells, _identities(page, site)).any())

    def pages(self, site: np.uint64) -> int:
        return int(count_sketch.counts(self.cells, _pages_key(site))[0])

    def check_cuts_alike(self, markup: Markup, place: str | Path) -> None:
        """Refuses counts of blocks that were split by other markup options."""
        if self.header.markup != _digest(markup):
            raise UsageError(
                f"counts blocks of other markup options (mode '{self.header.mode}') than the cleaner's"
                f" (mode '{markup.mode}'): learn the sites again, with the --model or --labeler that cleans",
                place,
            )


class SiteCounter:
    """Counts a stream of pages in a fixed amount of memory."""

    def __init__(self, markup: Markup, megabytes: int = 64, most_pages: int = 10_000):
        self.markup, self.most_pages = markup, min(most_pages, count_sketch.MOST)
        self.counted, self.found_sites = 0, 0
        self.cells = count_sketch.empty(megabytes)

    def add(self, page: Page, site: str | None) -> str:
        """Counts a page, or returns the reason why not."""
        if site is None:
            return "no address, and no folder named as a host: its site is unknown"
        so_far, key = CountedSites(SitesHeader(), self.cells), _key(site)
        pages = so_far.pages(key)
        if so_far.has(page, key):
            return "the same page was counted before"
        if pages >= self.most_pages:
            return f"{self.most_pages} pages of {site} are enough"
        keys = (_pages_key(key), _identities(page, key), *_block_keys(page, key))
        count_sketch.count(self.cells, np.unique(np.concatenate(keys)))
        self.counted += 1
        self.found_sites += not pages
        return ""

    def sites(self) -> CountedSites:
        """The counts so far."""
        markup = {"mode": self.markup.mode, "markup": _digest(self.markup)}
        header = SitesHeader(pages=self.counted, sites=self.found_sites, most_pages=self.most_pages, **markup)  # type: ignore[arg-type]
        return CountedSites(header, count_sketch.folded(self.cells).copy())


def learned(pages: Iterable[RawPage], counter: SiteCounter, host: str | None = None) -> CountedSites:
    """Counts all pages, and logs the pages that could not be counted."""
    for raw in pages:
        problem = _count(raw, counter, host)
        if problem:
            log.warning("%s: not counted: %s", raw.path, problem)
    _check(counter)
    return counter.sites()


def _count(raw: RawPage, counter: SiteCounter, host: str | None) -> str:
    found = decoded_page(raw)
    page = found.page(counter.markup)
    if page is None:
        return found.problem
    return counter.add(page, site_of(page.url, page.id, host))


def _check(counter: SiteCounter) -> None:
    if not counter.counted:
        raise VictorError("no page could be counted: name the host of pages without an address with --host")
    if counter.counted == counter.found_sites:
        raise VictorError("no site has two pages: counting what pages share needs several pages of a site")
    mistakes = count_sketch.chance_of_mistake(counter.cells)
    if mistakes > _MOST_MISTAKES:
        log.warning("%.0f%% of new texts would be mistaken for counted ones: give more --megabytes", 100 * mistakes)


def _digest(markup: Markup) -> str:
    cuts = {name: value for name, value in asdict(markup).items() if name != "pre_lines_split"}
    return hashlib.sha256(repr(cuts).encode()).hexdigest()[:16]


# Keys: numbers for what is counted of a site


def _key(text: str) -> np.uint64:
    return number_of(text.encode("utf-8", "replace"))


def _pages_key(site: np.uint64) -> Hashes:
    return _mixed(_PAGES[None], site)


def _block_keys(page: Page, site: np.uint64) -> tuple[Hashes, Hashes]:
    """Two keys for each block: one for its text, and one for its text with the tags around it."""
    texts, of_paths = text_hashes(page), path_hashes(page).take(page.element)
    of_paths ^= of_paths >> np.uint64(29)
    return _mixed(texts ^ _TEXTS, site), _mixed((texts ^ _PATHS) + of_paths * _MIXER, site)


def _identities(page: Page, site: np.uint64) -> Hashes:
    """The keys by which a page is recognised: one for its text, and one for its address."""
    found = [number_of(text_hashes(page).tobytes()), *([_key(page.url)] if page.url else [])]
    return _mixed(np.array(found, np.uint64) ^ _IDENTITIES, site)


def _mixed(keys: Hashes, site: np.uint64) -> Hashes:
    mixed = (keys ^ (keys >> np.uint64(32)) ^ site) * _MIXER
    mixed ^= mixed >> np.uint64(32)
    return mixed


# Files


def save(sites: CountedSites, path: Path) -> None:
    """Writes a zip file that numpy reads, with a header that people read."""
    content = io.BytesIO()
    np.lib.format.write_array(content, sites.cells, allow_pickle=False)
    with written_whole(path) as file, zipfile.ZipFile(file, "w") as archive:
        # ZipInfo has a fixed date by default, so the same counts make the same file.
        archive.writestr(zipfile.ZipInfo(HEADER), dump(sites.header))
        archive.writestr(zipfile.ZipInfo(CELLS), content.getvalue(), zipfile.ZIP_DEFLATED)


def load(path: Path) -> CountedSites:
    try:
        with zipfile.ZipFile(path) as archive:
            check_directory(archive, {HEADER, CELLS})
            text, cells = archive.read(HEADER).decode(), array_in(archive, CELLS)
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror or error}", path) from error
    except ARRAY_ERRORS as error:
        raise VictorError("not a file of victor learn site", path) from error
    header = _header(text, path)
    if not count_sketch.are_cells(cells):
        raise VictorError("not a file of victor learn site: its counts have another shape", path)
    return CountedSites(header, cells)


def _header(text: str, path: Path) -> SitesHeader:
    found = re.match(r"victorpy-sites: (\d{1,9})$", text, re.MULTILINE)
    if not found or int(found[1]) > SITES_FORMAT:
        what = f"format {found[1]}" if found else "unknown format"
        raise VictorError(f"{what}, but this victorpy reads formats up to {SITES_FORMAT}: upgrade victorpy", path)
    header = read(SitesHeader, text, f"{path}: {HEADER}")
    if header.segmenter != SEGMENTER_VERSION:
        cut = (header.segmenter, SEGMENTER_VERSION)
        log.warning("%s: counts blocks of segmenter %d, but this is %d: fewer blocks will match", path, *cut)
    return header
