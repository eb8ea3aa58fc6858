import pytest

from victorpy.labelers.density import Density
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

BLOCKS = Markup(mode="block")
TEXT = "Nobody had told the baker that the bridge was closed for the summer. " * 3
MENU = "<ul><li>Home</li><li>News</li><li>About us</li></ul>"
PAGE = f"<body>{MENU}<div><h2>The bridge</h2><p>{TEXT}</p><p>{TEXT}</p></div><div>{MENU}</div></body>"


def kept(html, **options):
    page = segment(html, markup=BLOCKS)
    labels = Density(**options).labeling(page).labels
    return [(label.value, text[:6]) for label, text in zip(labels, page.texts, strict=True) if label.is_content]


def test_it_goes_down_to_the_densest_part_and_keeps_all_of_it():
    assert kept(PAGE) == [("h", "The br"), ("p", "Nobody"), ("p", "Nobody")]


def test_it_stays_where_no_child_holds_more_than_half():
    assert len(kept(f"<body><div>{TEXT}</div><div>{TEXT}</div></body>")) == 2


def test_a_smaller_share_goes_further_down():
    page = f"<body><div>{TEXT}{TEXT}</div><div>{TEXT}<p>{TEXT}{TEXT}</div></body>"

    assert len(kept(page, share=0.5)) == 3
    assert len(kept(page, share=0.3)) == 1


def test_elements_without_meaning_are_passed_through():
    assert kept(PAGE.replace("<body>", "<body><app-root>").replace("</body>", "</app-root></body>")) == kept(PAGE)


def test_a_sparse_page_is_dropped_if_an_option_says_so():
    cleaned = Cleaner(Density(drops_sparse=True), BLOCKS).clean(MENU)

    assert kept(MENU)
    assert (cleaned.status, cleaned.reason) == ("empty", "sparse page: density 4.0, under 10")
    assert Cleaner(Density(drops_sparse=True), BLOCKS).clean("").reason == "the page is empty"


def test_the_title_is_the_first_heading_wherever_it_is():
    page = PAGE.replace("<body>", "<title>Harbour</title><body><h1>Harbour news</h1>").replace("h2", "div")

    assert kept(page, title=True)[0] == ("h", "Harbou")
    assert Cleaner(Density(title=True), BLOCKS).clean(page).text.startswith("Harbour news\n")


@pytest.mark.parametrize(("form", "begin"), [("cleaneval", "<h> Harbour\n"), ("markdown", "# Harbour\n")])
def test_without_a_heading_the_title_of_the_page_stands_in_front(form, begin):
    page = PAGE.replace("<body>", "<title>Harbour</title><body>").replace("h2", "div")

    cleaned = Cleaner(Density(title=True), BLOCKS).clean(page)

    assert FORMATS[form](cleaned).startswith(begin)
    assert len(cleaned.labels) == len(cleaned.page)


def test_all_labels_are_noise_on_a_page_without_blocks():
    assert Density(title=True).labeling(segment("<title>Harbour</title>", markup=BLOCKS)).labels == []
    assert Cleaner(Density(title=True), BLOCKS).clean("<title>Harbour</title>").text == ""
    assert Label.OTHER not in Density().labeling(segment("word", markup=BLOCKS)).labels
