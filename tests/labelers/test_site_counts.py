import zipfile
from dataclasses import replace

import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.features import FEATURES
from victorpy.foundation.hosts import site_of
from victorpy.labelers import site_counts as sites
from victorpy.labelers.everything import Everything
from victorpy.labelers.filters import Filtered
from victorpy.labelers.filters.site_filter import SiteFilter
from victorpy.labelers.site_counts import SiteCounter
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner
from victorpy.sources import RawPage

BLOCKS = Markup(mode="block")
MENU = "<ul><li>Home</li><li>Harbour news</li></ul>"
NAMES = ["one", "two", "three", "four"]


def html(name, comments=3):
    return f"{MENU}<h1>Ferry {name}</h1><p>What the ferry {name} does.</p><div>{comments} comments</div>"


def page(name, host="harbour.example", comments=3):
    return segment(html(name, comments), name, f"http://{host}/{name}", BLOCKS)


def known(pages):
    counting = SiteCounter(BLOCKS, megabytes=1)
    for each in pages:
        counting.add(each, site_of(each.url))
    return counting.sites()


@pytest.fixture
def harbour():
    return known(page(name, comments=number) for number, name in enumerate(NAMES))


def shares(page, name="site.path-share"):
    return FEATURES[name](page).tolist()


def test_the_share_of_a_text_leaves_out_the_page_itself(harbour):
    counted = harbour.with_counts_of(page("one", comments=0), "harbour.example")

    assert counted.texts == ["Home", "Harbour news", "Ferry one", "What the ferry one does.", "0 comments"]
    assert shares(counted) == shares(counted, "site.text-share") == [1, 1, 0, 0, 1]
    assert shares(counted, "site.pages") == [3] * 5


def test_a_page_that_was_not_counted_has_all_the_others(harbour):
    assert harbour.with_counts_of(page("five"), "harbour.example").site_counts.pages == 4


def test_by_its_address_a_page_is_known_again_though_its_text_changed(harbour):
    five = page("five")
    changed = replace(five, metadata=replace(five.metadata, url="http://harbour.example/one"))

    assert harbour.with_counts_of(changed, "harbour.example").site_counts.pages == 3


def test_a_text_elsewhere_in_the_page_counts_by_text_only(harbour):
    moved = segment("<p>Home<p>Another", "x", markup=BLOCKS)

    counted = harbour.with_counts_of(moved, "harbour.example")

    assert (shares(counted), shares(counted, "site.text-share")) == ([0, 0], [1, 0])


@pytest.mark.parametrize("site", [None, "elsewhere.example"])
def test_of_an_unknown_site_all_shares_are_minus_one(harbour, site):
    counted = harbour.with_counts_of(page("one"), site)

    assert shares(counted) == [-1] * 5
    assert shares(counted, "site.pages") == [0] * 5


def test_numbers_without_letters_are_different_texts():
    pages = [segment(f"<p>{number}<p>7", "x", f"http://a.example/{number}", BLOCKS) for number in range(10, 14)]

    counted = known(pages).with_counts_of(pages[0], "a.example")

    assert shares(counted) == [0, 1]


def test_the_same_page_counts_once_and_a_site_only_so_often():
    counting = SiteCounter(BLOCKS, megabytes=1, most_pages=2)

    reasons = [counting.add(page(name), "harbour.example") for name in ["one", "one", "two", "three"]]

    assert reasons == [
        "",
        "the same page was counted before",
        "",
        "2 pages of harbour.example are enough",
    ]
    assert (counting.sites().header.pages, counting.sites().header.sites) == (2, 1)


# The filter


def labeling(sites, page, **options):
    return Filtered(Everything(), (SiteFilter(**options),)).labeling(sites.with_site_counts(page))


def kept(sites, page, **options):
    labels = labeling(sites, page, **options).labels
    return [text for text, label in zip(page.texts, labels, strict=True) if label is not Label.OTHER]


def test_what_other_pages_hold_is_dropped_from_any_labelers_content(harbour):
    assert kept(harbour, page("one")) == ["Ferry one", "What the ferry one does."]
    assert labeling(harbour, page("one")).reason == ""


def test_a_text_on_few_pages_is_kept_by_its_share_and_by_their_number():
    extra = [segment(html(name) + "<p>Only today", name, f"http://a.example/{name}", BLOCKS) for name in NAMES[:2]]
    rest = [segment(html(name), name, f"http://a.example/{name}", BLOCKS) for name in NAMES[2:]]
    here = known([*extra, *rest])

    assert "Only today" in kept(here, extra[0], share=0.4, least_holders=1)
    assert "Only today" not in kept(here, extra[0], share=0.3, least_holders=1)
    assert "Only today" in kept(here, extra[0], share=0.3, least_holders=2)


def test_a_text_on_most_pages_is_dropped_however_few_they_are():
    pair = [page("one"), page("two")]

    assert kept(known(pair), pair[0], least_holders=3) == ["Ferry one", "What the ferry one does."]


