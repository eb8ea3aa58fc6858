#!/usr/bin/env python3
"""Makes the shipped models again from the data sets, and scores them on the sets that they were not trained on.

    make_models.py DATA [--models FOLDER] [--only NAME]

DATA holds SET/html/ID.html and SET/gold/ID.txt for every set named below. The same data gives the same model, byte for
byte.
"""

import argparse
import logging
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from victorpy.annotation.gold_texts import cleaneval
from victorpy.annotation.importing import Import, import_all, pairs
from victorpy.annotation.text_scores import words
from victorpy.models import config as configs
from victorpy.models.config import Config
from victorpy.models.model_folder import Model, save
from victorpy.models.training import annotated_pages, train
from victorpy.pipeline.cleaner import Cleaner, cleaner
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

log = logging.getLogger("victorpy")

# A gold text that does not fit its page teaches nothing.
LEAST_SCORE = 60.0

LICENCES = {
    "cleaneval-dev": "CLEANEVAL 2007 development set (ACL SIGWAC)",
    "wcxb-dev": "WCXB development split, CC-BY-4.0",
    "google-news": "L3S-GN1, research use",
    "cleaneval-final-a": "CLEANEVAL 2007 final set, half of it (ACL SIGWAC)",
    "daniel-a": "DAnIEL corpus, research use",
    "portals-a": "CleanPortalEval",
    "canola": "KrdWrd Canola, CC-BY-SA 4.0",
    "dragnet-a": "Dragnet training data, AGPL repository",
    "chaos-a": "ir-research-data, research use",
    "nine-sites-a": "ir-research-data, research use",
    "fundus-a": "Fundus, MIT",
    "zh-news-a": "Chinese news of seven sites, no licence stated, research use",
    "forums-a": "Harvest, Apache-2.0",
}


@dataclass(frozen=True)
class Recipe:
    """What a shipped model is made of, and the sets that measure it."""

    summary: str
    config: str
    sets: tuple[str, ...]
    unseen: tuple[str, ...]


RECIPES = {
    "cleaneval": Recipe(
        "The original Victor: its features and segmentation, trained on CLEANEVAL's 58 development pages.",
        "cleaneval",
        ("cleaneval-dev",),
        ("cleaneval-final-a", "google-news", "portals-a"),
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--only", choices=sorted(RECIPES))
    options = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.INFO)
    for name, recipe in RECIPES.items():
        if options.only in (None, name):
            save(made(recipe, options.data), options.models / name)


def made(recipe: Recipe, data: Path) -> Model:
    config = configs.load(recipe.config)
    with tempfile.TemporaryDirectory() as folder:
        for name in recipe.sets:
            annotate(data / name, Path(folder, name), config)
        files = [Path(file.path) for file in find_pages([folder], ANNOTATION_SUFFIXES)]
        source = ", ".join(recipe.sets)
        model = train(annotated_pages(files, config), config, source, "; ".join(map(LICENCES.__getitem__, recipe.sets)))
    scores = dict(score for name in recipe.unseen for score in scores_on(data / name, model))
    return replace(model, card=replace(model.card, summary=recipe.summary, scores=scores))


def annotate(source: Path, target: Path, config: Config) -> None:
    job = Import(str(target), config.markup, least_score=LEAST_SCORE)
    done = list(import_all(pairs(str(source / "html"), str(source / "gold")), job, os.cpu_count() or 1))
    oracle = 100 * fmean(imported.score.f1 for imported in done)
    log.info("%s: %d of %d pages, oracle F1 %.2f", source.name, sum(i.is_written for i in done), len(done), oracle)


def scores_on(source: Path, model: Model) -> Iterator[tuple[str, float]]:
    """Mean word F1 over all pages of a set that the model has not seen."""
    for method in ("viterbi", "expected-f1"):
        labeler = cleaner(model.decoding_by(method=method))
        score = round(100 * fmean(page_scores(source, labeler)), 2)
        log.info("%s, %s: word F1 %.2f", source.name, method, score)
        yield f"{source.name} word F1 ({method})", score


def page_scores(source: Path, labeler: Cleaner) -> Iterator[float]:
    for gold in sorted((source / "gold").glob("*.txt")):
        text = "\n".join(segment.text for segment in cleaneval(gold.read_text("utf-8", "replace")))
        yield words(labeler.clean((source / "html" / f"{gold.stem}.html").read_bytes()).text, text).f1


if __name__ == "__main__":
    main()
