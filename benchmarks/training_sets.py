"""The sets of pages that `web` learns from: what each holds, and how much it counts."""

import json
import random
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from field_marks import Fields, comment_marks, content_is_no_comment, metadata_marks
from grafted_comments import Comments, comments_of, grafted
from make_models import annotate
from written_pages import written_pages

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.foundation.files import read_text, write_text
from victorpy.models.config import Config
from victorpy.models.scopes import Scope
from victorpy.models.training import annotated_pages
from victorpy.page.blocks import LABELS, Label

FOLDS = 6

# The folder of labels of a set whose comments count as content.
WITH_COMMENTS = "+comments"

ANNOTATIONS = Path(__file__).parent.parent / "annotations"
OWN = "the project's own pages (annotations/)"
OWN_LICENCE = "Apache-2.0"
# By the mean over left-out sets, from 1 and 3. The marks of written pages are coarser than labels that people gave.
OWN_WEIGHT, OWN_KINDS_WEIGHT = 3.0, 0.3


@dataclass(frozen=True)
class Set:
    """A set of pages: the scope of its gold texts, how much its pages count in learning, and how much their kinds do.

    Sets of one family are left out together. `also` has a second scope by kind of page: what is asked of such a page is
    the same. With comments, some pages have a gold text with the readers' comments as well.
    """

    name: str
    scope: Scope
    weight: float = 1.0
    kinds_weight: float = 0.3
    family: str = ""
    has_comments: bool = False
    also: Mapping[str, str] = field(default_factory=dict)


# The kinds of CLEANEVAL were given by people; those of the others come from markdown, or are paragraphs nearly all.
SETS = (
    Set("wcxb-dev", "page", kinds_weight=0.5, also={"forum": "discussion"}),
    Set("cleaneval-dev", "corpus", kinds_weight=3.0, family="cleaneval"),
    Set("cleaneval-final-a", "corpus", kinds_weight=3.0, family="cleaneval"),
    Set("canola", "corpus"),
    Set("portals-a", "article", kinds_weight=1.0),
    Set("google-news", "article", kinds_weight=0.5, has_comments=True),
    Set("dragnet-a", "article", has_comments=True),
    Set("chaos-a", "article"),
    Set("nine-sites-a", "article"),
    Set("fundus-a", "article"),
    Set("zh-news-a", "article"),
    Set("daniel-a", "article"),
    Set("forums-a", "discussion"),
)

# The scope that suits a page where none is asked for: that of its set, and in wcxb-dev and among our own pages by what
# they are.
_OF_WCXB = {"article": "article", "forum": "discussion"}
_OF_OWN = {
    "news": "article",
    "blog": "article",
    "wiki": "article",
    "recipe": "article",
    "forum": "discussion",
    "qa": "discussion",
}

# The share of articles that networks see with the comments of another page as well, by the mean over left-out sets.
GRAFTED = 0.15
_GRAFT_SEED = 5

# What a model that was not trained for a scope is asked for instead.
NEAREST: Mapping[Scope, Scope] = {"page": "corpus", "corpus": "page", "discussion": "page"}


class Entry(NamedTuple):
    """A line of pages.tsv."""

    set: Set
    id: str
    kind: str
    site: str

    @property
    def fold(self) -> int:
        return zlib.crc32(self.site.encode()) % FOLDS

    @property
    def suits(self) -> str:
        """The scope that a network should guess."""
        return _OF_WCXB.get(self.kind, "page") if self.set.name == "wcxb-dev" else self.set.scope


class Lesson(NamedTuple):
    """Pages to learn from; those of our own belong to no set."""

    entry: Entry | None
    page: AnnotatedPage


def entries(data: Path, part: Set) -> list[Entry]:
    lines = (data / part.name / "pages.tsv").read_text("utf-8").splitlines()
    return [Entry(part, *line.split("\t")[:3]) for line in lines]


def families() -> list[list[Set]]:
    """The sets that are left out together."""
    names = dict.fromkeys(part.family or part.name for part in SETS)
    return [[part for part in SETS if (part.family or part.name) == name] for name in names]


def annotate_sets(data: Path, target: Path, config: Config, sets: Iterable[Set] = SETS) -> None:
    """Write the labels of all pages that fit their gold texts, with and without comments."""
    for part in sets:
        annotate(data / part.name, target / part.name, config)
        if part.has_comments:
            with_comments = target / "gold" / part.name
            _join_comments(data / part.name, with_comments)
            annotate(with_comments, target / f"{part.name}{WITH_COMMENTS}", config)


def _join_comments(source: Path, target: Path) -> None:
    """A set of the pages with gold comments, whose gold texts are both together."""
    for comments in sorted((source / "comments").glob("*.txt")):
        gold = read_text(source / "gold" / comments.name).rstrip()
        write_text(target / "gold" / comments.name, f"{gold}\n{read_text(comments)}")
        page = f"{comments.stem}.html"
        (target / "html").mkdir(parents=True, exist_ok=True)
        (target / "html" / page).write_bytes((source / "html" / page).read_bytes())


