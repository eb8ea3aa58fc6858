"""Pages out of JSON Lines and Parquet, and lists of paths."""

import gzip
import json
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path

import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.sources import SOURCES, Location, PageColumns, find_inputs, jsonl_files

ROWS = [
    {"html": f"<p>Boat {number}, naïve", "url": f"https://x.example/{number}", "id": f"b{number}"}
    for number in range(3)
]


def packed_as(name, data):
    if name.endswith(".gz"):
        return gzip.compress(data)
    return pytest.importorskip("zstandard").compress(data) if name.endswith(".zst") else data


def write(path, rows):
    if path.suffix == ".parquet":
        arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        parquet.write_table(arrow.Table.from_pylist(rows), path)
    else:
        path.write_bytes(packed_as(path.name, "".join(json.dumps(row) + "\n" for row in rows).encode()))
    return str(path)


def read(path, columns=PageColumns()):  # noqa: B008
    items = list(SOURCES["parquet" if path.endswith(".parquet") else "jsonl"].read(path, columns))
    return [item for item in items if not isinstance(item, VictorError)], [
        str(item) for item in items if isinstance(item, VictorError)
    ]


NAMES = ["t.jsonl", "t.jsonl.gz", "t.ndjson.zst", "t.parquet"]


@pytest.mark.parametrize("name", NAMES)
def test_a_row_is_a_page(tmp_path, name):
    pages, damages = read(write(tmp_path / name, ROWS))

    assert damages == []
    assert [(page.id, page.url, page.data, page.charset) for page in pages] == [
        (row["id"], row["url"], row["html"].encode(), "utf-8") for row in ROWS
    ]


def test_zstandard_frames_to_skip_hold_no_rows(tmp_path):
    path = tmp_path / "t.jsonl.zst"
    path.write_bytes(b"\x50\x2a\x4d\x18\3\0\0\0abc" + Path(write(path, ROWS)).read_bytes())

    pages, damages = read(str(path))

    assert ([page.id for page in pages], damages) == (["b0", "b1", "b2"], [])


@pytest.mark.parametrize("name", NAMES)
def test_columns_may_have_other_names(tmp_path, name):
    path = write(tmp_path / name, [{"body": "<p>x", "where": "https://x.example/", "n": 7}])

    (page,), _ = read(path, PageColumns("body", "where", "n"))

    assert (page.id, page.url, page.data) == ("7", "https://x.example/", b"<p>x")


@pytest.mark.parametrize("name", NAMES)
def test_without_a_column_for_it_the_id_is_that_of_the_row(tmp_path, name):
    pages, _ = read(write(tmp_path / name, [{"html": "<p>x"}] * 2))

    assert [(page.id, page.url) for page in pages] == [("t-1", None), ("t-2", None)]


@pytest.mark.parametrize("columns", [PageColumns("text"), PageColumns(url="text"), PageColumns(id="text")])
def test_an_error_names_the_missing_column_and_the_existing_ones(tmp_path, columns):
    pages, (damage,) = read(write(tmp_path / "t.parquet", ROWS), columns)

    assert (pages, damage) == ([], f"{tmp_path / 't.parquet'}: no column 'text'; there are html, url, id")


