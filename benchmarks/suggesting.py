"""Which pages of a site to annotate: the F1 on the site's other pages after 5, 10 and 20 pages chosen by each order.

python benchmarks/suggesting.py ANNOTATED… [--model NAME] [--learn adapt|half|crf] [--sites N] [--splits N]

ANNOTATED are folders of .anno files, as `victor import` makes them, each with a file pages.tsv beside it or named by
--pages: id, kind and site of every page. Of each site with enough pages, a third is held out at random. From the others
each order chooses 5, 10 and 20; the model is adapted to them, or a CRF is trained on them; held-out pages are scored.
"""

import argparse
import logging
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from victorpy.annotation import text_scores
from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.annotation.page_groups import Membership, read_memberships
from victorpy.errors import VictorError
from victorpy.evaluation.predictions import Sample, samples_of
from victorpy.evaluation.scoring import ScoredPage, texts_of
from victorpy.features.table import Columns
from victorpy.models import model_folder
from victorpy.models.adapting import REGULARIZATION, adapted, network_of
from victorpy.models.model_folder import Model
from victorpy.models.network_refining import interpolated, refined
from victorpy.models.training import network_page, train
from victorpy.page.blocks import LABELS, Page
from victorpy.page.elements import Floats, Ints

COUNTS = (5, 10, 20)
DRAWS = 3

# Every page counts as if it had so many more characters of certain content: otherwise pages of a few words, or without
# content, would seem most uncertain.
PRIOR_CHARACTERS = 500


class Candidate(NamedTuple):
    """A page that may be chosen: how uncertain a model is of it, and its profile."""

    uncertainty: float
    profile: Floats


Order = Callable[[Sequence[Candidate]], list[int]]
Scores = dict[tuple[str, int], list[float]]


def main() -> None:
    options = arguments()
    logging.disable()
    model = model_folder.load(options.model)
    differences: Mapping[tuple[str, int], list[float]] = defaultdict(list)
    for split in range(options.splits):
        for site, samples in sites(options, model).items():
            scores = scores_of(model, samples, options.learn, f"{split} {site}")
            for (order, count), values in scores.items():
                print(split, site, order, count, *(f"{value:.2f}" for value in values), sep="\t", flush=True)
                differences[order, count].append(fmean(values) - fmean(scores["random", count]))
    for (order, count), values in differences.items():
        error = stdev(values) / len(values) ** 0.5 if len(values) > 1 else float("nan")
        print(f"{order} less random after {count}: {fmean(values):+.2f}, standard error {error:.2f}, n {len(values)}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--pages", type=Path, help="the folder with NAME/pages.tsv for each of the folders")
    parser.add_argument("--model", default="web")
    parser.add_argument("--learn", choices=LEARNERS, default="adapt")
    parser.add_argument("--least", type=int, default=27, help="pages that a site must have")
    parser.add_argument("--sites", type=int, default=100, help="how many sites at most")
    parser.add_argument("--splits", type=int, default=1, help="how often pages are held out")
    return parser.parse_args()


def sites(options: argparse.Namespace, model: Model) -> dict[str, list[Sample]]:
    """The pages of each site that has enough of them."""
    found: dict[str, list[Sample]] = defaultdict(list)
    for folder in options.folders:
        members = read_memberships((options.pages / folder.name if options.pages else folder) / "pages.tsv")
        for sample in samples_of(sorted(folder.glob("*.anno")), model.config, members):
            if len(sample.page):
                found[members.get(sample.id, Membership()).group].append(sample)
    enough = [site for site in sorted(found) if len(found[site]) >= options.least]
    return {site: found[site] for site in enough[: options.sites]}