def lessons(data: Path, annotations: Path, config: Config, sets: Sequence[Set] = SETS) -> Iterator[Lesson]:
    """All labeled pages of the sets, and those of our own."""
    for part in sets:
        for entry in entries(data, part):
            yield from lessons_of(entry, data, annotations, config)
    yield from (Lesson(None, page) for page in own_pages(config))


def lessons_of(entry: Entry, data: Path, annotations: Path, config: Config) -> Iterator[Lesson]:
    """The page without its comments first."""
    part = entry.set
    scopes = ("auto", part.scope, part.also[entry.kind]) if entry.kind in part.also else ("auto", part.scope)
    plain = _annotated(annotations / part.name / f"{entry.id}.anno", config)
    commented = _annotated(annotations / f"{part.name}{WITH_COMMENTS}" / f"{entry.id}.anno", config)
    fields = _fields(entry, data, plain, commented)
    for page, labels_fit in ((plain, scopes), (commented, ("discussion",))):
        if page:
            weights = {"weight": part.weight, "kinds_weight": part.kinds_weight}
            suits = entry.suits
            yield Lesson(entry, page._replace(**weights, scopes=labels_fit, fields=fields, suits=suits))


def _annotated(path: Path, config: Config) -> AnnotatedPage | None:
    return next(annotated_pages([path], config)) if path.exists() else None


def _fields(entry: Entry, data: Path, plain: AnnotatedPage | None, commented: AnnotatedPage | None) -> Fields:
    """What is known of a page's comments, and of its title, author and date."""
    page = plain or commented
    if page is None:
        return {}
    facts = _facts(data / entry.set.name).get(entry.id)
    fields: Fields = metadata_marks(page.page, facts) if facts else {}
    if plain and commented:
        return fields | comment_marks(plain.labels, commented.labels)
    return fields | content_is_no_comment(plain.labels) if plain and entry.set.scope == "article" else fields


@cache
def _facts(folder: Path) -> Mapping[str, Mapping[str, str | None]]:
    """Title, author and date of each page of a set, if somebody has noted them."""
    path = folder / "meta.jsonl"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return {facts["id"]: facts for facts in map(json.loads, lines)}


def comments_in_sets(
    data: Path, annotations: Path, config: Config, sets: Sequence[Set], is_known: Callable[[Entry], bool]
) -> list[Comments]:
    """The comments below articles and the threads of all pages where one part of the page holds them."""
    having = [part for part in sets if part.has_comments or "discussion" in (part.scope, *part.also.values())]
    known = filter(is_known, chain.from_iterable(entries(data, part) for part in having))
    found = (_comments_of(entry, [*lessons_of(entry, data, annotations, config)]) for entry in known)
    return [comments for comments in found if comments]


def _comments_of(entry: Entry, of_page: Sequence[Lesson]) -> Comments | None:
    pages = [lesson.page for lesson in of_page]
    if entry.set.has_comments:
        return comments_of(pages[0].page, pages[0].labels, pages[1].labels) if len(pages) > 1 else None
    if pages and "discussion" in pages[0].scopes:
        return comments_of(pages[0].page, [None] * len(pages[0].labels), pages[0].labels)
    return None


def with_grafts(taught: Iterable[Lesson], comments: Sequence[Comments], config: Config) -> Iterator[Lesson]:
    """All lessons, and some articles without marked comments once more, with comments of another page below them."""
    chance = random.Random(_GRAFT_SEED)
    for lesson in taught:
        yield lesson
        if comments and _takes_grafts(lesson) and chance.random() < GRAFTED:
            pages = grafted(lesson.page, chance.choice(comments), chance, config.markup)
            yield from (lesson._replace(page=page) for page in pages)


def _takes_grafts(lesson: Lesson) -> bool:
    page = lesson.page
    is_article = lesson.entry is not None and {"auto", "article"} <= {*page.scopes}
    return is_article and bool(page.labels) and not any(page.fields.get(Label.COMMENT, ()))


def own_pages(config: Config) -> Iterator[AnnotatedPage]:
    """The annotated pages of the project, which show all that is content on a page, and the written ones."""
    for annotated in annotated_pages(sorted(ANNOTATIONS.glob("*.anno")), config):
        yield _weighted(annotated.known_as(LABELS)._replace(scopes=_scopes_of_own(annotated.page.id)))
    for written in written_pages(config.markup):
        yield from map(_weighted, written.annotated())


def _weighted(page: AnnotatedPage) -> AnnotatedPage:
    suits = _OF_OWN.get(page.page.id.partition("-")[0], "page")
    return page._replace(weight=OWN_WEIGHT, kinds_weight=OWN_KINDS_WEIGHT, suits=suits)


def _scopes_of_own(id: str) -> tuple[str, ...]:
    """Articles and threads hold the same in a narrower scope."""
    kind = id.partition("-")[0]
    narrower = {"news": "article", "wiki": "article", "recipe": "article", "forum": "discussion"}
    return ("auto", "page", narrower[kind]) if kind in narrower else ("auto", "page")
