"""The result of cleaning a page: its blocks with their labels, and everything that is printed of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import chain, islice, repeat
from math import fsum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from victorpy import _core
from victorpy.output.escapes import in_one_line, printable
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.long_texts import joined
from victorpy.page.block_fields import codes_of
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.calibration import NO_CALIBRATION, Calibration
from victorpy.page.metadata import Metadata, Value, with_found
from victorpy.page.passages import Passage, each_passage, passages

if TYPE_CHECKING:
    from victorpy.page.posts import Post

Status = Literal["ok", "empty", "dropped", "timeout", "out-of-memory", "crashed", "undecodable", "unreadable"]

CLEANED: tuple[Status, ...] = ("ok", "empty")
# "dropped" is in neither list: the user asked for pages to be dropped.
FAILURES: tuple[Status, ...] = ("timeout", "out-of-memory", "crashed", "undecodable", "unreadable")


_CODES = {label: code for code, label in enumerate(LABELS)}

# Names of facts in the <meta> of HTML, and the facts that no <meta> holds.
_META_NAMES = {"authors": "author", "date_published": "date", "tags": "keywords"}
_NO_META = frozenset(
    (
        "url",
        "title",
        "html_title",
        "language",
        "date_modified",
        "site_name",
        "declared_language",
        "canonical_url",
        "image",
        "section",
        "licence",
        "page_type",
        "cms",
    )
)

# What needs the page and is not a field. It is computed before a result is sent to another process.
_SENT = ("metadata", "passages", "places", "confidence", "outline_json", "markdown", "html", "main_html")

# Of a larger page, records hold no list of all objects, and so many places at once.
_MANY = 10_000
_PLACES = 1_000

# A node of an outline, as docs/schemas/outline.json describes it.
OutlineNode = dict[str, Any]


class LabeledBlock(NamedTuple):
    """A block with its label, the probability that it is content, and what else the model takes it for: a comment, an
    author, a date or a title."""

    id: int
    label: Label
    text: str
    probability: float | None
    field: Label | None = None


class Place(NamedTuple):
    """The XPath of the element around a passage, and the range of its bytes in `source` as UTF-8."""

    xpath: str
    range: tuple[int, int] | None


class Comment(NamedTuple):
    """A reader's comment. The author is as shown, and the date in ISO 8601; both are empty where the page has none."""

    author: str
    date: str
    text: str
    blocks: tuple[int, ...]


class PostPassages(NamedTuple):
    """The passages of a post's body and of its comments."""

    body: list[Passage]
    comments: list[Passage]


class Described(NamedTuple):
    """The whole page, where parts of blocks are left out of the text: metadata is searched for in all of it."""

    core: _core.Document
    fields: Sequence[Label | None] | None


