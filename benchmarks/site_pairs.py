#!/usr/bin/env python3
"""Cleans pages of a site against each other, two by two: the experiment of WC Cleaner's thesis (section 3.4).

    site_pairs.py SET [--pairs N]

SET holds html/ID.html, gold/ID.txt and pages.tsv, with a page's site in the third column. The pages of each site
are paired in their order. Each page of a pair is cleaned against the other one. Rows are the modes of tables 3.2 and
3.3 of the thesis. The figures are precision, recall and F1 of words, means over pages.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean

from victorpy.annotation.gold_texts import cleaneval
from victorpy.annotation.text_scores import words
from victorpy.labelers import Untrained
from victorpy.labelers.bte import BTE
from victorpy.labelers.density import Density
from victorpy.labelers.site import Site
from victorpy.pipeline.cleaner import Cleaner, untrained

# The mode, and its options. By the letter a whole page is compared, what is common is cut, and no page is too unlike.
LETTER = {"starts_at_target": False, "cuts_common": True, "least_alike": 0.0}
ALONE: dict[str, Untrained] = {"BTE": BTE(), "WCC1": Density(), "WCC2": Density(drops_sparse=True)}
PAIRED = {
    "WCC": {},
    "WCC F": {"starts_at_target": True},
    "WCC P": {"prune_level": 3},
    "WCC R": {"drops_sparse": True},
    "WCC PR": {"prune_level": 3, "drops_sparse": True},
    "WCC PF": {"prune_level": 3, "starts_at_target": True},
}
BEST = "site as is best"


def pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Neighbours of a site, by their ids."""
    sites = defaultdict(list)
    for line in (folder / "pages.tsv").read_text("utf-8").splitlines():
        id, _, site, *_ = line.split("\t")
        sites[site].append(id)
    for ids in sites.values():
        ordered = sorted(ids)
        yield from zip(ordered[::2], ordered[1::2], strict=False)


def against(reference: Path, **options: object) -> Cleaner:
    return untrained(Site(reference=str(reference), **options))


def systems(reference: Path) -> dict[str, Cleaner]:
    paired = {name: against(reference, **{**LETTER, **options}) for name, options in PAIRED.items()}
    alone = {name: untrained(labeler) for name, labeler in ALONE.items()}
    return alone | paired | {BEST: against(reference)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--pairs", type=int, default=50, metavar="N", help="at most (50, as in the thesis)")
    options = parser.parse_args()
    scores = defaultdict(list)
    found = [*pairs(options.set)][: options.pairs]
    for pair in found:
        for id, other in (pair, pair[::-1]):
            gold = options.set.joinpath("gold", f"{id}.txt").read_text("utf-8", "replace")
            expected = "\n".join(segment.text for segment in cleaneval(gold))
            html = options.set.joinpath("html", f"{id}.html").read_bytes()
            for name, cleaner in systems(options.set / "html" / f"{other}.html").items():
                scores[name].append(words(cleaner.clean(html, id=id).text, expected))
    print(f"{len(found)} pairs of {options.set.name}\n\n| | precision | recall | F1 |\n| --- | ---: | ---: | ---: |")
    for name, of_pages in scores.items():
        means = (100 * fmean(getattr(score, figure) for score in of_pages) for figure in ("precision", "recall", "f1"))
        print(f"| {name} | {' | '.join(f'{mean:.1f}' for mean in means)} |")


if __name__ == "__main__":
    main()
