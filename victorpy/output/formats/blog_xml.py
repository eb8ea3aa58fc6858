"""The posts of a blog with their fields."""

from collections.abc import Sequence
from html import escape
from itertools import chain

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.escapes import in_one_line, printable
from victorpy.page.posts import Post

_PAGE = """\
<?xml version="1.0" encoding="utf-8"?>
<blog url="{url}" title="{title}">
{posts}</blog>
"""


def blog_xml(cleaned: Cleaned) -> str:
    """An element for each post; of labelers that know of none the whole text is one post without fields."""
    posts = [Post("", "", "", "", tuple(range(len(cleaned.labels))))] if cleaned.posts is None else cleaned.posts
    written = chain.from_iterable(_lines(cleaned, post) for post in posts)
    return _PAGE.format(
        url=escape(in_one_line(cleaned.url or "")),
        title=escape(in_one_line(cleaned.title)),
        posts="".join(f"{line}\n" for line in written),
    )


def _lines(cleaned: Cleaned, post: Post) -> list[str]:
    datetime = f' datetime="{escape(in_one_line(post.datetime))}"' if post.datetime else ""
    fields = [
        f" <title>{_text(post.title)}</title>" if post.title else "",
        f" <date{datetime}>{_text(post.date)}</date>" if post.date else "",
        f" <author>{_text(post.author)}</author>" if post.author else "",
    ]
    comments = _part(cleaned, "comments", post.comments) if post.comments else []
    return ["<post>", *filter(None, fields), *_part(cleaned, "body", post.blocks), *comments, "</post>"]


def _part(cleaned: Cleaned, name: str, blocks: Sequence[int]) -> list[str]:
    passages = cleaned.passages_of(blocks)
    lines = [f"  <{passage.label}>{_text(passage.text)}</{passage.label}>" for passage in passages]
    return [f" <{name}>", *lines, f" </{name}>"]


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