def test_a_line_without_a_page_gives_a_page_with_a_problem(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"html": "<p>x"}\n{"html": \n[1]\n\n{"text": "x"}\n{"html": 7}\n{"html": "<p>y"}')

    pages, damages = read(str(path))

    assert damages == []
    assert [page.data for page in pages] == [b"<p>x", None, None, None, None, b"<p>y"]
    assert [page.problem.partition(":")[0] for page in pages[1:5]] == [
        "not JSON",
        "not a JSON object",
        "no column 'html'; there are text",
        "the column 'html' contains no text",
    ]
    assert pages[3].path == f"{path}:5"


def test_a_column_that_no_line_has_is_one_error(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"text": "x"}\n' * 5000)

    pages, damages = read(str(path))

    assert pages == []
    assert damages == [f"{path}: no column 'html'; there are text: name the right one with --html-column and the like"]


def test_a_few_lines_without_the_column_before_pages_are_pages_with_a_problem(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text('{"about": "x"}\n' * 3 + '{"html": "<p>x"}\n')

    pages, damages = read(str(path))

    assert ([page.data for page in pages], damages) == ([None, None, None, b"<p>x"], [])


@pytest.mark.parametrize("name", NAMES)
def test_a_table_that_is_cut_off_gives_an_error(tmp_path, name):
    path = tmp_path / name
    write(path, ROWS)
    path.write_bytes(path.read_bytes()[:-20])

    pages, damages = read(str(path))

    assert [f"{path}: " in damage for damage in damages] == [True] * len(damages)
    assert damages or pages[-1].problem.startswith("not JSON")


@pytest.fixture
def write_columns(tmp_path):
    """A Parquet file of these columns."""
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

    def write(columns):
        parquet.write_table(
            arrow.table(list(columns.values()), [name.strip() for name in columns]), tmp_path / "t.parquet"
        )
        return str(tmp_path / "t.parquet")

    return arrow, write


def test_text_in_parquet_that_is_not_utf_8_stays_bytes(write_columns):
    arrow, write = write_columns
    places = arrow.array([0, 2, 4], arrow.int32()).buffers()[1]
    texts = arrow.StringArray.from_buffers(2, places, arrow.py_buffer(b"a\xffbb"))

    pages, damages = read(write({"html": texts, "id": texts}))

    assert damages == []
    assert [(page.id, page.data) for page in pages] == [("a\N{REPLACEMENT CHARACTER}", b"a\xff"), ("bb", b"bb")]


@pytest.mark.parametrize(
    ("kind", "value", "id"),
    [
        ("timestamp ms", 253402300800000, "10000-01-01 00:00:00.000"),
        ("timestamp ns", 253402300800000001, "1978-01-11 21:31:40.800000001"),
        ("timestamp us +99:00", 0, "1970-01-01 00:00:00.000000"),
        ("date32", 2932897, "10000-01-01"),
        ("date32", 1 << 30, "<value out of range: 1073741824>"),
        ("duration ns", 1, "t-1"),
    ],
)
def test_an_id_may_be_what_python_has_no_value_for(write_columns, kind, value, id):
    arrow, write = write_columns
    name, *details = kind.split()
    ids = arrow.array([value], getattr(arrow, name)(*details))

    (page,), damages = read(write({"html": ["<p>x"], "id": ids}))

    assert (page.id, page.data, damages) == (id, b"<p>x", [])


@pytest.mark.parametrize("values", [[["<p>x"]], [{"html": "<p>x"}], [[{"a": 1 << 62}]]], ids=str)
def test_a_list_is_not_a_page(write_columns, values):
    (page,), damages = read(write_columns[1]({"html": values}))

    assert (page.problem, damages) == ("the column 'html' contains no text", [])


def test_a_column_whose_name_is_not_utf_8_is_damage(write_columns, tmp_path):
    path = write_columns[1]({"html": ["<p>x"]})
    tmp_path.joinpath("t.parquet").write_bytes(tmp_path.joinpath("t.parquet").read_bytes().replace(b"html", b"ht\xe3l"))

    pages, (damage,) = read(path)

    assert pages == []
    assert "not a whole Parquet file ('utf-8' codec can't decode byte 0xe3" in damage


def test_two_columns_with_the_same_name_are_refused(write_columns):
    pages, (damage,) = read(write_columns[1]({"html": ["<p>x"], "html ": ["<p>y"]}))

    assert (pages, damage.endswith("t.parquet: several columns are named 'html'")) == ([], True)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_says_so(tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    tmp_path.joinpath(name).touch()

    pages, (damage,) = read(str(tmp_path / name))

    assert pages == []
    assert name in damage


def test_a_line_that_is_too_long_is_one_page_that_is_too_large(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl_files, "_REST", 100)
    table = tmp_path / "t.jsonl"
    lines = [json.dumps({"html": text}) + "\n" for text in ("<p>one", "<p>two " * 1_000, "<p>three")]
    table.write_text("".join(lines))

    pages = list(jsonl_files.read(str(table), max_bytes=50))

    assert [(page.id, page.data, page.is_too_large) for page in pages] == [
        ("t-1", b"<p>one", False),
        ("t-2", None, True),
        ("t-3", b"<p>three", False),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_that_is_too_large_has_its_address_and_no_data(tmp_path, name):
    rows = [{"html": "<p>" + "ü" * 60, "url": "https://x.example/", "id": "a"}, ROWS[1]]
    path = write(tmp_path / name, rows)

    large, page = SOURCES["parquet" if name.endswith("parquet") else "jsonl"].read(path, max_bytes=100)

    assert (large.id, large.url, large.data, large.is_too_large) == ("a", "https://x.example/", None, True)
    assert large.problem == "larger than 100 bytes"
    assert page.data == ROWS[1]["html"].encode()


def test_an_address_larger_than_a_page_may_be_is_left_where_it_is(tmp_path):
    path = write(
        tmp_path / "t.parquet", [{"html": "<p>x", "url": "https://x.example/" + "y" * 200, "id": "a"}, ROWS[1]]
    )

    large, page = SOURCES["parquet"].read(path, max_bytes=100)

    assert (large.id, large.url, large.data, large.is_too_large) == ("a", None, None, True)
    assert page.data == ROWS[1]["html"].encode()


def test_a_line_of_more_values_than_memory_holds_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(jsonl_files, "_MOST_VALUES", 1_000)
    table = tmp_path / "t.jsonl"
    table.write_text('{"html": "<p>x", "more": [' + "[]," * 1_000 + '1]}\n{"html": "<p>y"}\n')

    assert [(page.data, page.is_too_large) for page in jsonl_files.read(str(table))] == [(None, True), (b"<p>y", False)]


def peak_of(path):
    tracemalloc.start()
    try:
        pages = [replace(page, data=None) for page in SOURCES["jsonl"].read(str(path), max_bytes=10_000)]
        return pages, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_line_that_unpacks_without_end_takes_little_memory(tmp_path):
    zstandard = pytest.importorskip("zstandard")
    table = tmp_path / "t.jsonl.zst"
    table.write_bytes(zstandard.compress(b'{"html": "' + bytes(150_000_000) + b'"}\n{"html": "<p>y"}\n'))

    pages, peak = peak_of(table)

    assert [page.is_too_large for page in pages] == [True, False]
    assert peak < 90_000_000


def threads():
    return {thread.name: (thread / "comm").read_text().strip() for thread in Path("/proc/self/task").iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_who_reads_parquet_has_no_threads_that_would_be_in_the_way_of_a_fork(tmp_path):
    path = write(tmp_path / "t.parquet", ROWS * 3)
    before = threads()

    for _ in SOURCES["parquet"].read(path):
        pass

    # That of the allocator stops before a fork by itself.
    assert {name for thread, name in threads().items() if thread not in before} <= {"jemalloc_bg_thd"}


@pytest.mark.slow
def test_cells_of_a_dictionary_take_no_more_memory_for_being_many(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"html": ["<p>" + "x" * 3_000_000] * 64}), tmp_path / "t.parquet")
    before = arrow.default_memory_pool().max_memory()

    pages = sum(len(page.data) for page in SOURCES["parquet"].read(str(tmp_path / "t.parquet")))

    assert pages == 64 * 3_000_003
    assert arrow.default_memory_pool().max_memory() - before < 100_000_000


def test_a_list_names_pages_and_their_addresses(folder):
    folder.joinpath("list.txt").write_text("a/x.html\thttps://x.example/\n\n./gone.html\nt.jsonl\n")
    write(folder / "t.jsonl", ROWS[:1])

    *locations, page = find_inputs([], ["list.txt"]).pages()

    assert locations == [Location("a/x.html", "a/x", "https://x.example/"), Location("./gone.html", "./gone")]
    assert page.id == "b0"


def test_a_line_too_long_for_a_path_does_not_fill_the_memory(folder):
    folder.joinpath("list.txt").write_bytes(b"a.html\n" + b"x" * 200_000 + b"\nb.html")

    first, error, last = find_inputs([], ["list.txt"]).pages()

    assert (first.path, last.path) == ("a.html", "b.html")
    assert str(error).startswith("list.txt:2: not a path, because it is longer than 65,536 bytes")


def test_a_list_separated_by_nuls_is_refused(folder):
    folder.joinpath("list.txt").write_bytes(b"a.html\nb.jsonl\0c.warc\0\n")

    page, trouble = find_inputs([], ["list.txt"]).pages()

    assert page == Location("a.html", "a")
    assert str(trouble).startswith("list.txt:2: not a path, because it contains a NUL")


def test_a_missing_list_is_refused_at_once(folder):
    with pytest.raises(UsageError, match=r"list\.txt: no such file"):
        find_inputs([], ["list.txt"])


def test_a_pattern_stands_for_its_files_in_order(folder):
    for name in ("b.html", "a.html", "c.txt"):
        folder.joinpath(name).touch()

    assert [part.path for part in find_inputs(["*.html"]).parts] == ["a.html", "b.html"]
    with pytest.raises(UsageError, match="no such file"):
        find_inputs(["*.warc"])
