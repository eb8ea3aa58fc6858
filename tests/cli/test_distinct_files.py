"""What a command writes is none of its inputs, and no two of its options write the same file."""

from argparse import Namespace

import pytest

from victorpy.cli.distinct_files import check_distinct

PAGE = "<title>Quay</title><p>The ferry leaves at seven, long before the island is awake.</p>"


@pytest.fixture
def page(folder):
    (folder / "page.html").write_text(PAGE)
    return folder / "page.html"


@pytest.mark.parametrize(
    "words",
    [
        "clean page.html -o out.txt --summary page.html",
        "clean *.html -o out.txt --quarantine link.html",
        "clean --from-file page.html -o out.txt --summary page.html",
        "metadata page.html -o page.html",
        "report page.html -o page.html",
        "run page.html -o run --quarantine page.html",
        "retry page.html -o page.html",
    ],
)
def test_no_option_writes_over_an_input(victor, folder, page, words):
    (folder / "link.html").symlink_to(page)

    ran = victor(*words.split())

    assert ran.status == 2
    assert "this input would be overwritten: name another --" in ran.err
    assert page.read_text() == PAGE


def test_no_two_options_write_the_same_file(victor, folder, page):
    ran = victor(*["clean", "page.html", "-o", "out.jsonl", "--summary", "./out.jsonl"])

    assert ran.status == 2
    assert "./out.jsonl: --output and --summary would write the same file: name two" in ran.err
    assert not (folder / "out.jsonl").exists()


def test_several_options_may_write_to_a_device():
    check_distinct(Namespace(output="/dev/null", summary="/dev/null"))
