import json

import pytest

from victorpy.errors import VictorError
from victorpy.sources import find_inputs
from victorpy.sources.addresses import addresses, crawled


def test_a_list_gives_pages_their_addresses_by_file_or_id(tmp_path):
    for name in ["a", "b", "c"]:
        tmp_path.joinpath(f"{name}.html").write_text(f"<p>{name}")
    listed = tmp_path / "list.tsv"
    listed.write_text(f"{tmp_path}/a.html\thttp://x.example/a\nb\thttp://x.example/b\tnews\n\n")

    pages = list(crawled(find_inputs([str(tmp_path)]), addresses(listed)))

    assert [(page.id, page.url) for page in pages] == [
        ("a", "http://x.example/a"),
        ("b", "http://x.example/b"),
        ("c", None),
    ]


def test_a_line_without_an_address_is_named(tmp_path):
    tmp_path.joinpath("list.tsv").write_text("a\thttp://x.example\nb\n")

    with pytest.raises(VictorError, match=r"list\.tsv:2: expected a page, a tab and its address"):
        addresses(tmp_path / "list.tsv")


def test_pages_of_a_table_have_their_own_addresses(tmp_path):
    rows = [{"url": "http://x.example/", "html": "<p>ü"}, {"html": "<p>b"}]
    tmp_path.joinpath("x.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    pages = list(crawled(find_inputs([str(tmp_path / "x.jsonl")]), {"x-2": "http://y.example/"}))

    assert [(page.data.decode(), page.url) for page in pages] == [
        ("<p>ü", "http://x.example/"),
        ("<p>b", "http://y.example/"),
    ]


def test_what_cannot_be_read_comes_in_its_place(tmp_path):
    tmp_path.joinpath("a.jsonl").write_text("")
    tmp_path.joinpath("b.html").write_text("<p>b")

    found = list(crawled(find_inputs([str(tmp_path / "a.jsonl"), str(tmp_path / "b.html")])))

    assert isinstance(found[0], VictorError)
    assert found[1].data == b"<p>b"
