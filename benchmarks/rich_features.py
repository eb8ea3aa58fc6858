"""What the rich features cost: milliseconds of each group on real pages, seconds of all on pages of ever more blocks.

python benchmarks/rich_features.py FOLDER [--pages N]
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from victorpy.features.rich import GROUPS, RICH

from victorpy.blocks import Page
from victorpy.columns import matrix
from victorpy.decode import decode
from victorpy.markup import Markup
from victorpy.segment import segment
from victorpy.sources import find_pages, read_page

BLOCK_MODE = Markup(mode="block")
SIZES = (1_000, 10_000, 100_000)
PATTERN = (
    "<div><h2>A heading</h2><p>Some words, and <a>a link</a>.</p><ul><li>one<li>two</ul><p>More of it: 12.</p></div>"
)
BLOCKS_OF_PATTERN = 5
SHAPES: dict[str, Callable[[int], str]] = {
    "wide": lambda blocks: PATTERN * (blocks // BLOCKS_OF_PATTERN),
    "deep": lambda blocks: "<div>word" * blocks,
    "same parent": lambda blocks: "<p>word" * blocks,
}


def seconds(page: Page, names: tuple[str, ...]) -> float:
    """What is known of the page already is not computed again."""
    start = time.process_time()
    matrix(page, names)
    return time.process_time() - start


def fresh(page: Page) -> Page:
    """Without anything remembered, but what every labeler needs."""
    page.derived.clear()
    for column in (page.element, page.lengths, page.starts, page.first_runs, page.last_runs):
        assert column is not None
    return page


def report_groups(pages: list[Page], rounds: int) -> None:
    print(
        f"{len(pages)} pages, {fmean(map(len, pages)):.0f} blocks on average, best of {rounds}; a group pays for what"
    )
    print("those before it have not asked for")
    for name, group in {**GROUPS, "all": dict.fromkeys(RICH)}.items():
        best = min(_round(pages, name, tuple(group)) for _ in range(rounds))
        print(f"  {name:8}{len(group):4} columns  {1_000 * best:.3f} ms")


def _round(pages: list[Page], name: str, names: tuple[str, ...]) -> float:
    before = (
        tuple(one for other in list(GROUPS)[: list(GROUPS).index(name)] for one in GROUPS[other])
        if name in GROUPS
        else ()
    )
    for page in pages:
        matrix(fresh(page), before)
    return fmean(seconds(page, names) for page in pages)


def report_sizes() -> None:
    for shape, html in SHAPES.items():
        for blocks in SIZES:
            page = segment(html(blocks), markup=BLOCK_MODE)
            print(f"  {shape:12}{len(page):8} blocks  {seconds(fresh(page), RICH):.3f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="with pages")
    parser.add_argument("--pages", type=int, default=250, metavar="N", help="only the first N pages (250)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="how often each is timed (3)")
    options = parser.parse_args()
    sources = (read_page(page).data for page in find_pages([str(options.folder)])[: options.pages])
    pages = [segment(decode(source).text, markup=BLOCK_MODE) for source in sources if source]
    report_groups([page for page in pages if len(page)], options.rounds)
    report_sizes()
    return 0


if __name__ == "__main__":
    sys.exit(main())
