import pytest

from victorpy.page.blocks import Label
from victorpy.page.posts import labeled_posts
from victorpy.page.segment import segment

LETTERS = {"T": Label.TITLE, "W": Label.DATE, "B": Label.AUTHOR, "M": Label.COMMENT} | {
    letter: Label(letter) for letter in "phlc"
}


def posts(letters, *texts):
    page = segment("".join(f"<p>{text}" for text in texts or letters))
    return labeled_posts(page, [LETTERS.get(letter, Label.OTHER) for letter in letters])


def test_a_post_goes_from_its_title_to_the_next():
    first, second = posts("oTWBphloTWp", *["-", "Fog", "May", "Ada", "a", "b", "c", "-", "Tea", "June", "d"])

    assert first == ("Fog", "May", "", "Ada", (4, 5, 6), ())
    assert second == ("Tea", "June", "", "", (10,), ())


def test_a_date_is_taken_out_of_its_line():
    (post,) = posts("TWp", "Fog", "Posted on May 3, 2024, at noon", "No ship came.")

    assert post.date == "May 3, 2024"


def test_comments_are_kept_apart_with_what_continues_them():
    (post,) = posts("TpcMcMo")

    assert (post.blocks, post.comments) == ((1, 2), (3, 4, 5))


def test_a_title_of_several_blocks_is_one():
    assert [post.title for post in posts("TcpTTp", "Fog", "again", "a", "Tea", "too", "b")] == ["Fog again", "Tea too"]


def test_posts_of_one_day_share_the_date_above_them():
    found = posts("WTpTpWTp", "May", "one", "a", "two", "b", "June", "three", "c")

    assert [(post.title, post.date) for post in found] == [("one", "May"), ("two", "May"), ("three", "June")]


@pytest.mark.parametrize("letters", ["WpWpp", "pWppW"], ids=["above", "below"])
def test_posts_without_titles_are_parted_by_their_dates(letters):
    found = posts(letters)

    assert [post.date for post in found] == ["W", "W"]
    assert [len(post.blocks) for post in found] == [1, 2]


def test_a_page_without_fields_is_one_post():
    assert posts("opp") == [("", "", "", "", (1, 2), ())]


@pytest.mark.parametrize("letters", ["oTWo", "ooo", ""], ids=["title", "noise", "empty"])
def test_what_has_no_text_is_no_post(letters):
    assert posts(letters) == []
