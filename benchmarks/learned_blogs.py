#!/usr/bin/env python3
"""Scores the posts that a trained model finds on the blog pages of tests/blogs, beside those of the labeler `blog`.

    learned_blogs.py [--config blog] [--annotate FOLDER] [PAGES]

PAGES holds NAME.html and NAME.json, as for blogs.py. Pages are annotated by their posts, and every theme (the name up
to its first hyphen) is labeled by a model that was trained on the others. The row `labels` is what the annotations
themselves would give. --annotate writes them, to look at or to train on.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from blogs import BLOGS, row

from victorpy.annotation.alignment import project
from victorpy.annotation.anno_files import AnnotatedPage, annotation_of, write
from victorpy.annotation.gold_texts import Segment
from victorpy.evaluation.post_scores import counts, found_posts, gold_posts, total
from victorpy.labelers import Labeling
from victorpy.models import config
from victorpy.models.config import Config
from victorpy.models.training import train
from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Label, Page
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner, cleaner, labeler

# Characters that a line with a date or an author may have beside it.
LONGEST_REST = 80


class Lesson(NamedTuple):
    """A page, and a label for each of its blocks."""

    path: Path
    page: Page
    labels: list[Label]

    @property
    def theme(self) -> str:
        return self.path.stem.partition("-")[0]


def lesson(path: Path, config: Config) -> Lesson:
    """The page labeled by its gold posts."""
    page = segment(path.read_bytes(), path.stem, markup=config.markup)
    posts = gold_posts(path.with_suffix(".json"))
    segments = [Segment(*pair) for post in posts for pair in ((Label.HEADER, post.title), *lines(post.body)) if pair[1]]
    labels = project(page, segments).labels
    titles = {post.title for post in posts}
    labels = [
        Label.TITLE if label is Label.HEADER and text in titles else label
        for label, text in zip(labels, page.texts, strict=True)
    ]
    for label, fields in ((Label.AUTHOR, {post.author for post in posts}), (Label.DATE, {post.date for post in posts})):
        for block in beside(page, labels, fields - {""}):
            labels[block] = label
    return Lesson(path, page, labels)


def lines(body: str) -> Iterator[tuple[None, str]]:
    return ((None, line) for line in body.splitlines())


def beside(page: Page, labels: Sequence[Label], fields: set[str]) -> list[int]:
    """For each field, of the lines that hold it, the one that is nearest to any content."""
    content = [block for block, label in enumerate(labels) if label.is_content]
    found = []
    for field in fields:
        holding = [
            block
            for block, text in enumerate(page.texts)
            if field in text and len(text) <= len(field) + LONGEST_REST and not labels[block].is_content
        ]
        found += sorted(holding, key=lambda block: min(abs(block - other) for other in content))[:1]
    return found


class Told(NamedTuple):
    """Labels a page as it was annotated."""

    labels: list[Label]

    def labeling(self, page: Page) -> Labeling:
        return Labeling([label.base for label in self.labels], posts=labeled_posts(page, self.labels))


def learned(lessons: Sequence[Lesson], config: Config) -> dict[str, Cleaner]:
    """For each theme a model that has seen all others."""
    themes = sorted({lesson.theme for lesson in lessons})
    pages = {theme: [AnnotatedPage(*one[1:]) for one in lessons if one.theme != theme] for theme in themes}
    return {theme: cleaner(train(pages[theme], config)) for theme in themes}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="?", type=Path, default=BLOGS)
    parser.add_argument("--config", default="blog", help="its name or path (blog)")
    parser.add_argument("--annotate", type=Path, metavar="FOLDER", help="where to write .anno files")
    options = parser.parse_args()
    settings = config.load(options.config)
    lessons = [lesson(path, settings) for path in sorted(options.pages.glob("*.html"))]
    if options.annotate:
        for one in lessons:
            html = one.path.read_text("utf-8")
            write(annotation_of(one.page, html, one.labels), options.annotate / f"{one.path.stem}.anno")
    models = learned(lessons, settings)
    systems = {
        "blog, by rules": lambda _: labeler("blog"),
        "labels": lambda one: Cleaner(Told(one.labels), settings.markup),
        f"{options.config}, trained": lambda one: models[one.theme],
    }
    print(f"{'precision, recall, F1 of':26}{'posts':>20}  |{'titles':>20}  |{'dates':>20}")
    for name, system in systems.items():
        scores = [scores_of(system(one).clean(one.path.read_bytes()), one) for one in lessons]
        print(row(name, total(scores)))


def scores_of(cleaned: Cleaned, lesson: Lesson) -> dict:
    return counts(found_posts(cleaned), gold_posts(lesson.path.with_suffix(".json")))


if __name__ == "__main__":
    main()
