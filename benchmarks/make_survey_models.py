#!/usr/bin/env python3
"""Makes what the learned labelers of the survey ship with: labeler-models/ and language-models/stupidos-*.

    make_survey_models.py DATA

DATA holds SET/html/ID.html and SET/gold/ID.txt for cleaneval-dev, canola and wcxb-dev. Every third page of the last,
spread over it, is enough. The same data gives the same files.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

from make_models import LEAST_SCORE, LICENCES

from victorpy.annotation.anno_files import AnnotatedPage, labeled_page, read
from victorpy.annotation.importing import Import, import_all, pairs
from victorpy.features.language.folders import save
from victorpy.foundation.yaml_options import dump
from victorpy.labelers.survey import Setting
from victorpy.models.survey_learning import Lessons, clean_and_dirty_models
from victorpy.page.markup import BLOCKS
from victorpy.pipeline.survey_lessons import TAUGHT

ROOT = Path(__file__).parents[1]
MOST = {"cleaneval-dev": None, "canola": None, "wcxb-dev": 450}
SUMMARIES = {
    "fiasco": "FIASCO's linear support vector machine",
    "hofmann": "Hofmann and Weerkamp's decision tree",
    "clean": "Characters, three at a time, of content: StupidOS's model of clean text",
    "dirty": "Characters, three at a time, of noise: StupidOS's model of dirty text",
}


def pages(data: Path) -> Iterator[AnnotatedPage]:
    with tempfile.TemporaryDirectory() as folder:
        for name, most in MOST.items():
            target = Path(folder, name)
            job = Import(str(target), BLOCKS, least_score=LEAST_SCORE)
            [*import_all(pairs(str(data / name / "html"), str(data / name / "gold")), job, os.cpu_count() or 1)]
            files = sorted(target.glob("*.anno"))
            count = min(most or len(files), len(files))
            for place in range(count):
                yield AnnotatedPage(*labeled_page(read(files[place * len(files) // count]), BLOCKS)[:2])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    options = parser.parse_args()
    lessons = Lessons([*pages(options.data)], ", ".join(MOST), "; ".join(map(LICENCES.__getitem__, MOST)))
    for name, learned in TAUGHT.items():
        for setting in get_args(Setting):
            ending = "" if setting == "best" else f"-{setting}"
            model = learned(lessons, setting, f"{SUMMARIES[name]}, {setting} setting")
            ROOT.joinpath("labeler-models", f"{name}{ending}.yaml").write_text(dump(model), "utf-8")
    for kind, model in zip(("clean", "dirty"), clean_and_dirty_models(lessons), strict=True):
        card = replace(model.card, summary=SUMMARIES[kind])
        save(replace(model, card=card), ROOT / "language-models" / f"stupidos-{kind}")
    print(f"{lessons.facts.pages} pages, {lessons.facts.blocks:,} blocks")


if __name__ == "__main__":
    main()
