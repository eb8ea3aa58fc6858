import numpy as np
import pytest
from conftest import article

from victorpy.evaluation.suggesting import (
    AnnotatedProfile,
    Candidate,
    candidate,
    candidates,
    distances,
    open_pages,
    profile,
    ranked,
    site,
    table,
    uncertainty,
)
from victorpy.models import model_folder
from victorpy.page.segment import segment

A, B, C = np.eye(3, dtype=np.float32)


@pytest.fixture(scope="module")
def small(model):
    return model_folder.load(str(model))


def page_of(id, host="", profile=A, uncertainty=0.5):
    return Candidate(id, host, profile, 1, uncertainty, "")


def order(pages, known=()):
    return [suggested.candidate.id for suggested in ranked(pages, known)]


def unsure(*blocks):
    """Of blocks of so many characters, each with the probability that it is content."""
    chances, lengths = map(np.array, zip(*blocks, strict=True))
    return uncertainty(chances, chances >= 0.5, lengths)


def test_a_page_is_uncertain_as_far_as_what_is_kept_may_be_wrong_or_not_be_all():
    sure = unsure((1.0, 5_000), (0.0, 3_000))
    doubted, missed = unsure((0.6, 5_000), (0.0, 3_000)), unsure((1.0, 5_000), (0.4, 3_000))

    assert sure == 0
    assert 0.05 < missed < doubted < 0.4


def test_doubts_about_a_few_words_do_not_make_a_page_uncertain():
    assert unsure((1.0, 5_000), (0.5, 20), (0.4, 20)) < 0.01


def test_neither_length_nor_brevity_nor_a_lack_of_content_makes_a_page_uncertain():
    tiny, page, long = (unsure(*[(0.5, 100)] * count) for count in (1, 50, 5_000))

    assert tiny < 0.1
    assert page == pytest.approx(long, rel=0.15)
    assert unsure(*[(0.01, 100)] * 50) < 0.1


def test_profiles_of_pages_alike_are_near(small):
    def of(html):
        page = segment(html, "")
        return profile(small.columns.codes(page), page.lengths, small.columns)

    one, same, other = of("<p>one two three."), of("<p>four five six."), of("<h1><a>Menu</a></h1>")
    assert one.sum() == pytest.approx(1)
    assert distances(np.stack([one, same, other]), one)[:2] == pytest.approx([0, 0], abs=0.05)
    assert 0.1 < distances(other[None], one)[0] <= 1


def test_the_least_certain_page_comes_first():
    assert order([page_of("a", uncertainty=0.2), page_of("b", uncertainty=0.4)]) == ["b", "a"]


def test_pages_unlike_those_annotated_come_first():
    assert order([page_of("a", profile=A), page_of("b", profile=B)], [AnnotatedProfile("", A)]) == ["b", "a"]


def test_a_new_site_comes_before_a_known_one():
    pages = [page_of("a", "known.example", B, 0.6), page_of("b", "new.example", B, 0.5)]

    assert order(pages, [AnnotatedProfile("known.example", A)]) == ["b", "a"]


def test_the_next_ones_are_not_all_of_the_same_site():
    pages = [page_of(f"a{number}", "big.example", A, 0.9) for number in range(3)]
    pages += [page_of("b", "b.example", B, 0.5), page_of("c", "c.example", C, 0.4)]

    assert order(pages)[:3] == ["a0", "b", "c"]


def test_pages_of_no_known_site_are_not_of_one_site():
    found = [
        next(ranked([page_of("a", host, B)], [AnnotatedProfile("", A)] * 50)).novelty for host in ("", "x.example")
    ]

    assert found[0] == found[1] == 1


def test_every_page_is_suggested_once():
    pages = [page_of(f"{number}", uncertainty=0.0) for number in range(5)]

    assert order(pages) == list("01234")
    assert order([]) == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<link rel="canonical" href="https://www.harbour.example/a">', "harbour.example"),
        ("<meta content=http://harbour.example/a property='og:url'>", "harbour.example"),
        ('<base href="https://harbour.example/">', "harbour.example"),
        ('<text id="http://harbour.example/b">', "harbour.example"),
        ('<link rel="canonical" href="/a">', "folder"),
        ('<a href="https://other.example">', "folder"),
        ('<base href="https://[">', "folder"),
        ("", "folder"),
    ],
)
def test_a_page_tells_its_site(html, expected):
    assert site(segment(html + "<p>one", "folder/page"), html) == expected


def test_a_page_without_an_address_has_no_site():
    assert site(segment("<p>one", "page"), "<p>one") == ""


@pytest.mark.process
def test_candidates_are_what_the_model_says_of_pages(small, site_folder, caplog):
    found = list(candidates(open_pages(str(site_folder), []), small, jobs=2))

    assert [page.id for page in found] == ["part-0", "part-1"]
    assert all(page.blocks == 10 and 0 < page.uncertainty < 1 for page in found)
    page = segment((site_folder / "part-1.html").read_text(), "part-1", markup=small.config.markup)
    assert found[1].uncertainty == candidate(small, page, "").uncertainty
    assert "empty.html: left out: no text in the page" in caplog.text
    assert "noise.html: left out: not a text: binary data" in caplog.text


@pytest.fixture
def site_folder(tmp_path):
    for number in range(2):
        tmp_path.joinpath(f"part-{number}.html").write_text(article(number)[0])
    tmp_path.joinpath("empty.html").touch()
    tmp_path.joinpath("noise.html").write_bytes(bytes(range(256)) * 20)
    return tmp_path


def test_the_table_has_a_row_for_each_page():
    found = table(ranked([page_of("a", "x.example", B, 0.4)], [AnnotatedProfile("x.example", A)]))

    assert found.reset_index().to_numpy().tolist() == [["a", "x.example", 1, 0.4, 0.5, 0.2, ""]]
