"""Is a model better for twenty pages that `victor suggest` chose than for twenty drawn at random?

python benchmarks/suggesting.py annotated/ --kinds pages.tsv
"""

import argparse
import random
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import mean, stdev

from victorpy.annotation import text_scores
from victorpy.annotation.folds import folds
from victorpy.annotation.page_groups import read_memberships
from victorpy.evaluation.predictions import Sample, samples_of
from victorpy.evaluation.scoring import ScoredPage, texts_of
from victorpy.evaluation.suggesting import AnnotatedProfile, candidate, ranked
from victorpy.models import config as configs
from victorpy.models.config import Config
from victorpy.models.model_folder import Model
from victorpy.models.training import train


def main() -> None:
    options = arguments()
    config = configs.load(options.config)
    pool, unseen = (part_of(options, config, part) for part in (options.pool, options.test))
    print(f"{len(pool)} pages to choose from, {len(unseen)} of other sites to be scored on")
    gains = [gain(options, config, pool, unseen, seed) for seed in range(options.seeds)]
    error = stdev(gains) / len(gains) ** 0.5
    print(f"suggested less random: {mean(gains):+.2f}, standard error {error:.2f}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", type=Path, required=True, help="id, kind and site of every page")
    parser.add_argument("--config", default="web")
    parser.add_argument("--parts", type=int, default=5, help="into which the sites are dealt")
    parser.add_argument("--deal", type=int, default=7, help="seed of the dealing: the score was made on parts 1 and 2")
    parser.add_argument("--pool", type=int, default=3, help="the part to choose from")
    parser.add_argument("--test", type=int, default=4, help="the part to be scored on")
    parser.add_argument("--count", type=int, default=20, help="pages that are there, and pages that are added")
    parser.add_argument("--seeds", type=int, default=8, help="draws of the first pages")
    parser.add_argument("--draws", type=int, default=2, help="of random pages, for each of these")
    return parser.parse_args()


def part_of(options: argparse.Namespace, config: Config, part: int) -> list[Sample]:
    """Whole sites, every kind in its share."""
    members = read_memberships(options.kinds)
    files = {path.stem: path for path in sorted(options.folder.glob("*.anno"))}
    sites, kinds = ({id: member[place] for id, member in members.items()} for place in (1, 0))
    dealt = folds(list(files), sites, kinds, options.parts, options.deal)
    samples = samples_of([path for id, path in files.items() if dealt[id] == part], config, members)
    return [sample for sample in samples if len(sample.page)]


def gain(
    options: argparse.Namespace, config: Config, pool: Sequence[Sample], unseen: Sequence[Sample], seed: int
) -> float:
    """Of the same first pages: word F1 with suggested ones less the mean with random ones."""
    chance = random.Random(seed)
    order = chance.sample(pool, len(pool))
    first, others = order[: options.count], order[options.count :]
    model = trained(first, config)
    suggested = score(trained([*first, *chosen(model, first, others, options.count)], config), unseen)
    drawn = [
        score(trained([*first, *chance.sample(others, options.count)], config), unseen) for _ in range(options.draws)
    ]
    shown = ", ".join(f"{value:.2f}" for value in drawn)
    print(f"seed {seed}: first {score(model, unseen):.2f}, suggested {suggested:.2f}, random {shown}", flush=True)
    return suggested - mean(drawn)


def trained(samples: Sequence[Sample], config: Config) -> Model:
    return train([sample.annotated for sample in samples], config)


def chosen(model: Model, first: Sequence[Sample], others: Sequence[Sample], count: int) -> list[Sample]:
    by_id = {sample.id: sample for sample in others}
    known = [AnnotatedProfile(sample.group, candidate(model, sample.page, "").profile) for sample in first]
    found = [candidate(model, sample.page, sample.group)._replace(id=sample.id) for sample in others]
    return [by_id[suggested.candidate.id] for suggested in islice(ranked(found, known), count)]


def score(model: Model, unseen: Sequence[Sample]) -> float:
    pages = [ScoredPage(sample.id, sample.page, sample.labels, model.label(sample.page)) for sample in unseen]
    return 100 * mean(text_scores.words(text.printed, text.gold).f1 for text in map(texts_of, pages))


if __name__ == "__main__":
    main()
