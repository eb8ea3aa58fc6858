#!/usr/bin/env python3
"""Makes the shipped model `web` again from the data sets, or cross-validates its network over their sites.

    train_web.py DATA [--models FOLDER]
    train_web.py DATA --cross-validate FOLDER [--folds 0 1 2 3 4] [--test 0 1] [--config CONFIG]

DATA holds SET/html/ID.html, SET/gold/ID.txt and SET/pages.tsv for every set named below. A site, whatever set its pages
are in, belongs to one of six folds. The last was left out of every choice, from layers to dropout. Cross-validated,
the pages of each fold are cleaned by a network that was trained on the other five, and FOLDER gets a text for every
page, to be scored. With --folds, all but the folds named are left out; --test names those to test now.
"""

import argparse
import logging
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from make_models import LICENCES, annotate

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.foundation.files import write_text
from victorpy.labelers import Labeling
from victorpy.models import config as configs
from victorpy.models import network_learning
from victorpy.models.config import Config
from victorpy.models.decoding import decoded
from victorpy.models.model_folder import save
from victorpy.models.network import Network
from victorpy.models.network_pages import NetworkPage
from victorpy.models.training import annotated_pages, network_page, train
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Page
from victorpy.pipeline.cleaner import Cleaner

log = logging.getLogger("victorpy")

FOLDS = 6


@dataclass(frozen=True)
class Set:
    """A set of pages: how much its pages count in learning, and how much their kinds do."""

    name: str
    weight: float = 1.0
    kinds_weight: float = 1.0


# The kinds of CLEANEVAL were given by people; those of the others come from markdown, or are paragraphs nearly all.
SETS = (
    Set("wcxb-dev", kinds_weight=0.5),
    Set("cleaneval-dev", kinds_weight=3.0),
    Set("cleaneval-final-a", kinds_weight=3.0),
    Set("google-news", kinds_weight=0.5),
    Set("daniel-a", kinds_weight=0.3),
    Set("portals-a"),
)


class Entry(NamedTuple):
    """A line of pages.tsv."""

    set: Set
    id: str
    kind: str
    site: str

    @property
    def fold(self) -> int:
        return zlib.crc32(self.site.encode()) % FOLDS


class Labeled(NamedTuple):
    """An entry whose gold text fits its page, as the network sees it."""

    entry: Entry
    page: NetworkPage


class Split(NamedTuple):
    """The folds that are there at all, and those to test now."""

    folds: Sequence[int]
    tested: Sequence[int]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--cross-validate", type=Path, metavar="FOLDER")
    parser.add_argument("--folds", type=int, nargs="+", default=list(range(FOLDS)))
    parser.add_argument("--test", type=int, nargs="+")
    parser.add_argument("-c", "--config", default="web")
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    config = configs.load(options.config)
    with tempfile.TemporaryDirectory() as folder:
        annotations = Path(folder)
        for part in SETS:
            annotate(options.data / part.name, annotations / part.name, config)
        if options.cross_validate:
            split = Split(options.folds, options.test or options.folds)
            cross_validate(options.data, annotations, config, split, options.cross_validate)
        else:
            make(annotations, config, options.models)


def make(annotations: Path, config: Config, models: Path) -> None:
    """The cross-validated scores go into the card by benchmarks/quality.py, which measures them."""
    pages = (
        page._replace(weight=part.weight, kinds_weight=part.kinds_weight)
        for part in SETS
        for page in annotated_pages(sorted((annotations / part.name).rglob("*.anno")), config)
    )
    source = ", ".join(part.name for part in SETS)
    model = train(pages, config, source, "; ".join(LICENCES[part.name] for part in SETS))
    summary = "Modern pages and those of 2005 to 2013, in any language: a network over blocks and lines."
    save(replace(model, card=replace(model.card, summary=summary)), models / "web")


def entries(data: Path, part: Set) -> list[Entry]:
    lines = (data / part.name / "pages.tsv").read_text("utf-8").splitlines()
    return [Entry(part, *line.split("\t")[:3]) for line in lines]


def cross_validate(data: Path, annotations: Path, config: Config, split: Split, output: Path) -> None:
    every = [entry for part in SETS for entry in entries(data, part) if entry.fold in split.folds]
    labeled = list(_labeled(every, annotations, config))
    for fold in split.tested:
        pages = [page for entry, page in labeled if entry.fold != fold]
        network = network_learning.learn(pages, config.network_features, config.network)
        cleaner = Cleaner(_Alone(network, config), config.markup)
        for entry in every:
            if entry.fold == fold:
                html = (data / entry.set.name / "html" / f"{entry.id}.html").read_bytes()
                write_text(output / entry.set.name / f"{entry.id}.txt", FORMATS["cleaneval"](cleaner.clean(html)))
        log.info("fold %d done", fold)


def _labeled(entries: Iterable[Entry], annotations: Path, config: Config) -> Iterator[Labeled]:
    for entry in entries:
        path = annotations / entry.set.name / f"{entry.id}.anno"
        if path.exists():
            (page,) = annotated_pages([path], config)
            yield Labeled(entry, network_page(_weighted(page, entry.set), config.network_features, config))


def _weighted(page: AnnotatedPage, part: Set) -> AnnotatedPage:
    return page._replace(weight=part.weight, kinds_weight=part.kinds_weight)


@dataclass(frozen=True, eq=False)
class _Alone:
    """A network without the CRF that a model has beside it."""

    network: Network
    config: Config

    def labeling(self, page: Page) -> Labeling:
        chances = self.network.of_page(page)
        labels, probabilities = decoded(page, chances.tobytes(), self.config.decoding)
        return Labeling(labels, probabilities=probabilities)


if __name__ == "__main__":
    main()
