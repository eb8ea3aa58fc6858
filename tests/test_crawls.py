import gzip
import json

import pytest

from victorpy.crawls import addresses, crawled
from victorpy.errors import UsageError, VictorError


def test_a_list_gives_pages_their_addresses_by_file_or_id(tmp_path):
    for name in ["a", "b", "c"]:
        tmp_path.joinpath(f"{name}.html").write_text(f"<p>{name}")
    listed = tmp_path / "list.tsv"
    listed.write_text(f"{tmp_path}/a.html\thttp://x.example/a\nb\thttp://x.example/b\tnews\n\n")

    pages = list(crawled([str(tmp_path)], addresses(listed)))

    assert [(page.id, page.url) for page in pages] == [
        ("a", "http://x.example/a"),
        ("b", "http://x.example/b"),
        ("c", None),
    ]


def test_a_line_without_an_address_is_named(tmp_path):
    tmp_path.joinpath("list.tsv").write_text("a\thttp://x.example\nb\n")

    with pytest.raises(VictorError, match=r"list\.tsv:2: a page, a tab and its address are wanted"):
        addresses(tmp_path / "list.tsv")


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_records_are_read_line_by_line_and_broken_ones_told(tmp_path, pack):
    records = [{"url": "http://x.example/", "html": "<p>ü"}, {"url": "x"}, [1], {"html": "<p>b"}]
    lines = "\n".join([*map(json.dumps, records), "{", ""])
    path = tmp_path / ("x.jsonl" if pack is bytes else "x.jsonl.gz")
    path.write_bytes(pack(lines.encode()))

    pages = list(crawled([str(path)]))

    assert [page.data and page.data.decode() for page in pages] == ["<p>ü", None, None, "<p>b", None]
    assert [page.url for page in pages] == ["http://x.example/", None, None, None, None]
    assert pages[1].problem == 'no text "html" in this record'
    assert pages[4].problem.startswith("no JSON")
    assert pages[4].path == f"{path}:5"


def test_a_missing_file_is_told_before_any_page_is_read(tmp_path):
    with pytest.raises(UsageError, match="no such file"):
        next(crawled([str(tmp_path / "x.jsonl")]))


def test_a_file_cut_off_is_named(tmp_path):
    tmp_path.joinpath("x.jsonl.gz").write_bytes(gzip.compress(b'{"html": "a"}\n' * 50)[:30])

    with pytest.raises(VictorError, match=r"x\.jsonl\.gz: cannot be read"):
        list(crawled([str(tmp_path / "x.jsonl.gz")]))