class AbsentPage:
    """What is left of a page that another process cleaned. The page itself is not sent."""

    def __init__(self, id: str, metadata: Metadata, texts: list[str]):
        self.id, self.metadata, self.texts = id, metadata, texts

    def __len__(self) -> int:
        return len(self.texts)

    def each_text(self) -> Iterator[str]:
        return iter(self.texts)

    @property
    def url(self) -> str | None:
        return self.metadata.url

    @property
    def title(self) -> str:
        return self.metadata.html_title

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(
            f"this page was cleaned by another process, which does not send back its '{name}':"
            " to look into a page, clean it with jobs=1 and without limits"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Cleaned:
    """A labeled page, and what is printed of it.

    `reason` says why there is no text, or why the labeler departed from its usual method, and `fallback` names the
    method that it used instead. `lead` is a header that is in no block. With `is_whole`, the outline keeps or drops
    tables and code as a whole. `posts` are the posts of a blog, and `detailed` holds the labels with the fields of
    posts; both are None if the labeler has none. `forced` are the blocks whose labels selectors or rules of comments
    decide. With `comments_apart`, formats print the comments of readers in a section of their own. `described` is the
    whole page, if `page` lacks parts of its blocks. `calibration` and `fields` are those of the labeling.
    """

    page: Page
    labels: Sequence[Label]
    _: KW_ONLY
    probabilities: Sequence[float] | None = None
    status: Status = "ok"
    reason: str = ""
    fallback: str = ""
    encoding: str = "utf-8"
    replaced: int = 0
    model: str = ""
    lead: str = ""
    is_whole: bool = False
    posts: "Sequence[Post] | None" = None
    detailed: Sequence[Label] | None = None
    forced: Sequence[bool] | None = None
    calibration: Calibration = NO_CALIBRATION
    comments_apart: bool = False
    fields: Sequence[Label | None] | None = None
    described: Described | None = None

    def __repr__(self) -> str:
        name = self.page.id or self.page.url or ""
        return f"<Cleaned {name!r}: {self.status}, {len(self.passages)} passages>"

    def __getstate__(self) -> dict[str, Any]:
        page = AbsentPage(self.page.id, self.metadata, self.page.texts)
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        computed = {name: getattr(self, name) for name in _SENT}
        posts = {} if self.posts is None else {"post_passages": self.post_passages}
        comments = {name: getattr(self, name) for name in ("comments", "outlines_apart")} if self.comments_apart else {}
        return {**fields, "page": page, "described": None, **computed, **posts, **comments}

    @cached_property
    def metadata(self) -> Metadata:
        """Everything that the page says about itself. The search takes a third of the time of parsing."""
        core, fields = self.described or (self.page.core, self.fields)
        return with_found(self.page.metadata, core, codes_of(fields or ()))

    @property
    def url(self) -> str | None:
        return self.page.url

    @property
    def title(self) -> str:
        """The text of `<title>`; `metadata.title` is the title without the name of the site."""
        return self.page.title

    @property
    def source(self) -> str:
        """The source of the page, decoded."""
        return self.page.core.source

    @cached_property
    def core_outline(self) -> _core.Outline:
        """The outline in the core, which writes formats."""
        return self._outline(self._outlined_labels())

    def _outline(self, labels: bytes, *, has_lead: bool = True) -> _core.Outline:
        return self.page.core.outline(
            labels,
            self.url and printable(self.url),
            lead=in_one_line(self.lead) if has_lead else "",
            language=self.page.metadata.language,
        )

    def _outlined_labels(self) -> bytes:
        """The labels, with tables and code as a whole where selectors decide nothing."""
        labels = bytes(_CODES[label] for label in self.labels)
        if not self.is_whole:
            return labels
        whole = self.page.core.whole_structures(labels)
        if self.forced is None:
            return whole
        return bytes(map(lambda is_forced, given, found: given if is_forced else found, self.forced, labels, whole))

    @cached_property
    def outline_json(self) -> str:
        return self.core_outline.json()

    @cached_property
    def outline(self) -> list[OutlineNode]:
        """The passages as a document: headings, paragraphs, lists, tables, code … with their spans and places."""
        return _nodes(self.outline_json)

    def _each_node(self) -> Iterator[OutlineNode]:
        yield from self.outline

    def outline_parts(self, *, has_lines: bool) -> Iterator[str] | None:
        """The outline's list of nodes as JSON, in parts; with a line for each node. None if only all of it is here."""
        if "outline_json" in self.__dict__:
            return None
        outline = self.core_outline if self._is_kept("core_outline") else self._outline(self._outlined_labels())
        return outline.json_parts(has_lines)

    def _is_kept(self, name: str) -> bool:
        """Whether the objects of a property may stay in memory: they are there already, or they are few."""
        return name in self.__dict__ or len(self.labels) <= _MANY

    @cached_property
    def markdown(self) -> str:
        """The cleaned page as GitHub's Markdown."""
        return self._markdown(())

    def markdown_without(self, *parts: str) -> str:
        """Markdown without links, images, emphasis or other parts; their text stays."""
        return self._markdown(parts) if parts else self.markdown

    def _markdown(self, without: Sequence[str]) -> str:
        apart = self._outlines_apart()
        if not apart:
            return self.core_outline.markdown(without)
        text, comments = (outline.markdown(without) for outline in apart)
        return "\n## Comments\n\n".join((text, comments)) if text else f"## Comments\n\n{comments}"

    @cached_property
    def outlines_apart(self) -> list[list[OutlineNode]]:
        """The outline of the text and that of its comments, if there are any and they are apart; else one outline."""
        apart = (_nodes(outline.json()) for outline in self._outlines_apart())
        return [*apart] or [self.outline]

    def _outlines_apart(self) -> list[_core.Outline]:
        are = self._comment_flags() if self.comments_apart else []
        if not any(are):
            return []
        labels, noise = self._outlined_labels(), _CODES[Label.OTHER]
        text, comments = (
            bytes(code if is_comment is is_apart else noise for code, is_comment in zip(labels, are, strict=True))
            for is_apart in (False, True)
        )
        return [self._outline(text), self._outline(comments, has_lead=False)]

    @cached_property
    def html(self) -> str:
        """The cleaned page as a small HTML document."""
        return self._with_metadata(self.core_outline.html())

    @cached_property
    def main_html(self) -> str:
        """The elements of the page that hold content, as an HTML document."""
        return self._with_metadata(self.core_outline.main_html())

    def _with_metadata(self, document: str) -> str:
        from html import escape  # noqa: PLC0415 - its table of entities is large

        # HTML requires a title that is not empty.
        title = in_one_line(self.title) or in_one_line(self.url or self.page.id) or "Untitled"
        known = self.metadata.known().items()
        named = {_META_NAMES.get(field, field): value for field, value in known if field not in _NO_META}
        metas = (f'<meta name="{name}" content="{escape(in_one_line(value))}">\n' for name, value in named.items())
        before, _, rest = document.partition("<title>")
        after = rest.partition("</title>\n")[2]
        return f"{before}<title>{escape(title, quote=False)}</title>\n{''.join(metas)}{after}"

    @cached_property
    def text(self) -> str:
        """A line for each passage."""
        return joined(f"{passage.text}\n" for passage in self._each_passage())

    @cached_property
    def passages(self) -> list[Passage]:
        """What is printed: each content block with its continuations joined."""
        return [*self._lead(), *passages(self.page, self.labels)]

    def _each_passage(self) -> Iterator[Passage]:
        if self._is_kept("passages"):
            return iter(self.passages)
        return chain(self._lead(), each_passage(self.page, self.labels))

    def _lead(self) -> list[Passage]:
        return [Passage(Label.HEADER, self.lead, ())] if self.lead else []

    @cached_property
    def comments(self) -> list[Comment]:
        """The comments of readers among the content, as rules find them, with their authors and dates."""
        from victorpy.labelers.comment_sections import comments_in  # noqa: PLC0415

        found = comments_in(self.page, self._comment_flags())
        texts = ("".join(f"{passage.text}\n" for passage in self._passages_of(one.blocks)) for one in found)
        return [Comment(one.author, one.date, text, one.blocks) for one, text in zip(found, texts, strict=True)]

    def _comment_flags(self) -> list[bool]:
        from victorpy.labelers.comment_handling import are_comments  # noqa: PLC0415

        flags = are_comments(self.page, self.detailed, self.fields)
        return [flag and label.is_content for flag, label in zip(flags, self.labels, strict=True)]

    @cached_property
    def places(self) -> list[Place | None]:
        """Where each passage stands in the page. A lead has no place."""
        return self._places_of(self.passages)

    def _places_of(self, passages: Sequence[Passage]) -> list[Place | None]:
        found = iter(self.page.core.places([passage.blocks for passage in passages if passage.blocks]))
        return [Place(*next(found)) if passage.blocks else None for passage in passages]

    def _placed_passages(self) -> Iterator[tuple[Passage, Place | None]]:
        if self._is_kept("places"):
            yield from zip(self.passages, self.places, strict=True)
            return
        rest = self._each_passage()
        while some := list(islice(rest, _PLACES)):
            yield from zip(some, self._places_of(some), strict=True)

    @cached_property
    def blocks(self) -> list[LabeledBlock]:
        """All blocks of the page, content and noise."""
        return list(self._each_block())

    def _each_block(self) -> Iterator[LabeledBlock]:
        probabilities = repeat(None, len(self.labels)) if self.probabilities is None else self.probabilities
        fields = repeat(None, len(self.labels)) if self.fields is None else self.fields
        columns = zip(self.labels, self.page.each_text(), probabilities, fields, strict=True)
        return (LabeledBlock(number, *of_block) for number, of_block in enumerate(columns))

    @property
    def detailed_labels(self) -> list[Label]:
        """The label of each block, or the field of a post that it is."""
        pairs = zip(self.detailed or self.labels, self.labels, strict=True)
        return [field if field.base is label else label for field, label in pairs]

    @cached_property
    def post_passages(self) -> list[PostPassages]:
        """The passages of each post. If the labeler knows no posts, the whole text is the only post."""
        if self.posts is None:
            return [PostPassages([passage for passage in self.passages if passage.blocks], [])]
        return [PostPassages(self._passages_of(post.blocks), self._passages_of(post.comments)) for post in self.posts]

    def _passages_of(self, blocks: Iterable[int]) -> list[Passage]:
        return passages(self.page, self.labels, blocks)

    @cached_property
    def confidence(self) -> float | None:
        """The F1, by characters, to expect of the kept text by its probabilities, and by how right the model is.

        If nothing is kept: the probability that the likeliest block is noise.
        """
        if self.probabilities is None:
            return None
        lengths = memoryview(self.page.core.column("lengths")).cast("i")
        kept = [number for number, label in enumerate(self.labels) if label.is_content]
        if not kept:
            return 1.0 - max(self.probabilities, default=0.0)
        likely = [chance * length for chance, length in zip(self.probabilities, lengths, strict=True)]
        held = fsum(likely[number] for number in kept)
        expected: float = 2 * held / (sum(lengths[number] for number in kept) + fsum(likely))
        return self.calibration.of(expected)

    def columns(self, names: Iterable[str], without: Sequence[str] = ()) -> dict[str, str]:
        """The texts that records and tables hold, by name. Markdown comes without some of its parts."""
        made: dict[str, Callable[[], str]] = {
            "text": lambda: printable(self.text),
            "markdown": lambda: self.markdown_without(*without),
            "html": lambda: self.html,
        }
        return {name: made[name]() for name in names}

    def to_dict(self, options: FormatOptions = DEFAULT_OPTIONS) -> dict[str, Any]:
        """The object that the format `json` prints."""
        return {name: list(value) if isinstance(value, Iterator) else value for name, value in self.entries(options)}

    def entries(self, options: FormatOptions = DEFAULT_OPTIONS) -> Iterator[tuple[str, Any]]:
        """The entries of that object, one by one. Nodes, passages and blocks are iterators: of a large page, the
        objects of all of them take ten times the memory of its text."""
        yield from self._facts().items()
        yield from self.columns(options.columns, options.without).items()
        yield "outline", self._each_node()
        yield "passages", (_passage(*placed) for placed in self._placed_passages())
        blocks = self._each_block()
        yield "blocks", (_block(block) for block in blocks if options.all_blocks or block.label.is_content)
        if self.comments_apart:
            yield "comments", list(map(_comment, self.comments))
        if self.posts is not None:
            yield "posts", list(map(_post, self.posts, self.post_passages))

    def _facts(self) -> dict[str, Any]:
        # The order of the keys is that of the printed object. New fields of the metadata follow "language".
        named = {"id": printable(self.page.id), "url": None, "title": None, "status": self.status}
        return {
            **named,
            "reason": printable(self.reason),
            **{name: printable_value(value) for name, value in self.metadata.values().items()},
            "evidence": {name: printable(place) for name, place in self.metadata.evidence.items()},
            "confidence": rounded(self.confidence),
            "encoding": self.encoding,
            "replaced": self.replaced,
            "model": self.model,
        }


def _nodes(outline: str) -> list[OutlineNode]:
    import json  # noqa: PLC0415 - most formats need no JSON

    nodes: list[OutlineNode] = json.loads(outline)["nodes"]
    return nodes


def rounded(probability: float | None) -> float | None:
    """With the digits that all outputs print."""
    # The probabilities of a numpy column are float32, which JSON cannot print.
    return None if probability is None else round(float(probability), 6)


def printable_value(value: Value) -> str | list[str] | None:
    """The value of a fact as JSON holds it."""
    return list(map(printable, value)) if isinstance(value, tuple) else value and printable(value)


def _block(block: LabeledBlock) -> dict[str, Any]:
    id, label, text, probability, field = block
    said = {"id": id, "label": label, "text": printable(text), "probability": rounded(probability)}
    return {**said, "field": field} if field else said


def _passage(passage: Passage, place: Place | None) -> dict[str, Any]:
    xpath, range = place or (None, None)
    named = {"label": passage.label, "text": printable(passage.text)}
    return {**named, "xpath": xpath, "range": range, "blocks": passage.blocks}


def _comment(comment: Comment) -> dict[str, Any]:
    facts = {name: printable(getattr(comment, name)) for name in ("author", "date", "text")}
    return {**facts, "blocks": comment.blocks}


def _post(post: "Post", passages: PostPassages) -> dict[str, Any]:
    fields = {name: printable(getattr(post, name)) for name in ("title", "date", "datetime", "author")}
    comments = {"comments": _lines(passages.comments)} if post.comments else {}
    return {**fields, "body": _lines(passages.body), "blocks": post.blocks} | comments


def _lines(passages: Iterable[Passage]) -> str:
    return "".join(f"{printable(passage.text)}\n" for passage in passages)
