"""The written pages of annotations/written, and how their marks are read."""

import importlib.util
import sys
from pathlib import Path

import pytest

from victorpy.errors import VictorError
from victorpy.models import config
from victorpy.page.blocks import Label

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
MARKUP = config.load("web").markup


@pytest.fixture(scope="module")
def written_pages():
    sys.path.insert(0, str(BENCHMARKS))
    spec = importlib.util.spec_from_file_location("written_pages", BENCHMARKS / "written_pages.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]
    sys.path.remove(str(BENCHMARKS))


@pytest.fixture
def read(written_pages, tmp_path):
    def of(html):
        path = tmp_path / "page-en.html"
        path.write_text(html, "utf-8")
        return written_pages.read(path, MARKUP)

    return of


def letters(labels):
    return "".join("o" if label is Label.OTHER else label.value for label in labels)


def test_the_innermost_mark_decides(read):
    page = read('<div k="p:PC"><p>One<p k="">Advert<ul k="l:P"><li>Two</ul></div><p>Menu')

    assert (letters(page.labels("P")), letters(page.labels("C")), letters(page.labels("A"))) == ("polo", "pooo", "oooo")


def test_lines_of_a_marked_paragraph_are_continuations(read):
    page = read('<p k="p:A">One<br>two<p k="p:A">Three')

    assert letters(page.labels("A")) == "pcp"


def test_scopes_with_the_same_labels_share_a_page(read):
    page = read('<h1 k="h:PCAD">One</h1><p k="p:CD">A comment')

    assert {letters(page.labels): page.scopes for page in page.annotated()} == {
        "ho": ("page", "article", "auto"),
        "hp": ("corpus", "discussion"),
    }


def test_a_page_is_read_without_its_marks(read):
    assert 'k="' not in read('<p k="p:P">One').page.core.source


def test_a_wrong_mark_names_file_and_mark(read):
    with pytest.raises(VictorError, match=r'page-en.html: k="x:P": expected a kind and scopes'):
        read('<p k="x:P">One')


def test_all_written_pages_can_be_learned_from(written_pages):
    pages = list(written_pages.written_pages(MARKUP))

    assert len(pages) > 100
    assert all(any(mark == "" for mark in page.marks) for page in pages), "every page has noise"
    scopes = {scope for page in pages for view in page.annotated() for scope in view.scopes}
    assert scopes == {"auto", "page", "corpus", "article", "discussion"}
