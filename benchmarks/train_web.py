#!/usr/bin/env python3
"""Makes the shipped model `web` again from the data sets, or tests its network on sets or sites that it has not seen.

    train_web.py DATA [--models FOLDER]
    train_web.py DATA --leave-set-out FOLDER [--test FAMILY …] [--config CONFIG]
    train_web.py DATA --cross-validate FOLDER [--test FOLD …] [--config CONFIG]

DATA holds SET/html/ID.html, SET/gold/ID.txt and SET/pages.tsv for every set of training_sets.py. With --leave-set-out,
a network learns from all sets but those of one family, and cleans their pages; with --cross-validate, it learns from
all sites but a sixth. FOLDER gets a text for every page, to be scored: right/SET/ID.txt by the scope of the set's gold
texts, auto/SET/ID.txt without a scope, and nameless/SET/ID.txt from pages whose names of elements (class, id, itemprop,
rel, aria-label, data-…) were removed. A confidence.tsv beside them has the F1 that each page's text is expected to have
by its probabilities, before it is calibrated.
comments/SET/ID.txt gets the blocks of the field `comment`, and metadata/SET.jsonl title, author and date of each page.

--only SET … learns from these sets alone, --without-scopes, --without-own and --without-grafts without scopes, our own
pages and articles with comments of other pages, and --share NUMBER from this share of all pages, for a learning curve.
All choices are made by the left-out sets.
"""

import argparse
import json
import logging
import re
import tempfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from grafted_comments import Comments
from make_models import LICENCES
from training_sets import (
    FOLDS,
    NEAREST,
    OWN,
    OWN_LICENCE,
    SETS,
    Entry,
    Lesson,
    Set,
    annotate_sets,
    comments_in_sets,
    entries,
    families,
    lessons,
    with_grafts,
)

from victorpy.foundation.files import write_text
from victorpy.labelers import Labeling
from victorpy.models import config as configs
from victorpy.models import network_learning
from victorpy.models.config import Config
from victorpy.models.decoding import Decoding, decoded
from victorpy.models.model_folder import save
from victorpy.models.network import Network
from victorpy.models.scopes import AUTO, Scope
from victorpy.models.training import network_page, train
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.block_fields import fields_of
from victorpy.page.blocks import Label, Page
from victorpy.pipeline.cleaner import Cleaner

log = logging.getLogger("victorpy")

# The F1 that is expected of each page by its probabilities, beside its texts.
CONFIDENCES = "confidence.tsv"

