#!/usr/bin/env python3
"""Measures what adapting a model to a site gains there, and what it costs elsewhere.

    adaptation.py DATA [--annotations FOLDER] [--model FOLDER] [--pull NUMBER]

DATA is as train_web.py wants it. A model learns from the first four of the six folds of sites, portals-a left out. It
is adapted to some pages of a site that it has not seen, drawn at random five times; the site's other pages are cleaned,
and of every set some pages of the sixth fold. (The fifth is where the pull, and how far to go, were chosen.) With
--model the model is kept there, and taken from there if it exists; --annotations holds SET/ID.anno, as `victor import`
with the config `web` makes them.
"""

import argparse
import logging
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from training_sets import SETS, Entry, annotate_sets, comments_in_sets, entries, lessons, lessons_of, with_grafts

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.annotation.gold_texts import cleaneval
from victorpy.annotation.text_scores import words
from victorpy.features.table import matrix
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.adapting import REGULARIZATION, adapted
from victorpy.models.config import Config
from victorpy.models.decoding import decoded
from victorpy.models.model_folder import Model
from victorpy.models.network import Matrix
from victorpy.models.training import train
from victorpy.page.blocks import Label, Page
from victorpy.page.encoding import decode
from victorpy.page.passages import passages
from victorpy.page.segment import segment

DRAWS = 5
ELSEWHERE = 60
# How many pages of a site are learned from.
TRIALS = {
    "tv.msnbc.com_news": (1, 5, 20),
    "bbc.co.uk_news": (1, 6),
    "chinanews.com": (1, 6),
    "iatronet.gr": (1, 6),
    "ifeng.com": (1, 6),
    "newsru.com": (1, 6),
    "substack.com": (1, 6, 12),
}


@dataclass(frozen=True, eq=False)
class Case:
    """A page with its gold text, as the network sees it."""

    entry: Entry
    page: Page
    figures: Matrix
    gold: str

    def f1(self, model: Model) -> float:
        """Word F1 in percent."""
        network = model.scoped_network
        assert network
        chances = network.marginals(self.figures, self.page.lengths, network.words(self.page))
        labels, _ = decoded(self.page, chances.tobytes(), model.config.decoding)
        return self._f1(tuple(labels))

    @cache  # noqa: B019
    def _f1(self, labels: tuple[Label, ...]) -> float:
        text = "\n".join(passage.text for passage in passages(self.page, labels))
        return 100 * words(text, self.gold).f1


class Folders(NamedTuple):
    """Where pages and their labels lie."""

    data: Path
    annotations: Path

    def annotated(self, chosen: Sequence[Entry], config: Config) -> Iterator[AnnotatedPage]:
        """The pages as a user annotates them: all count alike, and nothing is said of scopes."""
        for entry in chosen:
            for lesson in islice(lessons_of(entry, self.data, self.annotations, config), 1):
                yield AnnotatedPage(lesson.page.page, lesson.page.labels)

    def entries(self) -> list[Entry]:
        return [entry for part in SETS for entry in entries(self.data, part)]

    def case(self, entry: Entry, config: Config) -> Case:
        html = (self.data / entry.set.name / "html" / f"{entry.id}.html").read_bytes()
        gold = (self.data / entry.set.name / "gold" / f"{entry.id}.txt").read_text("utf-8", "replace")
        page = segment(decode(html).text, markup=config.markup)
        figures = matrix(page, config.network_features, config.regexp)
        return Case(entry, page, figures, "\n".join(segment.text for segment in cleaneval(gold)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--annotations", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--pull", type=float, default=REGULARIZATION)
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.ERROR)
    with tempfile.TemporaryDirectory() as folder:
        annotations = options.annotations or annotated_sets(options.data, Path(folder))
        folders = Folders(options.data, annotations)
        measure(start(folders, options.model or Path(folder, "model")), folders, options.pull)


def annotated_sets(data: Path, target: Path) -> Path:
    annotate_sets(data, target, configs.load("web"))
    return target


def start(folders: Folders, target: Path) -> Model:
    """The model to adapt. Its CRF, which has no say, is as small as can be."""
    if not target.exists():
        config = configs.load("web")
        config = replace(config, features=("container.p",), crf=replace(config.crf, max_iterations=1))
        found = lessons(folders.data, folders.annotations, config)
        known = (lesson for lesson in found if lesson.entry is None or _is_learned(lesson.entry))
        comments = comments_in_sets(folders.data, folders.annotations, config, SETS, _is_learned)
        learned = (lesson.page for lesson in with_grafts(known, comments, config))
        model_folder.save(train(learned, config), target)
    return model_folder.load(str(target))


def _is_learned(entry: Entry) -> bool:
    return entry.fold < 4 and entry.set.name != "portals-a"


def measure(model: Model, folders: Folders, pull: float) -> None:
    elsewhere = [folders.case(entry, model.config) for entry in unseen(folders.entries())]
    before = by_set(model, elsewhere)
    print("elsewhere", len(elsewhere), *(f"{name} {score:.2f}" for name, score in before.items()), sep="\t")
    print("site", "learned", "tested", "before", "after", *before, "worst", sep="\t")
    for site, counts in TRIALS.items():
        cases = [folders.case(entry, model.config) for entry in folders.entries() if entry.site == site]
        for count in counts:
            trials = [trial(model, folders, cases, elsewhere, (count, draw, pull)) for draw in range(DRAWS)]
            changes = [{name: new.elsewhere[name] - old for name, old in before.items()} for new in trials]
            means = (f"{fmean(change[name] for change in changes):+.2f}" for name in before)
            worst = min(change["all"] for change in changes)
            scores = fmean(new.before for new in trials), fmean(new.after for new in trials)
            print(
                site,
                count,
                len(cases) - count,
                *(f"{score:.2f}" for score in scores),
                *means,
                f"{worst:+.2f}",
                sep="\t",
            )


def unseen(every: Sequence[Entry]) -> Iterator[Entry]:
    """Of each set some pages of the last fold."""
    for part in SETS:
        found = [entry for entry in every if entry.set == part and entry.fold == 5 and entry.site not in TRIALS]
        random.Random(0).shuffle(found)
        yield from found[:ELSEWHERE]


class Trial(NamedTuple):
    """What the site's other pages score before and after, and what pages elsewhere score after."""

    before: float
    after: float
    elsewhere: dict[str, float]


def trial(
    model: Model, folders: Folders, cases: Sequence[Case], elsewhere: Sequence[Case], draw: tuple[int, int, float]
) -> Trial:
    count, seed, pull = draw
    shuffled = list(cases)
    random.Random(seed).shuffle(shuffled)
    taught = folders.annotated([case.entry for case in shuffled[:count]], model.config)
    new = adapted(model, taught, regularization=pull)
    tested = shuffled[count:]
    return Trial(mean_f1(model, tested), mean_f1(new, tested), by_set(new, elsewhere))


def mean_f1(model: Model, cases: Sequence[Case]) -> float:
    return fmean(case.f1(model) for case in cases)


def by_set(model: Model, cases: Sequence[Case]) -> dict[str, float]:
    names = sorted({case.entry.set.name for case in cases})
    parts = {name: [case for case in cases if case.entry.set.name == name] for name in names}
    return {"all": mean_f1(model, cases)} | {name: mean_f1(model, part) for name, part in parts.items()}


if __name__ == "__main__":
    main()
