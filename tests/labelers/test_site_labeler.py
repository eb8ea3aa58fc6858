import pytest

from victorpy.errors import VictorError
from victorpy.labelers.page_differences import likeness, new_shares
from victorpy.labelers.site import Site, SiteAgainst
from victorpy.labelers.site_references import references
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

MENU = "<ul><li>Home<li>Harbour news<li>Weather</ul>"
FOOT = "<div>Imprint<br><br>About us</div>"


def page(*parts, mode="block"):
    return segment("".join(["<body>", MENU, *parts, FOOT]), markup=Markup(mode=mode))


FERRY = page("<h1>Ferry late</h1><p>It left at nine.</p><ul><li>in the rain</ul><p>posted by Jack F.</p>")
BRIDGE = page("<h1>Bridge open</h1><p>Since noon all can cross.</p><p>posted by anonymous</p>")
WHOLE = {"starts_at_target": False, "least_alike": 0}


def labels(page, reference, **options):
    found = SiteAgainst(Site(**WHOLE | options), (reference,)).labeling(page).labels
    return {text: label for text, label in zip(page.texts, found, strict=True) if label is not Label.OTHER}


@pytest.mark.parametrize("mode", ["block", "victor"])
def test_what_the_reference_holds_too_is_dropped(mode):
    one, two = page("<p>One came.", mode=mode), page("<p>Two went.", mode=mode)

    assert labels(one, two) == {"One came.": "p"}


def test_kinds_are_those_of_the_markup():
    assert labels(FERRY, BRIDGE) == {"Ferry late": "h", "It left at nine.": "p", "in the rain": "l"}


def test_of_a_text_only_what_is_not_in_the_reference_counts():
    assert new_shares(FERRY, BRIDGE)[FERRY.texts.index("posted by Jack F.")] == len("Jack F.") / len(
        "posted by Jack F."
    )


@pytest.mark.parametrize(("least_new", "is_kept"), [(0, True), (0.4, True), (0.5, False)])
def test_an_option_says_how_much_has_to_be_new(least_new, is_kept):
    assert ("posted by Jack F." in labels(FERRY, BRIDGE, least_new=least_new)) is is_kept


def test_a_text_that_moved_is_known_again():
    moved = page("<div><p>Bridge open<p>New words.</div>")

    assert labels(moved, BRIDGE) == {"New words.": "p"}


def test_from_the_target_on_all_around_it_is_noise():
    text = "<div>" + "<p>A long text of the ferry that nobody missed.</p>" * 3 + "</div>"
    one = page(text, "<div>Read next: the bridge</div>")
    two = page(text.replace("ferry", "bridge"), "<div>Read next: the ferry</div>")

    assert "Read next: the bridge" in labels(one, two, least_new=0)
    assert "Read next: the bridge" not in labels(one, two, starts_at_target=True, least_new=0)
    assert len(labels(one, two, starts_at_target=True, least_new=0)) == 1


def test_pages_unlike_the_reference_are_cleaned_by_density_and_the_reason_says_so():
    other = segment("<p>Something from somewhere else.", markup=Markup(mode="block"))

    labeling = SiteAgainst(Site(), (other,)).labeling(FERRY)

    assert labeling.reason == "unlike the reference page (0% of its texts in common): cleaned by density"
    assert any(label is not Label.OTHER for label in labeling.labels)


def test_the_reference_itself_is_held_against_the_second_one():
    labeler = SiteAgainst(Site(**WHOLE), (FERRY, BRIDGE))

    assert labeler.labeling(FERRY).labels == SiteAgainst(Site(**WHOLE), (BRIDGE,)).labeling(FERRY).labels


@pytest.mark.parametrize("labeler", [Site(), SiteAgainst(Site(), (FERRY,)), SiteAgainst(Site(), ())])
def test_a_page_alone_is_cleaned_by_density_and_the_reason_says_so(labeler):
    assert labeler.labeling(FERRY).reason == "no other page of its site to compare it with: cleaned by density"


def test_the_reference_is_the_page_most_like_the_others_or_that_of_median_size():
    stranger = segment("<p>Something from somewhere else." + "<p>And more." * 9, markup=Markup(mode="block"))
    short = page("<p>x")

    assert references([stranger, short, FERRY], "alike")[0] is short
    assert references([stranger, short, FERRY], "median")[0] is FERRY
    assert references([FERRY, FERRY], "median") == (FERRY,)
    assert references([], "alike") == ()


def test_likeness_is_the_share_of_the_smaller_page():
    assert likeness(FERRY, FERRY) == 1
    assert likeness(FERRY, segment("<p>Home<p>Nowhere")) == 0.5
    assert likeness(FERRY, segment("")) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "html",
    ["<div>" * 3000 + "x", "<p>a<b>b</b>" * 20_000, "".join(f"<p>{number}" for number in range(20_000))],
    ids=["deep", "repeated", "long"],
)
def test_strange_pages_are_compared_in_time(html):
    one, two = segment(html), segment(f"<i>y</i>{html}<p>z")

    assert len(new_shares(one, two)) == len(one)


@pytest.mark.parametrize("wrong", [{"least_new": 2}, {"least_alike": -1}])
def test_wrong_options_are_refused(wrong):
    with pytest.raises(VictorError, match="expected a number from 0 to 1"):
        Site(**wrong)


@pytest.mark.parametrize("is_reference", [True, False])
def test_a_page_without_text_may_be_either_of_the_two(is_reference):
    pair = segment("<p>It left at nine."), segment("<img>")
    page, reference = pair if is_reference else pair[::-1]

    assert len(SiteAgainst(Site(least_alike=0), (reference,)).labeling(page).labels) == len(page)
