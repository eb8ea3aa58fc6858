"""The shipped models, and the labelers, on our own annotated pages, from which `web` learned: no score sinks unseen."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import fmean

import pytest

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.annotation.text_scores import words
from victorpy.evaluation.post_scores import counts, found_posts, gold_posts, total
from victorpy.foundation.yaml_options import read as read_options
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.passages import passages
from victorpy.pipeline.cleaner import labeler, load

HERE = Path(__file__).parent
FILES = sorted((HERE.parent / "annotations").glob("*.anno"))


@dataclass(frozen=True)
class Floor:
    """Mean word F1 over the pages, in percent."""

    word_f1: float


@dataclass(frozen=True)
class Floors:
    digest: str
    models: Mapping[str, Floor]
    labelers: Mapping[str, Floor]
    blogs: Mapping[str, float]


FLOORS = read_options(Floors, (HERE / "floors.yaml").read_text("utf-8"), "floors.yaml")


def test_the_floors_speak_of_these_pages():
    assert sha256(b"".join(path.read_bytes() for path in FILES)).hexdigest() == FLOORS.digest


@pytest.mark.parametrize("name", FLOORS.models)
def test_a_shipped_model_keeps_its_floor(name):
    cleaner = load(name)

    scores = [page_score(cleaner, path) for path in FILES]

    assert 100 * fmean(scores) >= FLOORS.models[name].word_f1


@pytest.mark.parametrize("name", FLOORS.labelers)
def test_a_labeler_keeps_its_floor(name):
    cleaner = labeler(name)

    scores = [page_score(cleaner, path) for path in FILES]

    assert 100 * fmean(scores) >= FLOORS.labelers[name].word_f1


def page_score(cleaner, path):
    annotation = read(path)
    page, labels, *_ = labeled_page(annotation, Markup(mode=annotation.mode))
    gold = passages(page, [label or Label.OTHER for label in labels])
    return words(cleaner.clean(annotation.html).text, "\n".join(passage.text for passage in gold)).f1


def test_the_posts_of_blogs_are_found_as_before():
    blogs = sorted((HERE / "blogs").glob("*.html"))
    cleaner = labeler("blog")

    found = (found_posts(cleaner.clean(path.read_bytes())) for path in blogs)
    scores = total(
        counts(posts, gold_posts(path.with_suffix(".json"))) for posts, path in zip(found, blogs, strict=True)
    )

    assert len(blogs) >= 20
    assert {name: 100 * scores[name].f1 >= floor for name, floor in FLOORS.blogs.items()} == dict.fromkeys(scores, True)
