"""Scores the posts that systems find on blogs: a row for each system and for posts, titles and dates."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from victorpy.errors import UsageError, VictorError
from victorpy.evaluation.post_scores import WrittenPost, counts, found_posts, gold_posts, total
from victorpy.pipeline.cleaner import Cleaner
from victorpy.sources import Location, find_pages, read_page


def posts_table(cleaners: Mapping[str, Cleaner], names: Sequence[str], gold: Path) -> pd.DataFrame:
    """Precision, recall and F1 over all posts of the pages that have gold posts, ID.json in the folder."""
    pages = [(page, path) for page in find_pages(names) if (path := gold / f"{page.id}.json").exists()]
    if not pages:
        raise UsageError("no posts of these pages: expected a file ID.json for a page ID.html", gold)
    known = [(page, _gold(path)) for page, path in pages]
    rows = {
        (system, figure): {"precision": one.precision, "recall": one.recall, "f1": one.f1, **one._asdict()}
        for system, cleaner in cleaners.items()
        for figure, one in total(counts(_found(cleaner, page), posts) for page, posts in known).items()
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis(["system", "figure"])


def _found(cleaner: Cleaner, page: Location) -> list[WrittenPost]:
    return found_posts(cleaner.clean(read_page(page).data or b"", id=page.id))


def _gold(path: Path) -> list[WrittenPost]:
    try:
        return gold_posts(path)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise VictorError("no posts: expected what `victor clean -f json` prints", path) from error
