import pytest

from victorpy.annotation.page_sites import named_site
from victorpy.page.segment import segment


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
    assert named_site(segment(html + "<p>one", "folder/page"), html) == expected


def test_a_page_without_an_address_has_no_site():
    assert named_site(segment("<p>one", "page"), "<p>one") == ""
