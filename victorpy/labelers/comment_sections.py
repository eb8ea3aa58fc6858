"""Finds the comments of readers below a page's text, by names of elements and by headings."""

import re
from collections.abc import Sequence
from itertools import groupby, islice, pairwise
from typing import NamedTuple

import numpy as np

from victorpy import _core
from victorpy.features.element_blocks import blocks_in_elements
from victorpy.labelers.blog.element_names import named
from victorpy.page.blocks import Page, once_per_page
from victorpy.page.elements import Flags, Ints, nearest_marked


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_SECTIONS = _words(
    "comments comments-* *-comments comments_* *_comments comment-list comment-list-* comment_list commentlist"
    " comment-section comment-wrapper comment-container comment-thread comment-area comments-area commentarea"
    " commentsarea commentsection commentscontainer commentswrapper commentswrap commentsblock commentblock"
    " commentlisting commentthread comment-holder comment_holder comment-tree user-comments usercomments"
    " reader-comments readercomments disqus_thread dsq-comments dsq-content idc-container idc-cover echo-stream"
    " js-kit-comments livefyre livefyre-* fb-comments discussion discussion-* discussions replies responses"
    " trackbacks pingbacklist talkback talkbacks kommentare kommentar-* leserkommentare commentaires commentaire-*"
    " comentarios comentario-* commenti reacties komentarze komentare diskuze"
)
_ITEMS = _words(
    "comment comment-[0-9]* comment[0-9]* comment_[0-9]* li-comment-[0-9]* div-comment-[0-9]* dsq-comment-[0-9]*"
    " usercomments usercomment comment-item comment_item commentitem comment-body comment-entry comment-wrap"
    " comment-block commentbody comment-text comment-content commenttext comment-post single-comment user-comment"
    " comentario kommentar commentaire"
)
_NUMBERED = _words("comment comment-[0-9]* comment[0-9]* li-comment-[0-9]* dsq-comment-[0-9]*")
# Parts of other names that count things, link to comments or belong to a form; and lists of comments of other pages.
_OTHERS = _words(
    "comments-link comments-count comment-count *-count comments-number comments-icon comments-open"
    " comments-closed no-comments recent-comments recent_comments recentcomments latest-comments"
    " widget_recent_comments has-comments with-comments most-comments *-commented comment-link comment-links"
    " show-comments view-comments comments-button entry-comments-link comment-form comment-respond commentform"
    " commentrespond respond comments-form comment-reply-title post-comments-link comments-tab comments-toggle"
    " *-comments-link comments-feed"
)
_NOISE = _words(
    "reply comment-reply-link comment-form commentform respond comment-respond comments-form comment-tools"
    " comment-actions comment-navigation comments-pagination pagination report flag vote votes rating comment-rss"
    " subscribe-* share sharing"
)
_AUTHORS = _words(
    "fn author comment-author comment_author commenter commenter-name comment-name username user-name user"
    " commentauthor dsq-commenter-name comment-author-name author-name nickname p-author name comment-meta-author"
)
_DATES = _words(
    "comment-date comment_date commentdate comment-time comment-metadata comment-meta commentmetadata date"
    " datetime timestamp time datecreated datepublished dsq-comment-header-time comment-timestamp dt-published"
    " comment-meta-date commenttime"
)

# "3 comments", "Comments (12)", "Join the discussion", "12 responses to …"
_NUMBER = r"\d[\d.,]*"
_NOUNS = "|".join(
    _words(
        "comments? coment[áa]rios? comentarios? kommentare? leserkommentare commentaires? commenti reacties komentarze"
        " komentáře komentarzy комментари[ийев]+ отзывы 评论 評論 网友评论 コメント 댓글 التعليقات تعليقات σχόλια"
        " yorumlar responses? replies respuestas réponses antworten discussion diskussion talkbacks?"
    )
)
_OBJECTS = r"so far|(?:on|to) this (?:story|article|post|entry)|(?:to|on|for|zu|a)\s.{1,120}|are (?:now )?closed.*"
_HEADING = re.compile(
    rf"\W*(?:(?:{_NUMBER}|no|one|all|reader|readers['’]?|user|latest|your|leser|los|les|i)\s+)?"
    rf"(?:{_NOUNS})\W*(?:(?:{_NUMBER}|{_OBJECTS})\W*)?",
    re.IGNORECASE,
)
_LONGEST_HEADING = 160
_MOST_HEADINGS = 50
_WHOLE_PAGE = ("html", "body", "main")
_LONGEST_NAME = 80


