"""What every format promises."""

import pickle
import re
from functools import cache

import pytest

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS, STREAMED
from victorpy.page.blocks import Label
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import labeler

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

PAGE = "<title>T</title><h1>Rain &amp; snow</h1><p>wet<ul><li>drop</ul><pre>a\n  b</pre>"
LABELS = [H, P, L, P, C]

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\\\\u00[01]")
AWKWARD = "<p>a\x01b\x0bc\x85d\x9fe&#xFFFE;f\u2028g<pre>h\x0ci\x1cj\u2029k\rl\x85m</pre>"

FORMATS_BUT_ANNO = sorted(FORMATS.keys() - {"anno"})


def written(name: str, html: str, labels: list[Label], **known) -> str:
    return FORMATS[name](Cleaned(segment(html, "x", **known), labels))


def test_every_format_has_an_extension():
    assert EXTENSIONS.keys() == FORMATS.keys()
    assert FORMATS.keys() >= STREAMED


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_page_is_written_the_same(name):
    assert written(name, PAGE, LABELS) == written(name, PAGE, LABELS)


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_page_can_be_written(name):
    assert isinstance(written(name, "", []), str)


@pytest.mark.parametrize("name", FORMATS)
def test_a_page_without_content_can_be_written(name):
    assert isinstance(written(name, PAGE, [OTHER] * 5), str)


@pytest.mark.parametrize("name", FORMATS_BUT_ANNO)
def test_whatever_is_written_ends_its_line(name):
    assert written(name, PAGE, LABELS).endswith("\n")


@pytest.mark.parametrize("name", FORMATS)
def test_every_passage_is_written(name):
    text = written(name, PAGE, LABELS)

    assert all(word in text for word in ("Rain", "snow", "wet", "drop"))


# An annotation holds the page as it is.
@pytest.mark.parametrize("name", FORMATS_BUT_ANNO)
def test_no_character_comes_out_that_xml_forbids_or_that_breaks_lines(name):
    page = segment(AWKWARD, "i\x02d", url="https://x.example/\x03\u2028\ud800")
    text = FORMATS[name](Cleaned(page, [P] * len(page), reason="\x04"))

    assert not FORBIDDEN.search(text)


@pytest.mark.parametrize("name", FORMATS)
def test_formats_go_to_worker_processes(name):
    assert pickle.loads(pickle.dumps(FORMATS[name])) == FORMATS[name]


@pytest.mark.parametrize("name", sorted(STREAMED - BUNDLED - {"text"}))
def test_streamed_formats_write_as_many_lines_for_two_pages_as_for_each(name):
    once = written(name, PAGE, LABELS)

    assert (once + once).splitlines() == once.splitlines() * 2


HUGE = {
    "deep lists": "<ul><li>a" * 11_000,
    "lines": "<pre>" + "a\n" * 50_000,
    "posts": "<p class=post>x" * 7_000,
}


@cache
def of_blog(html):
    return labeler("blog").clean(html)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("html", HUGE.values(), ids=HUGE)
def test_the_text_of_a_huge_page_grows_with_the_page(name, html):
    assert len(FORMATS[name](of_blog(html))) < 100 * len(html)
