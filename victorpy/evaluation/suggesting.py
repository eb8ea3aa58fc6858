"""Suggest pages to annotate: those on which a model is uncertain and that differ from annotated pages."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.errors import UsageError
from victorpy.features.buckets import Codes
from victorpy.features.table import Columns
from victorpy.foundation.hosts import site_of
from victorpy.foundation.processes import Crash, Limits, mapped
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Page
from victorpy.page.elements import Flags, Floats, Ints
from victorpy.sources import ANNOTATION_SUFFIXES, Location, decoded_page, find_pages

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger("victorpy")

Profile = NDArray[np.float32]

# Every page counts as if it had so many more characters of certain content: otherwise pages of a few words, or
# without content, would seem most uncertain.
_PRIOR_CHARACTERS = 500

# The tags in which a page names its address.
_ADDRESS = re.compile(
    r"""<(?:link\b[^<>]*?\brel=["']?canonical\b|meta\b[^<>]*?["']og:url["']|base\b)[^<>]*+>""", re.IGNORECASE
)
_URL = re.compile(r"""\b(?:href|content)\s*=\s*["']?(https?://[^\s"'<>]+)""", re.IGNORECASE)

# Only so many characters at the beginning are searched for them.
_HEAD = 1 << 16


class AnnotatedProfile(NamedTuple):
    """An annotated page, in short: novelty is the distance to these."""

    host: str
    profile: Profile


class Candidate(NamedTuple):
    """A page without annotation, in short."""

    id: str
    host: str
    profile: Profile
    blocks: int
    uncertainty: float
    hardest: str


class SuggestedPage(NamedTuple):
    """A candidate with its novelty, given all suggestions before it, and its score."""

    candidate: Candidate
    novelty: float
    score: float


# A page


def candidate(model: Model, page: Page, host: str) -> Candidate:
    labeling = model.labeling(page)
    chances = np.array(labeling.probabilities, float)
    keeps = np.array([label.is_content for label in labeling.labels])
    return Candidate(
        id=page.id,
        host=host,
        profile=profile(model.columns.codes(page), page.lengths, model.columns),
        blocks=len(page),
        uncertainty=uncertainty(chances, keeps, page.lengths),
        hardest=page.texts[int(np.abs(chances - 0.5).argmin())],
    )


def uncertainty(chances: Floats, keeps: Flags, lengths: Ints) -> float:
    """One minus the F1 that the model expects for the blocks that it keeps, weighted by characters."""
    right = (chances * lengths)[keeps].sum() + _PRIOR_CHARACTERS
    either = lengths[keeps].sum() + (chances * lengths).sum() + 2 * _PRIOR_CHARACTERS
    return float(1 - 2 * right / either)


def profile(codes: Codes, lengths: Ints, columns: Columns) -> Profile:
    """The share of the page's characters in each bucket of each feature."""
    shares = [
        np.bincount(row, lengths, bucketing.count) for row, bucketing in zip(codes, columns.bucketings, strict=True)
    ]
    found: Profile = (np.concatenate(shares) / (len(shares) * lengths.sum())).astype(np.float32)
    return found


def distances(profiles: Profile, other: Profile) -> Floats:
    """The distance of each row to a profile, from 0 (equal) to 1 (disjoint)."""
    found: Floats = np.abs(profiles - other).sum(1, dtype=float) / 2
    return found


def site(page: Page, html: str) -> str:
    """The host of the page's address, given or named in the page; otherwise its folder."""
    named = (_URL.search(tag[0]) for tag in _ADDRESS.finditer(html, 0, _HEAD))
    addresses = [page.url, *(url[1] for url in named if url)]
    hosts = filter(None, map(site_of, addresses))
    return next(hosts, page.id.partition("/")[0] if "/" in page.id else "")


# Many pages


def known_pages(paths: Iterable[Path], model: Model) -> Iterator[AnnotatedProfile]:
    """The annotated pages, in short."""
    for path in paths:
        annotation = read(path)
        page, _, _ = labeled_page(annotation, model.config.markup)
        if len(page):
            codes = model.columns.codes(page)
            yield AnnotatedProfile(site(page, annotation.html), profile(codes, page.lengths, model.columns))


def candidates(locations: Sequence[Location], model: Model, jobs: int = 1) -> Iterator[Candidate]:
    """The pages that have text, in short; no page stays in memory."""
    # Always in children: a page that crashes or uses all memory is left out.
    for location, result in mapped(partial(_candidate, model), locations, jobs, Limits()):
        if isinstance(result, Candidate):
            yield result
        else:
            log.warning("%s: left out: %s", location.path, result.reason if isinstance(result, Crash) else result)


def _candidate(model: Model, location: Location) -> Candidate | str:
    """A candidate, or why the page cannot be one."""
    found = decoded_page(location)
    page = found.page(model.config.markup)
    if found.html is None or page is None:
        return found.problem
    return candidate(model, page, site(page, found.html)) if len(page) else "no text in the page"


def ranked(candidates: Sequence[Candidate], known: Iterable[AnnotatedProfile]) -> Iterator[SuggestedPage]:
    """The best first; the score of each assumes that all pages before it are annotated."""
    if not candidates:
        return
    profiles = np.stack([candidate.profile for candidate in candidates])
    uncertainty = np.array([candidate.uncertainty for candidate in candidates])
    nearest, hosts = np.ones(len(candidates)), Counter[str]()
    is_left = np.ones(len(candidates), np.bool_)
    for page in known:
        nearest = np.minimum(nearest, distances(profiles, page.profile))
        hosts[page.host] += 1
    while is_left.any():
        novelty = nearest / [1 + hosts[candidate.host] * bool(candidate.host) for candidate in candidates]
        scores = np.where(is_left, uncertainty * novelty, -1.0)
        best = int(scores.argmax())
        yield SuggestedPage(candidates[best], float(novelty[best]), float(scores[best]))
        nearest = np.minimum(nearest, distances(profiles, profiles[best]))
        hosts[candidates[best].host] += 1
        is_left[best] = False


def table(suggested: Iterable[SuggestedPage]) -> "pd.DataFrame":
    """One row for each suggested page, the best first."""
    import pandas as pd  # noqa: PLC0415

    rows = [
        (page.id, page.host, page.blocks, page.uncertainty, novelty, score, page.hardest)
        for page, novelty, score in suggested
    ]
    names = ["page", "host", "blocks", "uncertainty", "novelty", "score", "most uncertain block"]
    return pd.DataFrame(rows, columns=names).set_index("page")


# Folders


def suggest(model: Model, folder: str, annotated: Sequence[str] = (), count: int = 20, jobs: int = 1) -> "pd.DataFrame":
    """The `count` best pages of the folder; `.anno` files lie beside the pages or in the `annotated` folders."""
    known = known_pages(annotated_files(folder, annotated), model)
    found = list(candidates(open_pages(folder, annotated), model, jobs))
    return table(islice(ranked(found, known), count))


def open_pages(folder: str, annotated: Sequence[str]) -> list[Location]:
    """The pages of a folder without an .anno file beside them or, by id, in the other folders."""
    if not Path(folder).is_dir():
        raise UsageError("no such folder of pages", folder)
    pages = find_pages([folder])
    done = {location.id for place in (folder, *annotated) for location in _annotations_in(place)}
    return [page for page in pages if page.id not in done]


def annotated_files(folder: str, annotated: Sequence[str]) -> list[Path]:
    """The .anno files of all these folders, each once."""
    found = [Path(location.path) for place in (folder, *annotated) for location in _annotations_in(place)]
    return list({path.resolve(): path for path in found}.values())


def _annotations_in(folder: str) -> list[Location]:
    """The .anno files of a folder; there may be none yet."""
    if not Path(folder).is_dir():
        raise UsageError("no such folder of annotated pages", folder)
    if not any(Path(folder).rglob("*.anno")):
        return []
    return find_pages([folder], ANNOTATION_SUFFIXES)
