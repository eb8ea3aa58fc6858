"""Score the posts found on blogs: precision, recall and F1 of posts, titles and dates."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.text_scores import words
from victorpy.output.cleaned import Cleaned

FIELDS = ("posts", "titles", "dates")

# A post counts as found if the word F1 of its text and the gold text is at least this.
_LEAST_WORD_F1 = 0.9


class WrittenPost(NamedTuple):
    """The parts of a post that are scored."""

    title: str
    date: str
    body: str
    author: str = ""


class PostCounts(NamedTuple):
    """The number of found items, of gold items, and of items in both."""

    found: int
    gold: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        return self.right / self.gold if self.gold else 1.0

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.gold) if self.found + self.gold else 1.0


def gold_posts(path: Path) -> list[WrittenPost]:
    """The posts of a JSON file in the format of `victor clean --format json`."""
    return _posts(json.loads(path.read_text("utf-8")))


def found_posts(cleaned: Cleaned) -> list[WrittenPost]:
    return _posts(cleaned.to_dict())


def _posts(page: Mapping[str, Sequence[Mapping[str, str]]]) -> list[WrittenPost]:
    return [WrittenPost(post["title"], post["date"], post["body"], post["author"]) for post in page.get("posts", ())]


def counts(found: Sequence[WrittenPost], gold: Sequence[WrittenPost]) -> dict[str, PostCounts]:
    """The counts of one page; a title or a date counts only if its post is found."""
    pairs = _pairs(found, gold)
    right = {
        "posts": len(pairs),
        "titles": sum(bool(one.title) and one.title == other.title for one, other in pairs),
        "dates": sum(bool(one.date) and one.date == other.date for one, other in pairs),
    }
    return {
        name: PostCounts(number, _number(gold, name), right[name])
        for name, number in ((name, _number(found, name)) for name in FIELDS)
    }


def total(pages: Iterable[Mapping[str, PostCounts]]) -> dict[str, PostCounts]:
    """The sums over all pages."""
    known = list(pages)
    return {name: PostCounts(*map(sum, zip(*(page[name] for page in known), strict=True))) for name in FIELDS}


def _number(posts: Sequence[WrittenPost], name: str) -> int:
    return len(posts) if name == "posts" else sum(bool(post.title if name == "titles" else post.date) for post in posts)


def _pairs(found: Sequence[WrittenPost], gold: Sequence[WrittenPost]) -> list[tuple[WrittenPost, WrittenPost]]:
    """Each gold post with the first unused post that has its text."""
    left, pairs = list(found), []
    for expected in gold:
        match = next((post for post in left if words(post.body, expected.body).f1 >= _LEAST_WORD_F1), None)
        if match is not None:
            left.remove(match)
            pairs.append((match, expected))
    return pairs
