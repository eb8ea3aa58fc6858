"""Measure what the rules call comments against the gold comments of data sets, by words.

    python benchmarks/comments.py DATA/dragnet-a DATA/google-news

A set holds html/ID.html and comments/ID.txt. Precision and recall compare bags of words. The second precision counts
only pages with gold comments, because other pages may have comments that nobody has marked.
"""

import argparse
import re
from collections import Counter
from itertools import compress
from pathlib import Path

from victorpy.labelers.comment_sections import comment_blocks, comments_in
from victorpy.page.segment import segment
from victorpy.sources import Location
from victorpy.sources.decoded_pages import decoded_page

_COLUMNS = (
    "set",
    "pages",
    "with comments",
    "precision",
    "precision where marked",
    "recall",
    "F1",
    "comments",
    "with author",
    "with date",
)
_WORD = re.compile(r"\w+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the pages with the most wrong words")
    options = parser.parse_args()
    print(f"| {' | '.join(_COLUMNS)} |\n| --- |{' ---: |' * (len(_COLUMNS) - 1)}")
    for folder in options.sets:
        measure(folder, options.worst)


def measure(folder: Path, worst: int) -> None:
    counts, wrong = Counter[str](), list[tuple[int, int, str]]()
    for path in sorted((folder / "html").glob("*.html")):
        gold = _gold(folder / "comments" / f"{path.stem}.txt")
        page = segment(decoded_page(Location(str(path), path.stem)).required())
        flags = comment_blocks(page)
        found = Counter(_words("\n".join(compress(page.texts, flags))))
        right = (found & gold).total()
        comments = comments_in(page, flags)
        counts.update(
            pages=1,
            held=bool(gold),
            near=found.total() * bool(gold),
            right=right,
            found=found.total(),
            gold=gold.total(),
            comments=len(comments),
            authors=sum(bool(one.author) for one in comments),
            dates=sum(bool(one.date) for one in comments),
        )
        wrong.append((found.total() - right, gold.total() - right, path.stem))
    precision, near, recall = (counts["right"] / (counts[name] or 1) for name in ("found", "near", "gold"))
    f1 = 2 * precision * recall / (precision + recall or 1)
    shares = [f"{100 * share:.1f}" for share in (precision, near, recall, f1)]
    numbers = [counts["pages"], counts["held"], *shares, *(counts[name] for name in ("comments", "authors", "dates"))]
    print("|", " | ".join(map(str, [folder.name, *numbers])), "|", flush=True)
    for extra, missed, name in sorted(wrong, key=_most_wrong, reverse=True)[:worst]:
        print(f"{name}: {extra} words too many, {missed} missed")


def _most_wrong(row: tuple[int, int, str]) -> int:
    return max(row[:2])


def _gold(path: Path) -> Counter[str]:
    if not path.exists():
        return Counter()
    data = path.read_bytes()
    # Some files are UTF-16, with or without a mark.
    encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-16-le" if b"\0" in data[:99] else "utf-8"
    return Counter(_words(data.decode(encoding, "replace")))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


if __name__ == "__main__":
    main()
