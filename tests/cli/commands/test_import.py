import pytest

from victorpy.annotation.anno_files import read

GOLD = """URL: https://harbour.example/7
<h> Letters from the harbour, part 7
<p> We counted the boats in the harbour and lost our way among the numbers. It was cold and nobody minded.
<p> In the evening a thin rain came over the hills, and the children went in. She wrote the letter twice, because the
first one said too much.
<l> a lantern and some oil.
<l> bread for two days.
"""
LABELS = ["other", "other", "h", "p", "c", "c", "p", "l", "l", "other"]


@pytest.fixture
def gold(folder, page):
    folder.joinpath("page.txt").write_text(GOLD)
    return "page.txt"


@pytest.fixture
def folders(folder, page, gold):
    """Two folders, of two pages and their clean texts; one text says more than the page."""
    for name in ("html", "gold"):
        folder.joinpath(name, "old").mkdir(parents=True)
    source = folder.joinpath(page).read_text()
    folder.joinpath("html/one.html").write_text(source)
    folder.joinpath("html/old/two.html").write_text(source)
    folder.joinpath("gold/one.txt").write_text(GOLD)
    folder.joinpath("gold/old/two.txt").write_text(GOLD + "<p> And what no page ever said stands here, too.\n")
    return "html", "gold"


def annotations_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def test_a_page_and_its_clean_text_give_an_annotation(victor, folder, page, gold):
    ran = victor("import", page, gold, "-o", "out/page.anno", "-c", "cleaneval")

    annotation = read("out/page.anno")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "page  F1 100.00  precision 100.00  recall 100.00",
        "1 pages, 1 written: F1 100.00  precision 100.00  recall 100.00",
    ]
    assert list(annotation.labels) == LABELS
    assert (annotation.id, annotation.url, annotation.title) == ("page", "https://harbour.example/7", "Part 7")
    assert annotation.annotator == "import"


def test_pages_are_cut_as_the_default_model_cuts_them(victor, page, gold):
    victor("import", page, gold, "-o", "page.anno")

    assert read("page.anno").mode == "line"


def test_what_is_imported_is_printed_again(victor, page, gold):
    victor("import", page, gold, "-o", "page.anno")

    assert victor("convert", "page.anno").out.split() == GOLD.split()


@pytest.mark.process
def test_folders_are_imported_by_name_and_missing_gold_is_told(victor, folder, folders):
    ran = victor("import", *folders, "-o", "out")

    assert ran.status == 0
    assert annotations_in(folder / "out") == ["old/two.anno", "one.anno"]
    assert "one  F1 100.00" in ran.out
    assert "    in no block: And what no page ever said stands here, too" in ran.out
    assert "2 pages, 2 written: F1 9" in ran.out


@pytest.mark.process
def test_pages_that_score_too_little_are_left_out(victor, folder, folders):
    ran = victor("import", *folders, "-o", "out", "--least-score", "99")

    assert annotations_in(folder / "out") == ["one.anno"]
    assert next(line for line in ran.out.splitlines() if line.startswith("old/two")).endswith("left out")
    assert "2 pages, 1 written" in ran.out


@pytest.mark.process
def test_several_processes_import_what_one_does(victor, folder, folders):
    one, two = (victor("import", *folders, "-o", f"out-{jobs}", "-j", jobs) for jobs in (1, 2))

    # On a slow machine the progress is shown, too.
    assert (two.status, two.out) == (one.status, one.out)
    assert all(
        folder.joinpath("out-1", name).read_bytes() == folder.joinpath("out-2", name).read_bytes()
        for name in annotations_in(folder / "out-1")
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "page.md",
            "# Letters from the harbour, part 7\n\nWe counted the boats in the harbour.\n\n- bread for two days.\n",
        ),
        ("page.txt", "<h> Letters from the harbour, part 7\n<p> We counted the boats\n<l> bread for two days.\n"),
        ("page.txt", "Letters from the harbour, part 7\nWe counted the boats in the harbour\nbread for two days.\n"),
    ],
    ids=["markdown", "cleaneval", "plain"],
)
def test_the_format_of_the_clean_text_is_guessed(victor, folder, name, text):
    folder.joinpath("page.html").write_text(
        "<h1>Letters from the harbour, part 7</h1>"
        "<p>We counted the boats in the harbour."
        "<ul><li>bread for two days.</ul>"
    )
    folder.joinpath(name).write_text(text)

    victor("import", "page.html", name, "-o", "page.anno")

    assert list(read("page.anno").labels) == ["h", "p", "l"]


