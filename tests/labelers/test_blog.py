import json
from xml.etree import ElementTree

import pytest

from victorpy.errors import OptionError
from victorpy.evaluation.post_scores import WrittenPost, counts
from victorpy.labelers.blog import Blog
from victorpy.output.formats import FORMATS
from victorpy.page import dates
from victorpy.page.blocks import Label
from victorpy.page.dates import date_in
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import labeler

POST = """<title>Shore</title><nav>Home</nav><div class="hentry"><h2 class="entry-title">Fog &amp; tea</h2>
<p class="entry-meta">On <time class="published" datetime="2024-05-03">May 3, 2024</time>
by <span class="author">Ada</span></p>
<div class="entry-content"><p>No ship came.<ul><li>tea</ul></div></div><div class="comments"><p>So true!</div>"""


def cleaned(html, **options):
    return labeler("blog", **options).clean(html)


def test_a_post_has_its_fields_and_comments_are_none_of_it():
    (post,) = cleaned(POST).posts

    assert post[:4] == ("Fog & tea", "May 3, 2024", "2024-05-03", "Ada")
    assert cleaned(POST).text == "Fog & tea\nNo ship came.\ntea\n"


def test_a_title_is_a_header_and_a_body_has_the_kinds_of_its_markup():
    labels = [label for label in cleaned(POST).labels if label is not Label.OTHER]

    assert labels == [Label.HEADER, Label.PARAGRAPH, Label.LIST]


def test_json_and_xml_hold_the_posts():
    (as_json,) = json.loads(FORMATS["json"](cleaned(POST)))["posts"]
    as_xml = ElementTree.fromstring(FORMATS["blog-xml"](cleaned(POST)).encode())

    assert as_json["body"] == "No ship came.\ntea\n"
    assert as_xml.findtext("post/title") == as_json["title"] == "Fog & tea"
    assert as_xml.find("post/date").get("datetime") == "2024-05-03"
    assert [line.text for line in as_xml.find("post/body")] == ["No ship came.", "tea"]


def test_other_labelers_report_no_posts():
    assert "posts" not in json.loads(FORMATS["json"](labeler("bte").clean(POST)))


def test_posts_of_one_day_share_its_date():
    html = "<h2 class=date-header>May 3, 2024</h2>" + "".join(
        f"<div class=post><h3>{title}</h3><div class=post-body>Text of {title}.</div></div>" for title in ("one", "two")
    )

    assert [(post.title, post.date) for post in cleaned(html).posts] == [("one", "May 3, 2024"), ("two", "May 3, 2024")]


def test_a_list_of_posts_is_no_post():
    html = "<div class=post><article><h2>one</h2><p>a</article><article><h2>two</h2><p>b</article></div>"

    assert [post.title for post in cleaned(html).posts] == ["one", "two"]


def test_a_page_without_posts_goes_the_way_of_density():
    page = cleaned("<div><p>Only some text here.</div>")

    assert page.posts == []
    assert page.text == "Only some text here.\n"
    assert page.reason == "no post found: cleaned by density"


def test_the_names_to_look_for_are_options():
    html = "<div class=eintrag-1><p class=kopf>Nebel<p>Kein Schiff kam.</div><p>Imprint"

    (post,) = cleaned(html, post=("eintrag-*",), title=("kopf",)).posts

    assert (post.title, cleaned(html).posts) == ("Nebel", [])


def test_where_a_page_was_cut_without_names_its_tags_are_gone_by():
    page = segment("<article><h1>one</h1><time>2024-05-03</time><p>a</article>", markup=Markup(mode="block"))

    (post,) = Blog().labeling(page).posts

    assert (post.title, post.date) == ("one", "2024-05-03")


def test_any_page_keeps_the_names_of_its_elements():
    page = segment("<div>" * 2_100 + POST, markup=Markup(mode="block"))

    assert any("hentry" in (known or "") for known in page.attributes["class"])


def test_a_vote_with_it_reads_names_too():
    assert labeler("merge", labelers=("blog",)).clean(POST).text == cleaned(POST).text


def test_many_posts_take_no_longer_for_their_number():
    html = "<div class=post><h2>t</h2><time>2024-05-03</time><p>text</div>" * 3_000

    assert len(cleaned(html).posts) == 3_000


def test_a_byline_has_a_length():
    with pytest.raises(OptionError, match="expected at least 1"):
        Blog(longest_byline=0)


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("Posted on May 13, 2024 by Ada", "May 13, 2024"),
        ("pátek 13. května 2024, 8:00", "13. května 2024"),
        ("am 13. Mai 2024.", "13. Mai 2024"),
        ("el 13 de mayo de 2024", "13 de mayo de 2024"),
        ("13 мая 2024", "13 мая 2024"),
        ("发表于 2024年5月13日 林溪", "2024年5月13日"),
        ("2024-05-13", "2024-05-13"),
        ("13/05/2024", "13/05/2024"),
        ("nothing of that kind", ""),
    ],
)
def test_dates_are_found_whole(text, date):
    assert date_in(text) == date


def test_dates_are_found_with_any_config_of_the_user(folder):
    folder.joinpath("configs").mkdir()
    folder.joinpath("configs/base.yaml").write_text("include: base\nfeatures: [position]\n")
    dates._expressions.cache_clear()

    assert date_in("Posted on May 13, 2024 by Ada") == "May 13, 2024"


def test_titles_count_only_with_their_posts():
    gold = [WrittenPost("a", "", "one two three"), WrittenPost("b", "2024", "four five six")]
    found = [WrittenPost("a", "", "one two three"), WrittenPost("b", "2024", "something else")]

    scores = counts(found, gold)

    assert scores["posts"] == scores["titles"] == (2, 2, 1)
    assert scores["dates"] == (1, 1, 0)
    assert scores["dates"].precision == scores["dates"].f1 == 0
