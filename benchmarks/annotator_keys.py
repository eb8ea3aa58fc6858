"""How many keys a page takes in the annotator, with a model's suggestions, by the best strategy.

    python benchmarks/annotator_keys.py [--model web] [--least 87] [--most 93] FOLDER…

The folders hold annotated pages, all of whose blocks are labeled. Whoever labels reads the page screen by screen, goes
to each wrong label by the fewest keys, puts it (or a range) right, and accepts the rest of the screen. Counted are the
pages of 100 to 400 blocks of which the model labels this much right, in percent.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.annotator.session import (
    Session,
    accepted_range,
    labeled,
    mark_toggled,
    moved_by,
    moved_to,
    shown_label,
    to_next_doubtful,
    to_next_kind,
)
from victorpy.annotator.suggestions import suggestions
from victorpy.models import model_folder
from victorpy.page.blocks import Label

SCREEN = 40
SIZES = range(100, 401)
STEPS = [
    partial(step, **way)
    for step, ways in {
        moved_by: [{"by": 1}, {"by": -1}],
        to_next_kind: [{"step": 1}, {"step": -1}],
        to_next_doubtful: [{"step": 1}, {"step": -1}],
    }.items()
    for way in ways
]


class Played(NamedTuple):
    name: str
    blocks: int
    right: float
    keys: int

    @property
    def keys_per_200(self) -> float:
        return 200 * self.keys / self.blocks


def gone_to(session: Session, block: int) -> tuple[Session, int]:
    """By the fewest keys: steps of any kind, or else `g`, the number and Enter."""
    ways, by_number = {session.cursor: session}, 2 + len(str(block))
    front = [session]
    for keys in range(by_number):
        if block in ways:
            return ways[block], keys
        steps = {further.cursor: further for further in (step(found) for found in front for step in STEPS)}
        front = [further for cursor, further in steps.items() if cursor not in ways]
        ways = steps | ways
    return moved_to(session, block), by_number


def put_right(session: Session, right: Sequence[Label], wrong: Sequence[int]) -> tuple[Session, int]:
    """The block under the cursor, or a range from it where that takes fewer keys than a label each."""
    first, label = wrong[0], right[wrong[0]]
    run = [block for block in wrong if set(right[first : block + 1]) == {label}]
    mark_extended, keys = gone_to(mark_toggled(session), run[-1])
    if keys + 2 < 2 * len(run) and len(run) > 1:
        return labeled(mark_extended, label), keys + 2
    return labeled(session, label), 1


def keys_for(session: Session, right: Sequence[Label]) -> int:
    keys = 0
    for top in range(0, len(session), SCREEN):
        blocks = range(top, min(top + SCREEN, len(session)))
        while wrong := [block for block in blocks if shown_label(session, block) is not right[block]]:
            session, moves = gone_to(session, wrong[0])
            session, strokes = put_right(session, right, wrong)
            keys += moves + strokes
        session, keys = accepted_range(session, blocks[0], blocks[-1]), keys + 1
    return keys


def played(folders: Sequence[str], name: str, least: float, most: float) -> Iterator[Played]:
    model = model_folder.load(name)
    for path in (path for folder in folders for path in sorted(Path(folder).glob("*.anno"))):
        page, labels, *_ = labeled_page(read(path), model.config.markup)
        right = [label for label in labels if label]
        if len(page) not in SIZES or len(right) < len(page):
            continue
        session = Session(page, (None,) * len(page), suggestions(model, page))
        share = sum(one.label is label for one, label in zip(session.suggestions, right, strict=True)) / len(page)
        if least <= 100 * share <= most:
            yield Played(path.stem, len(page), share, keys_for(session, right))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--model", default="web")
    parser.add_argument("--least", type=float, default=87)
    parser.add_argument("--most", type=float, default=93)
    options = parser.parse_args()
    pages = list(played(options.folders, options.model, options.least, options.most))
    for page in pages:
        print(
            f"{page.name:<30} {page.blocks:>4} blocks  {100 * page.right:.1f}% right  {page.keys_per_200:.0f} per 200"
        )
    figures = [page.keys_per_200 for page in pages]
    if figures:
        under = sum(figure < 60 for figure in figures)
        print(f"{len(pages)} pages: median {median(figures):.0f} keys per 200 blocks, {under} pages under 60")


if __name__ == "__main__":
    main()