def test_a_cleaner_uses_site_counts_whether_its_filter_comes_before_or_after(harbour, tmp_path):
    sites.save(harbour, tmp_path / "site.npz")
    bare = Cleaner(Everything(), BLOCKS)

    cleaners = [bare.filtered(SiteFilter()).on_sites(tmp_path / "site.npz")]
    cleaners.append(bare.on_sites(tmp_path / "site.npz").filtered(SiteFilter()))

    assert {cleaner.clean(html("one"), "http://harbour.example/one").text for cleaner in cleaners} == {
        "Ferry one\nWhat the ferry one does.\n"
    }


@pytest.mark.parametrize(
    ("page", "least_pages", "reason"),
    [
        (
            segment(html("x"), markup=BLOCKS),
            1,
            "no address: the site is unknown, so the filter dropped nothing",
        ),
        (page("x", "else.example"), 1, "no other pages of its site known: the filter dropped nothing"),
        (page("one"), 4, "3 other pages of its site known: the filter dropped nothing"),
    ],
    ids=["no address", "unknown site", "too few pages"],
)
def test_where_little_is_known_nothing_is_dropped_and_the_reason_says_so(harbour, page, least_pages, reason):
    assert kept(harbour, page, least_pages=least_pages) == page.texts
    assert labeling(harbour, page, least_pages=least_pages).reason == reason


@pytest.mark.parametrize("wrong", [{"share": 1.5}, {"least_pages": 0}, {"least_holders": 0}])
def test_wrong_thresholds_are_refused(wrong):
    with pytest.raises(VictorError, match="expected"):
        SiteFilter(**wrong)


# Files


def test_a_file_gives_back_what_was_counted_and_has_a_header_to_read(harbour, tmp_path):
    sites.save(harbour, tmp_path / "site.npz")

    loaded = sites.load(tmp_path / "site.npz")

    assert shares(loaded.with_counts_of(page("one"), "harbour.example")) == shares(
        harbour.with_counts_of(page("one"), "harbour.example")
    )
    with zipfile.ZipFile(tmp_path / "site.npz") as archive:
        assert archive.read("header.yaml").startswith(b"victorpy-sites: 1\npages: 4\nsites: 1\n")


def test_the_same_pages_give_the_same_file(harbour, tmp_path):
    sites.save(harbour, tmp_path / "a.npz")
    sites.save(known(page(name, comments=number) for number, name in enumerate(NAMES)), tmp_path / "b.npz")

    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.parametrize("content", [b"", b"PK", b"text"])
def test_another_file_is_refused(tmp_path, content):
    tmp_path.joinpath("x.npz").write_bytes(content)

    with pytest.raises(VictorError, match=r"x\.npz: not a file of victor learn site"):
        sites.load(tmp_path / "x.npz")


def test_a_zip_of_the_future_is_refused(harbour, tmp_path):
    path = tmp_path / "x.npz"
    sites.save(harbour, path)
    path.write_bytes(path.read_bytes().replace(b"\x14\0", b"\xff\0"))

    with pytest.raises(VictorError, match=r"x\.npz: not a file of victor learn site"):
        sites.load(path)


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '<u2', ",
        b"(" * 200,
        b"{'descr': '<,u1', 'fortran_order': False, 'shape': (0, 8), }",
        b"{'descr': 'O', }",
        b"\0",
    ],
    ids=repr,
)
def test_counts_that_are_no_array_are_refused(tmp_path, header):
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("header.yaml", "victorpy-sites: 1\n")
        archive.writestr("counts.npy", b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header)

    with pytest.raises(VictorError, match=r"x\.npz: not a file of victor learn site"):
        sites.load(tmp_path / "x.npz")


def test_counts_with_another_file_beside_them_are_refused(harbour, tmp_path):
    sites.save(harbour, tmp_path / "x.npz")
    with zipfile.ZipFile(tmp_path / "x.npz", "a") as archive:
        archive.writestr("more.npy", b"")

    with pytest.raises(VictorError, match=r"x\.npz: not a file of victor learn site"):
        sites.load(tmp_path / "x.npz")


def test_a_newer_format_and_counts_of_a_wrong_shape_are_refused(harbour, tmp_path):
    sites.save(replace(harbour, header=replace(harbour.header, victorpy_sites=9)), tmp_path / "newer.npz")
    sites.save(replace(harbour, cells=harbour.cells[:2]), tmp_path / "cut.npz")

    with pytest.raises(VictorError, match="format 9, but"):
        sites.load(tmp_path / "newer.npz")
    with pytest.raises(VictorError, match="another shape"):
        sites.load(tmp_path / "cut.npz")


def test_counts_of_blocks_that_are_cut_otherwise_are_refused(harbour):
    with pytest.raises(UsageError, match="other markup options"):
        harbour.check_cuts_alike(Markup(mode="victor"), "x.npz")


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([RawPage(id="a", path="a", data=html("one").encode())], "no page could be counted"),
        ([RawPage(id="a", path="a", data=html("one").encode(), url="http://a.example/")], "no site has two pages"),
        ([RawPage(id="a", path="a", problem="no such file")], "no page could be counted"),
    ],
    ids=["no address", "one page", "unreadable"],
)
def test_nothing_is_learned_from_too_little(pages, message):
    with pytest.raises(VictorError, match=message):
        sites.learned(pages, SiteCounter(BLOCKS, megabytes=1))
