"""How well the posts of blogs are found: precision, recall and F1 of posts, titles and dates."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from victorpy.annotation.text_scores import words
from victorpy.output.cleaned import Cleaned

FIELDS = ("posts", "titles", "dates")

# A post is found if its text is that of the gold post by so much of F1 of words.
_LEAST = 0.9


class WrittenPost(NamedTuple):
    """What is scored of a post."""

    title: str
    date: str
    body: str
    author: str = ""


class Counts(NamedTuple):
    """How many were found, how many there are, and how many of both are the same."""

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
    """Of a JSON file like that of `victor clean --format json`."""
    return _posts(json.loads(path.read_text("utf-8")))


def found_posts(cleaned: Cleaned) -> list[WrittenPost]:
    return _posts(cleaned.to_dict())


def _posts(page: Mapping[str, Sequence[Mapping[str, str]]]) -> list[WrittenPost]:
    return [WrittenPost(post["title"], post["date"], post["body"], post["author"]) for post in page.get("posts", ())]


def counts(found: Sequence[WrittenPost], gold: Sequence[WrittenPost]) -> dict[str, Counts]:
    """Of one page; a title or a date counts only with the post that it belongs to, and where there is one."""
    pairs = _pairs(found, gold)
    right = {
        "posts": len(pairs),
        "titles": sum(bool(one.title) and one.title == other.title for one, other in pairs),
        "dates": sum(bool(one.date) and one.date == other.date for one, other in pairs),
    }
    return {
        name: Counts(number, _number(gold, name), right[name])
        for name, number in ((name, _number(found, name)) for name in FIELDS)
    }


def total(pages: Iterable[Mapping[str, Counts]]) -> dict[str, Counts]:
    """Over all pages, each post alike."""
    known = list(pages)
    return {name: Counts(*map(sum, zip(*(page[name] for page in known), strict=True))) for name in FIELDS}


def _number(posts: Sequence[WrittenPost], name: str) -> int:
    return len(posts) if name == "posts" else sum(bool(post.title if name == "titles" else post.date) for post in posts)


def _pairs(found: Sequence[WrittenPost], gold: Sequence[WrittenPost]) -> list[tuple[WrittenPost, WrittenPost]]:
    """Each gold post with the first post left that has its text."""
    left, pairs = list(found), []
    for wanted in gold:
        match = next((post for post in left if words(post.body, wanted.body).f1 >= _LEAST), None)
        if match is not None:
            left.remove(match)
            pairs.append((match, wanted))
    return pairs