class FoundComment(NamedTuple):
    """One comment: its author as shown, its date in ISO 8601, and the blocks of its text. A fact may be empty."""

    author: str
    date: str
    blocks: tuple[int, ...]


@once_per_page
def comment_blocks(page: Page) -> Flags:
    """Is each block in a comment, or in a heading or a date of one?"""
    if not len(page):
        return np.zeros(0, np.bool_)
    return _of_elements(page, _sections(page) & ~_noise(page))


def _of_elements(page: Page, are: Flags) -> Flags:
    flags: Flags = are[page.element]
    return flags


def _inside(page: Page, are: Flags) -> Flags:
    inside: Flags = are[nearest_marked(page.elements, are)]
    return inside


def _noise(page: Page) -> Flags:
    by_tag = page.markup.members(["form", "button", "nav", "textarea", "select", "label"])[page.elements.codes]
    return _inside(page, by_tag | named(page, _NOISE))


def _sections(page: Page) -> Flags:
    """The elements in sections of comments: by their names, else below a heading."""
    elements = page.elements
    is_other = named(page, _OTHERS) | page.markup.members(_WHOLE_PAGE)[elements.codes]
    is_link = page.markup.members(["a", "span", "i", "b", "button", "input", "p"])[elements.codes]
    by_name = (named(page, _SECTIONS) & ~is_link | named(page, _ITEMS)) & ~is_other
    by_name &= ~_holds_text(page, by_name)
    by_heading = np.zeros(len(elements.tags), np.bool_)
    if not by_name[page.element].any() and not _inside(page, by_name)[page.element].any():
        by_heading = _below_heading(page)
    return _inside(page, by_name) & ~_inside(page, named(page, _OTHERS)) | by_heading


def _holds_text(page: Page, are: Flags) -> Flags:
    """Elements with the main heading, or with an article's body, are no comments."""
    headings = np.flatnonzero(page.markup.members(["h1"])[page.elements.codes])
    bodies = np.flatnonzero(named(page, ("articlebody", "entry-content", "article-body", "post-body", "story-body")))
    holders = np.zeros(len(are), np.bool_)
    for element in [*headings.tolist(), *bodies.tolist()][:50]:
        around = element
        while around:
            holders[around] = True
            around = int(page.elements.parents[around])
    return holders


def _below_heading(page: Page) -> Flags:
    """What follows the last heading that announces comments, up to the end of the part around it."""
    inside = np.zeros(len(page.elements.tags), np.bool_)
    in_link = _inside(page, page.markup.members(["a", "nav", "label", "button", "option"])[page.elements.codes])
    short = np.flatnonzero((page.lengths <= _LONGEST_HEADING) & ~in_link[page.element])[::-1].tolist()
    headings = (block for block in short if _HEADING.fullmatch(page.texts[block].strip()))
    for block in islice(headings, _MOST_HEADINGS):
        begin, around = _part(page, int(page.element[block]))
        # Siblings of a part of the body are the rest of the page.
        if page.elements.tags[around] not in _WHOLE_PAGE:
            inside[begin : int(page.elements.ends[around])] = True
            break
    return inside


def _part(page: Page, element: int) -> tuple[int, int]:
    """The largest element that ends with the text of this one, and the element around it."""
    elements, last = page.elements, blocks_in_elements(page).last
    around = int(elements.parents[element])
    while elements.tags[around] not in _WHOLE_PAGE and last[element] == last[around]:
        element, around = around, int(elements.parents[around])
    return element, around


def comments_in(page: Page, blocks: Sequence[bool] | Flags) -> list[FoundComment]:
    """The comments that these blocks hold, in the order of the page. Replies follow what they reply to."""
    if not any(blocks):
        return []
    parts = _Parts(page)
    comments: list[FoundComment] = []
    lead: list[int] = []
    for item, inner in groupby(np.flatnonzero(blocks).tolist(), lambda block: parts.items[page.element[block]]):
        if not item:
            lead = [*inner]
            continue
        found = parts.comment([*inner], lead)
        lead = []
        if comments and not comments[-1].blocks:
            # Its author and date are in an element of their own.
            before = comments.pop()
            found = found._replace(author=found.author or before.author, date=found.date or before.date)
        comments.append(found)
    return [comment for comment in comments if comment.blocks]


