import gzip
import io
import os
import sys

import pytest

from victorpy.errors import UsageError
from victorpy.sources import Location, RawPage, find_pages, read_page

PAGE = b"<p>some text that is worth reading</p>\n" * 2_000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder, *names, data=b"<p>x"):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def ids(*inputs):
    return [location.id for location in find_pages(inputs)]


def test_a_folder_gives_its_pages_and_those_of_its_folders_in_order(folder):
    write(folder, "site/b.html", "site/a.HTM", "site/sub/c.xhtml", "site/sub/d.html.gz", "site/e.Html.GZ")
    write(folder, "site/style.css", "site/notes.txt", "site/data.gz")

    assert ids("site") == ["a", "b", "e", "sub/c", "sub/d"]


def test_a_file_is_taken_whatever_its_name(folder):
    write(folder, "page.php", "x.html", "noending", ".html")

    assert ids("page.php", "x.html", "noending", ".html") == ["page.php", "x", "noending", ".html"]


def test_locations_are_relative_to_the_current_folder(folder):
    write(folder, "site/sub/a.html")

    assert find_pages(["site/"]) == [Location(os.path.join("site/", "sub", "a.html"), "sub/a")]


def test_inputs_come_in_the_order_in_which_they_are_named(folder):
    write(folder, "z.html", "a.html", "m/b.html")

    assert ids("z.html", "m", "-", "a.html") == ["z", "b", "stdin", "a"]


def test_inputs_that_are_not_there_are_all_named_before_anything_is_read(folder):
    write(folder, "here.html")

    with pytest.raises(UsageError, match=r"gone\.html, nowhere: no such file or folder"):
        find_pages(["here.html", "gone.html", "nowhere"])


def test_a_folder_without_pages_is_a_mistake_of_the_user(folder):
    write(folder, "texts/a.txt")

    with pytest.raises(UsageError, match=r"texts: no pages in this folder"):
        find_pages(["texts"])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a/x.html", "b/x.html"], ["x", "x-2"]),
        (["f/x.htm", "f/x.html", "f/x.html.gz"], ["x", "x-2", "x-3"]),
        (["a/x.html", "b/x.html", "c/x-2.html"], ["x", "x-3", "x-2"]),
        (["a/x.html", "b/X.html"], ["x", "X-2"]),
        (["stdin.html", "-"], ["stdin", "stdin-2"]),
    ],
    ids=["two folders", "endings", "number taken", "case", "stdin"],
)
def test_no_two_pages_have_one_id(folder, names, expected):
    write(folder, *(name for name in names if name != "-"))

    assert ids(*names) == expected


def test_pages_of_two_folders_are_kept_apart(folder):
    write(folder, "one/sub/x.html", "two/sub/x.html")

    assert ids("one", "two") == ["sub/x", "sub/x-2"]


def test_a_page_named_twice_is_one_page(folder):
    write(folder, "site/x.html")

    assert ids("site/x.html", "site", "./site/x.html", "-", "-") == ["x", "stdin"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_in_a_folder_are_left_alone_and_dead_links_reported(folder):
    write(folder, "site/a.html")
    os.mkfifo("site/pipe.html")
    os.symlink("nowhere", "site/dead.html")

    pages = [read_page(location) for location in find_pages(["site"])]

    assert [(page.id, page.problem) for page in pages] == [("a", ""), ("dead", "no such file")]


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_ids_can_be_printed_even_if_names_are_not_utf_8(folder):
    write(folder, "site/a.html")
    os.rename(b"site/a.html", b"site/caf\xe9.html")

    (location,) = find_pages(["site"])

    assert location.id == "caf\ufffd"
    assert read_page(location).data == b"<p>x"


def test_a_page_is_read_as_it_is(folder):
    write(folder, "x.html", data=PAGE)

    assert read_page(Location("x.html", "x")) == RawPage(id="x", path="x.html", data=PAGE)


def test_an_empty_page_has_data_and_no_problem(folder):
    write(folder, "x.html", data=b"")

    assert read_page(Location("x.html", "x")) == RawPage(id="x", path="x.html", data=b"")


@pytest.mark.parametrize("name", ["x.html.gz", "x.html"])
def test_gzip_is_known_by_its_content_not_by_its_name(folder, name):
    write(folder, name, data=gzip.compress(PAGE))

    assert read_page(Location(name, "x")).data == PAGE


def test_a_plain_page_may_be_named_gz(folder):
    write(folder, "x.html.gz", data=PAGE)

    assert read_page(Location("x.html.gz", "x")).data == PAGE


def test_gzip_in_several_parts_is_joined_and_padding_ignored(folder):
    write(folder, "x.gz", data=gzip.compress(PAGE) + gzip.compress(b"end") + b"\0" * 500)

    assert read_page(Location("x.gz", "x")) == RawPage(id="x", path="x.gz", data=PAGE + b"end")


def test_of_a_gzip_that_is_cut_off_the_beginning_is_kept(folder):
    packed = gzip.compress(os.urandom(20_000).hex().encode() + PAGE)
    write(folder, "x.gz", data=packed[: len(packed) // 2])

    page = read_page(Location("x.gz", "x"))

    assert page.problem == "gzip is cut off: only a part could be unpacked"
    assert page.data is not None
    assert 10_000 < len(page.data) < 40_000


def test_of_a_damaged_gzip_the_beginning_is_kept(folder):
    packed = bytearray(gzip.compress(os.urandom(20_000).hex().encode()))
    packed[-6] ^= 0xFF
    write(folder, "x.gz", data=bytes(packed))

    page = read_page(Location("x.gz", "x"))

    assert page.problem == "damaged gzip: only a part could be unpacked"
    assert page.data is not None
    assert len(page.data) > 30_000


def test_what_only_looks_like_gzip_is_a_problem(folder):
    write(folder, "x.gz", data=b"\x1f\x8bnonsense")

    assert read_page(Location("x.gz", "x")) == RawPage(
        id="x", path="x.gz", problem="damaged gzip: only a part could be unpacked"
    )


@pytest.mark.parametrize("data", [b"x" * 20_000, gzip.compress(b"x" * 5_000_000)], ids=["plain", "bomb"])
def test_a_page_beyond_the_limit_is_not_taken(folder, data):
    write(folder, "x.html", data=data)

    page = read_page(Location("x.html", "x"), max_bytes=10_000)

    assert (page.data, page.problem) == (None, "larger than 10,000 bytes")


@pytest.mark.parametrize("data", [PAGE, gzip.compress(PAGE)], ids=["plain", "gzip"])
def test_a_page_of_just_the_limit_is_taken(folder, data):
    write(folder, "x.html", data=data)

    assert read_page(Location("x.html", "x"), max_bytes=len(PAGE)).data == PAGE


def test_a_page_that_is_gone_or_became_a_folder_is_a_problem_of_its_own(folder):
    (folder / "x.html").mkdir()

    assert read_page(Location("gone.html", "gone")).problem == "no such file"
    assert read_page(Location("x.html", "x")).problem == "a folder, not a page"


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_file_can_have_is_a_problem_of_its_own(name):
    assert read_page(Location(name, "x")).problem == "no such file: no file can have this name"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_a_page_that_may_not_be_read_says_so(folder):
    write(folder, "x.html")
    os.chmod("x.html", 0)

    assert read_page(Location("x.html", "x")) == RawPage(id="x", path="x.html", problem="no permission to read it")


def test_standard_input_is_a_page_too(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(PAGE))))

    assert read_page(find_pages(["-"])[0]) == RawPage(id="stdin", path="-", data=PAGE)
