"""The posts of a blog with their fields."""

from collections.abc import Sequence
from html import escape
from itertools import chain

from victorpy.output.cleaned import Cleaned, PostPassages
from victorpy.output.escapes import in_one_line, printable
from victorpy.page.passages import Passage
from victorpy.page.posts import Post

_PAGE = """\
<?xml version="1.0" encoding="utf-8"?>
<blog {metadata}>
{posts}</blog>
"""


def blog_xml(cleaned: Cleaned) -> str:
    """An element for each post. If the labeler knows no posts, the whole text is one post without fields."""
    posts = [Post("", "", "", "", ())] if cleaned.posts is None else cleaned.posts
    written = chain.from_iterable(map(_post, posts, cleaned.post_passages))
    known = {"url": cleaned.url or "", "title": cleaned.title}
    named = known | ({"language": language} if (language := cleaned.page.metadata.language) else {})
    metadata = (f'{name}="{escape(in_one_line(value))}"' for name, value in named.items())
    return _PAGE.format(metadata=" ".join(metadata), posts="".join(f"{line}\n" for line in written))


def _post(post: Post, passages: PostPassages) -> list[str]:
    datetime = f' datetime="{escape(in_one_line(post.datetime))}"' if post.datetime else ""
    fields = [
        f" <title>{_text(post.title)}</title>" if post.title else "",
        f" <date{datetime}>{_text(post.date)}</date>" if post.date else "",
        f" <author>{_text(post.author)}</author>" if post.author else "",
    ]
    comments = _part("comments", passages.comments) if post.comments else []
    return ["<post>", *filter(None, fields), *_part("body", passages.body), *comments, "</post>"]


def _part(name: str, passages: Sequence[Passage]) -> list[str]:
    lines = [f"  <{passage.label}>{_text(passage.text)}</{passage.label}>" for passage in passages]
    return [f" <{name}>", *lines, f" </{name}>"]


def _text(text: str) -> str:
    return escape(printable(text), quote=False)
