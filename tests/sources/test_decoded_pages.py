import gzip

import pytest

from victorpy.errors import VictorError
from victorpy.sources import Location, RawPage
from victorpy.sources.decoded_pages import decoded_page

PAGE = "<meta charset=latin-1><p>caf\xe9".encode("latin-1")


def test_a_page_is_decoded_and_cut_wherever_it_lies(tmp_path):
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(PAGE))

    of_file = decoded_page(Location(str(file), "page", "https://example.org/"))
    in_memory = decoded_page(RawPage(id="page", path=str(file), data=PAGE, url="https://example.org/"))

    assert of_file == in_memory
    assert of_file.html == "<meta charset=latin-1><p>caf\xe9"
    assert of_file.page().texts == ["caf\xe9"]
    assert of_file.page().url == "https://example.org/"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (RawPage(id="x", path="x.html", data=b"\x89PNG\r\n\x1a\n"), "not a text: binary data"),
        (RawPage(id="x", path="x.html", data=None, problem="no such file"), "no such file"),
    ],
    ids=["binary", "missing"],
)
def test_a_page_without_text_has_a_problem(raw, problem):
    found = decoded_page(raw)

    assert (found.html, found.page(), found.problem) == (None, None, problem)
    with pytest.raises(VictorError, match=f"x.html: {problem}"):
        found.required()


def test_the_charset_that_a_server_names_counts():
    page = decoded_page(RawPage(id="x", path="x", data=b"<p>\xd0\xd2\xc9\xd7\xc5\xd4", charset="koi8-r"))

    assert page.html == "<p>\u043f\u0440\u0438\u0432\u0435\u0442"
