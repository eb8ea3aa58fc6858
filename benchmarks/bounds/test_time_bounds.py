"""Bounds on the time that long, strange input may take: `pytest benchmarks/bounds`.

All bounds count the CPU time of this process. A step whose time grows with the square of its input breaks them by far.
"""

import gzip
import re
import time
from contextlib import contextmanager, suppress
from functools import cache
from random import Random

import pytest

from victorpy.annotation.alignment import project
from victorpy.annotation.gold_texts import GOLD_FORMATS, Segment, likely_format
from victorpy.annotation.text_scores import PERFECT, words
from victorpy.errors import VictorError
from victorpy.features.language.sentences import sentences
from victorpy.labelers.registry import LABELERS
from victorpy.models.config import load
from victorpy.output.formats import FORMATS
from victorpy.page.encoding import decode
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import labeler
from victorpy.sources.archive_records import DamageError, IncompleteError, records

BLOCKS = Markup(mode="block")


@contextmanager
def seconds(most):
    """Fail where the code inside takes more CPU time than this."""
    begun = time.process_time()
    yield
    assert time.process_time() - begun < most


# Bytes become text

UNITS = [b"<meta ", b'<meta a="', b"<!--", b"<?xml ", b"<", b"\xe9", b"\x1b$", b"\xe4\xb8"]


@pytest.mark.parametrize("unit", UNITS)
def test_two_megabytes_of_one_unit_are_decoded_in_time(unit):
    data = unit * (2_000_000 // len(unit)) + b"\xe9"

    with seconds(3):
        decode(data, "euc-jp")


# Archives

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>The ferry leaves at seven."
RECORD = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://harbour.example/1\r\n"
    + b"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\n"
    + b"Content-Length: %d\r\n\r\n" % len(RESPONSE)
    + RESPONSE
    + b"\r\n\r\n"
)
BLANKS = RECORD.replace(b"WARC-Date: ", b"WARC-Target-URI: a" + b" " * 500_000 + b"b\r\nWARC-Date: ")


def read_records(path):
    for record in records(str(path)):
        if not isinstance(record, DamageError):
            with suppress(IncompleteError):
                b"".join(record.pieces())


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("crawl.warc", RECORD.replace(b"harbour", b"a" + b" " * 60_000 + b"b", 1)),
        ("crawl.warc.gz", gzip.compress(BLANKS) + gzip.compress(RECORD)),
    ],
    ids=["in an address", "before another record"],
)
def test_many_blanks_in_a_record_header_are_read_in_time(tmp_path, name, data):
    path = tmp_path / name
    path.write_bytes(data)

    with seconds(1):
        read_records(path)


# Features

UNITS_OF_TEXT = ["a", "1", "a@", "@a.", "a.", "1 ", "1. ", "1/", "://", "www.", "Jan ", "1:", "1 de ", "@" + "a-" * 40]


