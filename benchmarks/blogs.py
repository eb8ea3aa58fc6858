#!/usr/bin/env python3
"""Scores the posts that a labeler finds on the blog pages of tests/blogs, and prints a table of them.

    blogs.py [--labeler blog] [FOLDER]

FOLDER holds NAME.html and beside it NAME.json, with the posts as `victor clean --format json` prints them.
"""

import argparse
from collections.abc import Mapping
from pathlib import Path

from victorpy.evaluation.post_scores import PostCounts, counts, found_posts, gold_posts, total
from victorpy.models import config
from victorpy.pipeline.cleaner import untrained

BLOGS = Path(__file__).parents[1] / "tests" / "blogs"


def row(name: str, scores: Mapping[str, PostCounts]) -> str:
    cells = (f"{100 * one.precision:6.1f} {100 * one.recall:6.1f} {100 * one.f1:6.1f}" for one in scores.values())
    return f"{name:26}" + "  |".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=BLOGS)
    parser.add_argument("--labeler", default="blog", help="its name, or a config with a section `labeler` (blog)")
    options = parser.parse_args()
    cleaner = untrained(config.labeler(options.labeler))
    scores = {
        path.stem: counts(found_posts(cleaner.clean(path.read_bytes())), gold_posts(path.with_suffix(".json")))
        for path in sorted(options.folder.glob("*.html"))
    }
    print(f"{'precision, recall, F1 of':26}{'posts':>20}  |{'titles':>20}  |{'dates':>20}")
    for name, page in scores.items():
        print(row(name, page))
    print(row(f"all {len(scores)} pages", total(scores.values())))


if __name__ == "__main__":
    main()
