"""BlogBuster (Petasis, Petasis 2010), section 4: every step and pattern of its algorithm."""

import json

import pytest

from victorpy.labelers.registry import labeler
from victorpy.pipeline.cleaner import untrained

TEXT = "The ferry leaves at seven, and it does not wait for anybody."


def cleaned(html, **options):
    return untrained(labeler("blogbuster", **options)).clean(html)


def posts(html, **options):
    return cleaned(html, **options).posts


def bodies(html, **options):
    found = cleaned(html, **options)
    return [[passage.text for passage in passages.body] for passages in found.post_passages]


def post(attributes="class=post", inside="", body="class=entry"):
    return f"<div {attributes}>{inside}<div {body}>{TEXT}</div></div>"


@pytest.mark.parametrize(
    "attributes",
    [
        *("class=posts", "class=post123", "id=postwrap", "class=post_box", "class='post hentry'"),
        *("class=xhentry", "class=hentry2", "class=divlog", "class=entry-post", "class=blogentrypost"),
        *("class=post-wrapper", "class=single-post-x", "id=blogpost-1", "class=snap_preview"),
        *("name=post7", "title='post of today'", "data-kind=hentry"),
    ],
)
def test_1a_any_attribute_of_a_div_makes_it_a_post(attributes):
    assert bodies(post(attributes)) == [[TEXT]]


@pytest.mark.parametrize("attributes", ["class=mypost", "class=divlog2", "class=xsnap_preview", ""])
def test_1a_other_attributes_do_not(attributes):
    assert posts(post(attributes)) == []


def test_1a_other_elements_are_no_posts():
    assert posts(post().replace("<div class=post>", "<article class=post>")) == []


@pytest.mark.parametrize("name", ["xpost-body2", "entry-content", "my-entry-content", "snap_preview"])
def test_2a_the_class_of_the_post_makes_it_its_own_body(name):
    assert bodies(f"<div class={name} id=post-1>{TEXT}</div>") == [[TEXT]]


@pytest.mark.parametrize("name", ["posts", "entry", "content"])
def test_2a_exact_names_of_bodies(name):
    assert bodies(f"<div class={name} id=post-1>{TEXT}</div>") == [[TEXT]]
    assert posts(f"<div class={name}s id=post-1>{TEXT}</div>") == []


@pytest.mark.parametrize(
    "name", ["post-body", "posts", "entry", "entrything", "content", "entry-content", "text", "entrybody"]
)
def test_2b_a_child_div_is_the_body_and_the_footer_is_not_in_it(name):
    html = f"<div class=post><div class={name}>{TEXT}</div><div class=foot>Filed under ferries</div></div>"

    assert bodies(html) == [[TEXT]]


def test_2b_only_a_child_counts():
    assert posts(f"<div class=post><p><section><div class=entry>{TEXT}</div></section></div>") == []


def test_2c_without_a_body_it_is_no_post():
    assert posts(f"<div class=post><p>{TEXT}</div>") == []


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<h2 class=post-title>two</h2><h3 class=entry-title>three</h3>", "three"),
        ("<a class=mytitle1>link</a><h2 class=my-entry-title>two</h2>", "two"),
        ("<a class=title>link</a>", "link"),
        ("<h3>no attribute</h3>", ""),
    ],
)
def test_3a_titles_are_looked_for_in_h3_then_h2_then_a(head, title):
    assert posts(post(inside=head))[0].title == title


@pytest.mark.parametrize("tag", ["h1", "h2", "h3", "h4", "h5"])
def test_3b_else_the_nearest_heading_before_the_post(tag):
    html = f"<{tag}>One</{tag}>{post()}<{tag}>Two</{tag}>{post('class=post2')}"

    assert [found.title for found in posts(html)] == ["One", "Two"]
    assert str(cleaned(html).passages[0].label) == "h"


def test_3c_else_the_title_is_missing():
    assert posts(f"<h6>Six</h6>{post()}")[0].title == ""


@pytest.mark.parametrize("name", ["posted-in-may", "datepost", "entrymeta", "date"])
def test_4a_the_date_is_in_a_div_of_these_classes(name):
    assert posts(post(inside=f"<div class={name}>May 3</div>"))[0].date == "May 3"


@pytest.mark.parametrize("head", ["postinfo", "info", "entry-head"])
@pytest.mark.parametrize(
    "inner", ["<span class=postdate>", "<span id=date>", "<small class=mytime>", "<small title=update>"]
)
def test_4b_or_in_a_span_or_small_of_the_facts(head, inner):
    assert posts(post(inside=f"<div class={head}>by Ada on {inner}May 3</div>"))[0].date == "May 3"


@pytest.mark.parametrize(
    "before", ["<h2 class=date-header>", "<span class=xdate>", "<small id=dateline>", "<h4 class=dates>"]
)
def test_4c_or_among_the_siblings_before_the_post(before):
    assert posts(f"{before}May 3</{before[1:3].strip()}></span></small></h4>{post()}")[0].date == "May 3"


def test_4d_else_the_date_is_missing():
    assert posts(f"<p class=date>May 3</p>{post()}")[0].date == ""


def test_a_page_with_several_posts_has_each_of_them_once():
    html = f"<div class=posts>{post('class=post id=post-1')}{post('class=post id=post-2')}</div>"

    assert bodies(html) == [[TEXT], [TEXT]]


def test_comments_are_left_out_unless_asked_for():
    html = post() + "<div id=comments><div class=comment>Well said, Ada.</div></div>"

    assert posts(html)[0].comments == ()
    assert "Well said" not in cleaned(html).text
    assert cleaned(html, comments=True).post_passages[0].comments[0].text == "Well said, Ada."


def test_little_of_the_page_in_posts_means_that_it_is_no_blog():
    html = f"<div class=promo><div class=post><div class=text>Buy</div></div></div><p>{TEXT * 9}"

    assert cleaned(html).reason == "the posts found hold 0.6% of the page: cleaned by density"
    assert posts(html, least_share=0)


def test_evaluate_prints_precision_recall_and_f_of_posts_titles_and_dates(victor, tmp_path):
    tmp_path.joinpath("one.html").write_text(f"<h1>Fog</h1>{post()}")
    gold = [{"title": "Fog", "date": "May 3", "author": "", "body": TEXT}]
    tmp_path.joinpath("one.json").write_text(json.dumps({"posts": gold}))

    ran = victor("evaluate", "blogbuster", "--on", tmp_path, "--posts", tmp_path, "-f", "json")

    rows = {row["figure"]: row for row in json.loads(ran.out)["posts"]}
    assert rows["posts"]["f1"] == rows["titles"]["f1"] == 100
    assert rows["dates"]["recall"] == 0