class _Parts:
    """The elements of comments: the comment around each, and which hold authors and dates."""

    def __init__(self, page: Page):
        self.page = page
        self.items = _items(page)
        members = page.markup.members
        codes = page.elements.codes
        self.is_author = _inside(page, named(page, _AUTHORS) | members(["cite"])[codes])
        self.is_date = _inside(page, named(page, _DATES) | members(["time"])[codes])
        self.is_link = _inside(page, members(["a"])[codes])

    def comment(self, blocks: list[int], lead: list[int]) -> FoundComment:
        """The comment of these blocks; its author and date may be in the blocks before."""
        about = [block for block in (*blocks, *lead) if self._is_about(block)]
        author = next(filter(None, map(self._author, about)), "")
        date = next(filter(None, map(self._date, about)), "")
        first = blocks[0]
        if not author and len(blocks) > 1 and self.is_link[self.page.element[first]] and self._is_short(first):
            author = _name(self.page.texts[first])
            about.append(first)
        body = tuple(block for block in blocks if block not in about and _is_text(self.page.texts[block]))
        return FoundComment(author, date, body)

    def _is_short(self, block: int) -> bool:
        return bool(self.page.lengths[block] <= _LONGEST_NAME)

    def _is_about(self, block: int) -> bool:
        """Does a short block hold the author or the date of a comment?"""
        if not self._is_short(block):
            return False
        are = any(self.is_author[element] or self.is_date[element] for element, _ in self._pieces(block))
        return are or _HAS_DATE.search(self.page.texts[block]) is not None

    def _pieces(self, block: int) -> list[tuple[int, str]]:
        """The texts of a block between tags, with the elements around them."""
        page, runs = self.page, self.page.runs
        first, last = int(page.first_runs[block]), int(page.last_runs[block])
        starts = [*runs.start[first : last + 1].tolist(), int(page.lengths[block])]
        elements = runs.element[first : last + 1].tolist()
        return [
            (element, page.texts[block][begin:end])
            for element, (begin, end) in zip(elements, pairwise(starts), strict=True)
        ]

    def _author(self, block: int) -> str:
        names = (text for element, text in self._pieces(block) if self.is_author[element] and not self.is_date[element])
        return _name(" ".join(" ".join(names).split()))

    def _date(self, block: int) -> str:
        """By the attribute of a <time> in the block, else by its text."""
        datetimes = self.page.attributes["datetime"]
        given = [datetimes[element] for element, _ in self._pieces(block)]
        return next(filter(None, (_core.date_of(text) for text in (*filter(None, given), self.page.texts[block]))), "")


def _name(text: str) -> str:
    """The author without the words around a name; empty if the text is none."""
    name = _NOT_NAME.sub("", text.strip(" \n:,—–-|"))
    return name if _is_text(name) and not _core.date_of(name) else ""


def _is_text(text: str) -> bool:
    return text.strip().lower() not in _LINKS and any(map(str.isalnum, text))


# Links below comments; "says" between the author and the text.
_LINKS = frozenset(
    _words(
        "reply répondre antworten responder rispondi beantwoorden odpovědět odpowiedz ответить 回复 返信 report quote"
        " says says: share like"
    )
)
_NOT_NAME = re.compile(
    r"^(?:posted )?by:?\s+|(?<!\s)\s+(?:says|said|wrote|schrieb|dice|dijo|a écrit):?$", re.IGNORECASE
)
_HAS_DATE = re.compile(r"(?:19|20)\d\d.{0,12}\b\d{1,2}:\d\d")


def _items(page: Page) -> Ints:
    """For each element the comment around it, or 0. Of several names for one comment, the outer one counts."""
    are = (
        named(page, _ITEMS)
        & ~named(page, (*_OTHERS, *_NOISE))
        & ~page.markup.members(["a", "span", "small"])[page.elements.codes]
    )
    are &= _inside(page, _sections(page))
    return nearest_marked(page.elements, are & ~_parts_of_items(page, are))


def _parts_of_items(page: Page, are: Flags) -> Flags:
    """Items that are the only item in another: bodies of comments, not replies to them."""
    around = nearest_marked(page.elements, are)[page.elements.parents]
    is_list = page.markup.members(["ul", "ol"])[page.elements.codes]
    lists = nearest_marked(page.elements, is_list)[page.elements.parents]
    is_numbered = named(page, _NUMBERED) & np.array([bool(id) for id in page.attributes["id"]], np.bool_)
    is_reply = (is_list[lists] & (lists > around)) | (is_numbered & is_numbered[around])
    parts: Flags = are & are[around] & ~is_reply
    return parts