@pytest.mark.parametrize("unit", UNITS_OF_TEXT)
def test_the_regular_expressions_of_the_configs_read_odd_text_in_time(unit):
    text = unit * (100_000 // len(unit))
    expressions = [each for group in load("cleaneval").regexp.values() for each in group]

    with seconds(2):
        for expression in expressions:
            list(re.finditer(expression, text))


def test_a_pattern_of_features_that_is_a_hundred_thousand_brackets_is_refused_in_time(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(f"include: web\nwithout: ['{'[' * 100_000}']\n")

    with seconds(2), pytest.raises(VictorError, match="matches no feature") as refusal:
        load(path)
    assert len(str(refusal.value)) < 2_000


def test_a_row_of_dots_is_cut_into_sentences_in_time():
    with seconds(1):
        sentences("." * 100_000 + "x")


# Labelers

PAGE = (
    "<ul><li><a href=/>Home</a></ul><h1>The ferry</h1><p>It leaves <b>at seven</b>, in any weather."
    "<ul><li>bring bread</ul><p>Nobody waits.<footer>Imprint</footer>"
)
HUGE_PAGES = {
    "deep": "<div>some text" * 20_000,
    "wide": "<div>some text</div>" * 20_000,
    "links": "<a href=/>so</a> " * 40_000,
    "times": "<article><h2>Ferry</h2>" + "<time>" * 8_000 + "some text",
    "dates": "<article><h2>Ferry</h2>" + "<b class=date>" * 8_000 + "some text",
    "a day": "<div class=date>" + "<b>some text</b> " * 6_000 + "</div>" + "<p class=post>some text" * 3_000,
}


@pytest.mark.parametrize("name", LABELERS)
@pytest.mark.parametrize("html", HUGE_PAGES.values(), ids=HUGE_PAGES)
def test_a_labeler_labels_a_huge_page_in_time(name, html):
    made = LABELERS[name]()
    made.labeling(segment(PAGE, markup=BLOCKS))  # Makes what a labeler makes at first use.
    page = segment(html, markup=BLOCKS)

    with seconds(1):
        made.labeling(page)


# Gold texts

OPENING_MARKS = ["*", "[", "`", "_a ", "**a ", "![", "![a](", "[a](b ", "<a ", "<http://", "<!-- ", "\n"]


@pytest.mark.parametrize("mark", OPENING_MARKS)
@pytest.mark.parametrize("read", GOLD_FORMATS.values(), ids=GOLD_FORMATS)
def test_marks_that_never_close_are_read_in_time(mark, read):
    text = mark * (65_536 // len(mark))

    with seconds(1):
        read(text)
        likely_format(text)


@pytest.mark.parametrize(
    ("begin", "sign", "end"),
    [("", "~", "`"), ("# a", " ", "b"), ("a|\n", " ", "x|"), ("a|\n-", " ", "x|")],
    ids=["fence", "heading", "table", "border"],
)
def test_long_lines_that_nearly_are_marks_are_read_in_time(begin, sign, end):
    with seconds(1):
        GOLD_FORMATS["markdown"](f"{begin}{sign * 50_000}{end}")


def paragraphs(count, length, seed):
    random = Random(seed)
    return [" ".join(f"w{int(2000 * random.random() ** 3)}" for _ in range(length)) for _ in range(count)]


@pytest.mark.parametrize(
    ("on_page", "in_gold"),
    [
        pytest.param(["reply"] * 3_000, ["reply"] * 3_000, id="the same word"),
        pytest.param(paragraphs(20, 10, 1) * 50, paragraphs(20, 10, 1) * 50, id="repeated paragraphs"),
        pytest.param(paragraphs(2_000, 10, 1), paragraphs(2_000, 10, 1)[::-1], id="backwards"),
        pytest.param(paragraphs(2_000, 10, 1), paragraphs(2_000, 10, 2), id="another text"),
        pytest.param(paragraphs(1, 10_000, 1), paragraphs(1, 10_000, 2), id="another text in one block"),
        pytest.param(["|"] * 3_000 + ["end"], ["end"], id="no words"),
        pytest.param(["up down " * 12_000], ["up down " * 16_000], id="two words in turn"),
    ],
)
def test_long_and_strange_pages_are_aligned_in_time(on_page, in_gold):
    page = segment("<p>".join(on_page))

    with seconds(5):
        project(page, [Segment(None, text) for text in in_gold])


def test_empty_lines_are_scored_in_time():
    with seconds(1):
        assert words("\n" * 100_000 + "one", "one") == PERFECT


# Formats

HUGE_TEXTS = {
    "deep lists": "<ul><li>a" * 11_000,
    "lines": "<pre>" + "a\n" * 50_000,
    "posts": "<p class=post>x" * 7_000,
}


@cache
def cleaned_blog(html):
    return labeler("blog").clean(html)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("html", HUGE_TEXTS.values(), ids=HUGE_TEXTS)
def test_a_huge_page_is_formatted_in_time(name, html):
    cleaned = cleaned_blog(html)

    with seconds(2):
        FORMATS[name](cleaned)