# The texts of pages without names of elements.
NAMELESS = "nameless"
NAMES = re.compile(
    rb"""\s(?:class|id|itemprop|rel|aria-label|data-[\w-]+)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE
)


@dataclass(frozen=True)
class Split:
    """A name, and which pages are tested instead of learned from."""

    name: str
    is_tested: Callable[[Entry], bool]


@dataclass(frozen=True)
class Test:
    """Where pages and labels are, what is learned, and where the texts go."""

    data: Path
    annotations: Path
    config: Config
    output: Path
    only: Sequence[str]
    has_scopes: bool
    has_own: bool
    has_grafts: bool
    share: float


def main() -> None:
    options = arguments()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    config = configs.load(options.config)
    output = options.leave_set_out or options.cross_validate
    with tempfile.TemporaryDirectory() as folder:
        annotations = options.annotations or Path(folder)
        if not any(annotations.iterdir() if annotations.is_dir() else ()):
            annotate_sets(options.data, annotations, config)
        if output is None:
            make(options.data, annotations, config, options.models)
            return
        test = Test(
            options.data,
            annotations,
            config,
            output,
            options.only,
            not options.without_scopes,
            not options.without_own,
            not options.without_grafts,
            options.share,
        )
        splits = left_out_sets(options.test) if options.leave_set_out else site_folds(options.test)
        with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
            for name in pool.map(partial(run, test), splits):
                log.info("%s done", name)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    test = parser.add_mutually_exclusive_group()
    test.add_argument("--leave-set-out", type=Path, metavar="FOLDER")
    test.add_argument("--cross-validate", type=Path, metavar="FOLDER")
    parser.add_argument("--test", nargs="+", default=[], help="only these families of sets, or folds")
    parser.add_argument("-c", "--config", default="web")
    parser.add_argument("--annotations", type=Path, metavar="FOLDER", help="keep the labels of the pages here")
    parser.add_argument("--only", nargs="+", default=[part.name for part in SETS], metavar="SET")
    parser.add_argument("--without-scopes", action="store_true")
    parser.add_argument("--without-own", action="store_true")
    parser.add_argument("--without-grafts", action="store_true")
    parser.add_argument("--share", type=float, default=1.0, metavar="NUMBER")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def make(data: Path, annotations: Path, config: Config, models: Path) -> None:
    """The scores go into the card by benchmarks/quality.py, which measures them."""
    source = ", ".join([*(part.name for part in SETS), OWN])
    licences = "; ".join([*(LICENCES[part.name] for part in SETS), OWN_LICENCE])
    comments = comments_in_sets(data, annotations, config, SETS, lambda _: True)
    taught = with_grafts(lessons(data, annotations, config), comments, config)
    model = train((lesson.page for lesson in taught), config, source, licences)
    summary = "Pages of any kind, age and language, by scope: a network over blocks and lines."
    save(replace(model, card=replace(model.card, summary=summary)), models / "web")


def left_out_sets(names: Sequence[str]) -> list[Split]:
    found = [[part.name for part in family] for family in families()]
    return [Split(family[0], partial(_is_of, family)) for family in found if not names or {*family} & {*names}]


def site_folds(names: Sequence[str]) -> list[Split]:
    return [Split(str(fold), partial(_is_in, fold)) for fold in range(FOLDS) if not names or str(fold) in names]


def _is_of(family: Sequence[str], entry: Entry) -> bool:
    return entry.set.name in family


def _is_in(fold: int, entry: Entry) -> bool:
    return entry.fold == fold


def run(test: Test, split: Split) -> str:
    """Learn from the other pages, and clean those of the split."""
    learned = [part for part in SETS if part.name in test.only]
    taught = lessons(test.data, test.annotations, test.config, learned)
    known = (lesson for lesson in taught if _is_for_learning(lesson, test, split))
    comments = _comments(test, split, learned) if test.has_scopes and test.has_grafts else []
    network = _learned(with_grafts(known, comments, test.config), test)
    for part in SETS:
        tested = [entry for entry in entries(test.data, part) if split.is_tested(entry)]
        right = part.scope if part.scope in network.scopes else NEAREST.get(part.scope, AUTO)
        for folder, scope in {"right": right, "auto": AUTO, NAMELESS: right}.items():
            _clean(tested, network, scope if test.has_scopes else AUTO, test, folder)
    return split.name


def _is_for_learning(lesson: Lesson, test: Test, split: Split) -> bool:
    if zlib.crc32(lesson.page.page.core.source.encode("utf-8", "replace")) >= test.share * (1 << 32):
        return False
    if lesson.entry is None:
        return test.has_own
    # Without scopes, a page has one answer.
    return not split.is_tested(lesson.entry) and (test.has_scopes or AUTO in lesson.page.scopes)


def _comments(test: Test, split: Split, learned: Sequence[Set]) -> list[Comments]:
    def is_known(entry: Entry) -> bool:
        return not split.is_tested(entry)

    return comments_in_sets(test.data, test.annotations, test.config, learned, is_known)


def _learned(taught: Iterable[Lesson], test: Test) -> Network:
    config = test.config
    annotated = (lesson.page if test.has_scopes else lesson.page._replace(scopes=()) for lesson in taught)
    pages = [network_page(page, config.network_features, config) for page in annotated]
    return network_learning.learn(pages, config.network_features, config.network)


def _clean(tested: Sequence[Entry], network: Network, scope: Scope, test: Test, folder: str) -> None:
    alone = _Alone(network.of_scope(scope), replace(test.config.decoding, scope=scope))
    cleaner, confidences = Cleaner(alone, test.config.markup), dict[str, float | None]()
    facts: list[str] = []
    for entry in tested:
        html = (test.data / entry.set.name / "html" / f"{entry.id}.html").read_bytes()
        cleaned = cleaner.clean(NAMES.sub(b"", html) if folder == NAMELESS else html)
        confidences[entry.id] = cleaned.confidence
        write_text(test.output / folder / entry.set.name / f"{entry.id}.txt", FORMATS["cleaneval"](cleaned))
        if folder == "right":
            comments = "".join(f"{block.text}\n" for block in cleaned.blocks if block.field is Label.COMMENT)
            write_text(test.output / "comments" / entry.set.name / f"{entry.id}.txt", comments)
            facts.append(_facts(entry, cleaned))
    if facts:
        path = test.output / "metadata" / f"{tested[0].set.name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as lines:
            lines.writelines(facts)
    if tested:
        with (test.output / folder / tested[0].set.name / CONFIDENCES).open("a") as lines:
            lines.writelines(f"{id}\t{confidence:.4f}\n" for id, confidence in confidences.items())


def _facts(entry: Entry, cleaned: Cleaned) -> str:
    found = cleaned.metadata
    facts = {"title": found.title, "author": ", ".join(found.authors) or None, "date": found.date_published}
    return f"{json.dumps({'id': entry.id, **facts})}\n"


@dataclass(frozen=True, eq=False)
class _Alone:
    """A network without the CRF that a model has beside it."""

    network: Network
    decoding: Decoding

    def labeling(self, page: Page) -> Labeling:
        chances, fields = self.network.with_fields_of_page(page)
        labels, probabilities = decoded(page, chances.tobytes(), self.decoding)
        return Labeling(labels, probabilities=probabilities, fields=fields_of(fields))


if __name__ == "__main__":
    main()