def test_the_config_says_how_blocks_are_cut(victor, folder, page, gold):
    folder.joinpath("blocks.yaml").write_text("include: cleaneval\nmarkup: {mode: block}\n")

    victor("import", page, gold, "-o", "page.anno", "-c", "./blocks.yaml", "--annotator", "me")

    annotation = read("page.anno")
    assert (annotation.mode, annotation.annotator) == ("block", "me")
    assert list(annotation.labels) == ["other", "other", "h", "p", "p", "l", "l", "other"]


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_page_that_cannot_be_read_is_told_and_the_others_imported(victor, folder, folders, jobs):
    for name, data in {"binary": b"\x89PNG\r\n\x1a\n", "torn": b"\x1f\x8bnonsense"}.items():
        folder.joinpath("html", f"{name}.html").write_bytes(data)
        folder.joinpath("gold", f"{name}.txt").write_text(GOLD)
    folder.joinpath("html/latin.html").write_text("<p>x")
    folder.joinpath("gold/latin.txt").write_bytes(b"caf\xe9")

    ran = victor("import", *folders, "-o", "out", "-j", jobs)

    assert ran.status == 0
    assert "binary: not a text: binary data" in ran.err
    assert "torn: damaged gzip" in ran.err
    assert "latin.txt: is not UTF-8: byte 3 is 0xe9" in ran.err
    assert annotations_in(folder / "out") == ["old/two.anno", "one.anno"]


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_output_that_cannot_be_written_is_told(victor, folder, folders, jobs):
    folder.joinpath("file").touch()

    ran = victor("import", *folders, "-o", "file", "-j", jobs)

    assert ran.status == 1
    assert "file is a file, not a folder" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.process
def test_a_single_annotation_that_cannot_be_written_is_a_failure(victor, folder, folders):
    folder.joinpath("out", "one.anno", "in the way").mkdir(parents=True)

    ran = victor("import", *folders, "-o", "out")

    assert ran.status == 1
    assert "one.anno: cannot be written" in ran.err
    assert "old/two.anno" in annotations_in(folder / "out")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gone.html", "page.txt", "-o", "x.anno"), "gone.html: no such file or folder"),
        (("page.html", "gone.txt", "-o", "x.anno"), "gone.txt: no such file or folder"),
        (("html", "page.txt", "-o", "x"), "page.txt: expected a folder of gold texts"),
        (("html", "gold", "-o", "x.anno"), "x.anno: one .anno file for 2 pages: name a folder"),
        (("html", "none", "-o", "x"), "none: no gold text for 2 of 2 pages, such as old/two"),
        (("page.html", "page.txt"), "the following arguments are required: -o/--output"),
        (("page.html", "page.txt", "-o", "x", "-c", "nope"), "no config 'nope'"),
        (("page.html", "page.txt", "-o", "x", "--gold-format", "pdf"), "got 'pdf'"),
        (("page.html", "page.txt", "-o", "x", "--least-score", "high"), "expected a number, got 'high'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_wrong_usage_is_told_before_anything_is_written(victor, folder, folders, words, message):
    folder.joinpath("none").mkdir()
    before = annotations_in(folder)

    ran = victor("import", *words)

    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert annotations_in(folder) == before