def scores_of(model: Model, samples: Sequence[Sample], learn: str, seed: str) -> Scores:
    """The word F1 on held-out pages by order and number of pages; several draws for the random order."""
    chance = random.Random(seed)
    shuffled = chance.sample(samples, len(samples))
    held_out, pool = shuffled[: len(shuffled) // 3], shuffled[len(shuffled) // 3 :]
    pages = [candidate(model, sample.page) for sample in pool]
    found: Scores = {("none", 0): [score(model, held_out)], ("random", 0): [score(model, held_out)]}
    draws = [chance.sample(range(len(pool)), len(pool)) for _ in range(DRAWS)]
    choices = [*((name, order(pages)) for name, order in ORDERS.items()), *(("random", draw) for draw in draws)]
    for name, choice in choices:
        for count in COUNTS:
            if count < len(pool):
                new = learned(model, [pool[number] for number in choice[:count]], learn)
                found.setdefault((name, count), []).append(score(new, held_out))
    return found


def learned(model: Model, samples: Sequence[Sample], learn: str) -> Model:
    try:
        return LEARNERS[learn](model, [sample.annotated for sample in samples])
    except VictorError:
        return model


def half_adapted(model: Model, pages: Sequence[AnnotatedPage]) -> Model:
    """Half of the full step, not the step that cross-validation finds best: this takes a sixth of the time."""
    whole, scope = network_of(model), model.config.decoding.scope
    network = whole.of_scope(scope)
    known = [network_page(page.known_as(LABELS), network.features, model.config) for page in pages]
    new = interpolated(network, refined(network, known, REGULARIZATION), 0.5)
    return replace(model, network=whole.with_refined(new, scope), name="", digest="")


def crf(model: Model, pages: Sequence[AnnotatedPage]) -> Model:
    return train(pages, replace(model.config, network=replace(model.config.network, enabled=False)))


LEARNERS: Mapping[str, Callable[[Model, Sequence[AnnotatedPage]], Model]] = {
    "adapt": adapted,
    "half": half_adapted,
    "crf": crf,
}


def score(model: Model, unseen: Sequence[Sample]) -> float:
    pages = [ScoredPage(sample.id, sample.page, sample.labels, model.label(sample.page)) for sample in unseen]
    return 100 * fmean(text_scores.words(text.printed, text.gold).f1 for text in map(texts_of, pages))


# Orders


def candidate(model: Model, page: Page) -> Candidate:
    labeling = model.labeling(page)
    chances = np.array(labeling.probabilities, float)
    keeps = np.array([label.is_content for label in labeling.labels])
    return Candidate(uncertainty(chances, keeps, page.lengths), profile(model.columns, page))


def uncertainty(chances: Floats, keeps: "np.typing.NDArray[np.bool_]", lengths: Ints) -> float:
    """One minus the F1 that the model expects for the blocks that it keeps, weighted by characters."""
    right = (chances * lengths)[keeps].sum() + PRIOR_CHARACTERS
    either = lengths[keeps].sum() + (chances * lengths).sum() + 2 * PRIOR_CHARACTERS
    return float(1 - 2 * right / either)


def profile(columns: Columns, page: Page) -> Floats:
    """The share of the page's characters in each bucket of each feature."""
    pairs = zip(columns.codes(page), columns.bucketings, strict=True)
    shares = [np.bincount(row, page.lengths, bucketing.count) for row, bucketing in pairs]
    found: Floats = np.concatenate(shares) / (len(shares) * page.lengths.sum())
    return found


def distances(profiles: Floats, other: Floats) -> Floats:
    """The distance of each row to a profile, from 0 (equal) to 1 (disjoint)."""
    found: Floats = np.abs(profiles - other).sum(1, dtype=float) / 2
    return found


def as_suggested(pages: Sequence[Candidate]) -> list[int]:
    """The most uncertain and novel one first: the product of uncertainty and distance to the nearest chosen page."""
    return list(_novel(pages, np.array([page.uncertainty for page in pages])))


def most_uncertain(pages: Sequence[Candidate]) -> list[int]:
    return sorted(range(len(pages)), key=lambda number: -pages[number].uncertainty)


def most_novel(pages: Sequence[Candidate]) -> list[int]:
    return list(_novel(pages, np.ones(len(pages))))


def _novel(pages: Sequence[Candidate], weights: Floats) -> Iterator[int]:
    profiles = np.stack([page.profile for page in pages])
    nearest, is_left = np.ones(len(pages)), np.ones(len(pages), np.bool_)
    while is_left.any():
        best = int(np.where(is_left, weights * nearest, -1.0).argmax())
        yield best
        nearest = np.minimum(nearest, distances(profiles, profiles[best]))
        is_left[best] = False


def covering(pages: Sequence[Candidate]) -> list[int]:
    """Each page brings all others nearest to a chosen one."""
    return list(_covering(pages, np.ones(len(pages))))


def covering_doubts(pages: Sequence[Candidate]) -> list[int]:
    """The same, with each page counting by its uncertainty."""
    return list(_covering(pages, np.array([page.uncertainty for page in pages]) + 1e-6))


def _covering(pages: Sequence[Candidate], weights: Floats) -> Iterator[int]:
    profiles = np.stack([page.profile for page in pages])
    apart = np.stack([distances(profiles, profile) for profile in profiles])
    nearest, left = np.ones(len(pages)), set(range(len(pages)))
    while left:
        best = min(sorted(left), key=lambda number: float((weights * np.minimum(nearest, apart[number])).sum()))
        yield best
        nearest = np.minimum(nearest, apart[best])
        left.remove(best)


ORDERS: Mapping[str, Order] = {
    "suggested": as_suggested,
    "uncertain": most_uncertain,
    "novel": most_novel,
    "covering": covering,
    "covering doubts": covering_doubts,
}


if __name__ == "__main__":
    main()
