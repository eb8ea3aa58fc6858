import time
from dataclasses import replace

import pytest

from victorpy.errors import UsageError
from victorpy.labelers.comment_sections import comment_blocks, comments_in
from victorpy.labelers.everything import Everything
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

STORY = "<h1>The ferry</h1><p>It leaves at seven.</p>"
COMMENT = "<p>I like this ferry.</p>"
THREAD = (
    "<div id=comments><h3>2 comments</h3><ol><li class=comment id=comment-1><cite class=fn>Ann Lee</cite>"
    " <time datetime=2024-05-06T07:00Z>6 May</time><p>I like this ferry.</p><a class=comment-reply-link>Reply</a>"
    "<ul class=children><li class=comment id=comment-2><cite class=fn>Bo</cite><p>So do I.</p></li></ul></li></ol>"
    "<form><label>Your name</label></form></div>"
)
CASES = {
    "an id": f"<div id=comments>{COMMENT}</div>",
    "a class": f"<section class='box comment-list'>{COMMENT}</section>",
    "a comment alone": f"<div class=comment-body>{COMMENT}</div>",
    "Disqus": f"<div id=disqus_thread>{COMMENT}</div>",
    "microdata": f"<div itemscope itemtype=https://schema.org/Comment>{COMMENT}</div>",
    "a property": f"<div itemprop=comment>{COMMENT}</div>",
    "a heading": f"<div><h2>3 comments</h2>{COMMENT}</div>",
    "German": f"<div><h3>Kommentare (3)</h3>{COMMENT}</div>",
    "Spanish": f"<div><h3>12 comentarios</h3>{COMMENT}</div>",
    "French": f"<div><div><h3>Commentaires :</h3></div>{COMMENT}</div>",
    "Russian": f"<div><h3>Комментарии</h3>{COMMENT}</div>",
    "Chinese": f"<div><h3>网友评论</h3>{COMMENT}</div>",
    "responses": f"<div><h3>5 Responses to “The ferry”</h3>{COMMENT}</div>",
}


def texts_of(html):
    page = segment(STORY + html + "<footer><p>Imprint</p></footer>")
    return [text for text, is_comment in zip(page.texts, comment_blocks(page), strict=True) if is_comment]


@pytest.mark.parametrize("html", CASES.values(), ids=CASES)
def test_comments_are_found_by_names_and_headings(html):
    assert texts_of(html)[-1] == "I like this ferry."
    assert "It leaves at seven." not in texts_of(html)


@pytest.mark.parametrize(
    "html",
    [
        "<p><a class=comments-link href=#c>3 comments</a></p>",
        "<aside class=recent-comments><p>Bo: So do I.</p></aside>",
        "<div class=comment-form><p>Write a comment</p></div>",
        "<div class=comments><h1>The boat</h1><p>It stays.</p></div>",
        "<h2>Comments</h2>",
        "<p>Comments on the law were many, as the harbour master said.</p>",
    ],
    ids=["a link", "of other pages", "a form", "the story", "a heading of the body", "a sentence"],
)
def test_other_things_named_so_are_no_comments(html):
    assert texts_of(html) == []


def test_a_comment_has_its_author_its_date_and_its_text():
    page = segment(STORY + THREAD)

    comments = comments_in(page, comment_blocks(page))

    assert [(one.author, one.date, [page.texts[block] for block in one.blocks]) for one in comments] == [
        ("Ann Lee", "2024-05-06T07:00Z", ["I like this ferry."]),
        ("Bo", "", ["So do I."]),
    ]


def test_the_author_may_be_in_an_element_of_its_own():
    html = "<dl id=comments><dt class=comment><span class=author>Ann says:</span><dd class=comment><p>Yes.</dl>"
    page = segment(STORY + html)

    (found,) = comments_in(page, comment_blocks(page))

    assert (found.author, [page.texts[block] for block in found.blocks]) == ("Ann", ["Yes."])


def cleaned(comments, html=STORY + THREAD):
    return Cleaner(Everything(), STANDARD).with_comments(comments).clean(html)


def test_comments_are_kept_dropped_or_all_that_is_kept():
    assert "I like this ferry." in cleaned("keep").text
    assert cleaned("drop").text == "The ferry\nIt leaves at seven.\nReply\nYour name\n"
    assert cleaned("only").text.splitlines()[0] == "2 comments"
    assert "seven" not in cleaned("only").text
    assert cleaned(None).text == Cleaner(Everything(), STANDARD).clean(STORY + THREAD).text


def test_comments_are_a_section_of_their_own():
    kept = cleaned("keep")

    assert kept.markdown.index("Your name") < kept.markdown.index("\n## Comments\n\n") < kept.markdown.index("So do I.")
    assert [one["author"] for one in kept.to_dict()["comments"]] == ["Ann Lee", "Bo"]
    assert [one.text for one in kept.comments] == ["I like this ferry.\n", "So do I.\n"]
    assert {"comment"} == {kept.detailed_labels[block] for one in kept.comments for block in one.blocks}
    assert "comments" not in cleaned(None).to_dict()
    assert [one.author for one in cleaned(None).comments] == ["Ann Lee", "Bo"]


def test_a_page_without_comments_says_so():
    only = cleaned("only", STORY)

    assert (only.status, only.text, only.reason) == ("empty", "", "no comments found")
    assert cleaned("keep", STORY).markdown == cleaned(None, STORY).markdown


class Knowing(Everything):
    """Keeps all, and knows that the last block is a comment and the block before it the author."""

    def labeling(self, page):
        fields = [None] * (len(page) - 2) + [Label.AUTHOR, Label.COMMENT]
        return replace(super().labeling(page), fields=fields)


NAMELESS = "<h1>The ferry</h1><p>It leaves at seven.<p>Ann Lee<p>So do I."


def test_fields_of_the_labeler_tell_comments_that_rules_do_not_find():
    cleaner = Cleaner(Knowing(), STANDARD)

    assert cleaner.with_comments("drop").clean(NAMELESS).text == "The ferry\nIt leaves at seven.\nAnn Lee\n"
    assert cleaner.with_comments("only").clean(NAMELESS).text == "So do I.\n"
    assert cleaner.clean(NAMELESS).text == cleaned(None, NAMELESS).text


def test_fields_of_the_labeler_are_said_of_blocks_and_fill_the_metadata():
    found = Cleaner(Knowing(), STANDARD).clean(NAMELESS)

    assert [block.field for block in found.blocks] == [None, None, "author", "comment"]
    assert [block.get("field") for block in found.to_dict()["blocks"]] == [None, None, "author", "comment"]
    assert (found.metadata.authors, found.metadata.evidence["authors"]) == (("Ann Lee",), "author block")
    assert cleaned(None, NAMELESS).metadata.authors == ()


def test_another_handling_is_an_error():
    with pytest.raises(UsageError, match="comments: expected one of keep, drop, only, got 'dorp'; did you mean 'drop'"):
        cleaned("dorp")


@pytest.mark.parametrize(
    "html",
    [
        "<div class=comment>a" * 20_000,
        f"<div class=comment>{'<div>' * 500}{'<p class=comment-body>a' * 30_000}",
        "<div>" * 500 + "<h2>Comments</h2>" * 30_000,
        "",
    ],
    ids=["nested", "far inside", "headings", "nothing"],
)
def test_hostile_pages_end_soon(html):
    page = segment(html)
    begin = time.perf_counter()

    comments_in(page, comment_blocks(page))

    assert time.perf_counter() - begin < 10
