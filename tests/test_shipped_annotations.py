import logging
import re
from pathlib import Path

import pytest

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.models import config
from victorpy.page.encoding import decode
from victorpy.page.passages import passages

ROOT = Path(__file__).parent.parent
ANNOTATIONS = sorted((ROOT / "annotations").glob("*.anno"))
EXAMPLES = sorted((ROOT / "examples").iterdir())
MARKUP = config.load("cleaneval").markup
ROW = re.compile(r"^\| ([\w-]+) \| ([A-Z]\w+) \| [^|]+ \| ([\d,]+) \| (\d+) \|$", re.M)
README = {name: row for name, *row in ROW.findall((ROOT / "annotations" / "README.md").read_text("utf-8"))}
CODES = {
    "Arabic": "ar",
    "Chinese": "zh",
    "Czech": "cs",
    "English": "en",
    "German": "de",
    "Japanese": "ja",
    "Russian": "ru",
}

each_annotation = pytest.mark.parametrize("path", ANNOTATIONS, ids=lambda path: path.stem)


def test_there_are_pages_enough_to_train_on():
    assert len(ANNOTATIONS) >= 24


@each_annotation
def test_every_block_is_labeled(path):
    assert None not in read(path).labels


@each_annotation
def test_a_page_is_the_one_that_was_annotated(path, caplog):
    with caplog.at_level(logging.WARNING, "victorpy"):
        annotation = read(path)

    assert not caplog.records
    assert annotation.id == path.stem
    assert annotation.url


@each_annotation
def test_blocks_are_those_that_the_segmenter_cuts_today(path):
    annotation = read(path)

    page, labels, changes = labeled_page(annotation, MARKUP)

    assert changes.is_none, changes
    assert tuple(page.texts) == annotation.texts
    assert tuple(labels) == annotation.labels
    assert annotation.mode == MARKUP.mode


@each_annotation
def test_pictures_are_no_content(path):
    page, labels, *_ = labeled_page(read(path), MARKUP)

    assert not [
        block.text
        for block, label in zip(page.blocks, labels, strict=True)
        if block.containers[-1] == "img" and label.is_content
    ]


@each_annotation
def test_nothing_continues_across_a_paragraph(path):
    page, labels, *_ = labeled_page(read(path), MARKUP)
    borders = {"/p", "p", "h1", "h2", "h3", "h4", "li", "table", "tr", "td"}

    assert not [
        page.texts[number]
        for passage in passages(page, labels)
        for number in passage.blocks[1:]
        if borders & set(page.distance(number))
    ]


def test_the_readme_lists_every_page_with_its_blocks():
    counts = {path.stem: read(path).labels for path in ANNOTATIONS}

    assert {name: (row[1], row[2]) for name, row in README.items()} == {
        name: (str(len(labels)), str(sum(label.is_content for label in labels))) for name, labels in counts.items()
    }


def test_the_readme_names_the_languages_of_the_pages():
    assert {language for language, *_ in README.values()} == set(CODES)


@each_annotation
def test_a_page_declares_the_language_that_the_readme_names(path):
    declared = re.search(r"<html[^>]* lang=[\"']?([a-z]+)", read(path).html, re.I)

    assert declared is None or declared[1] == CODES[README[path.stem][0]]


def test_examples_are_pages_only():
    assert EXAMPLES
    assert {path.suffix for path in EXAMPLES} == {".html"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_decode_without_loss(path):
    decoded = decode(path.read_bytes())

    assert decoded.replaced == 0
    assert "\N{REPLACEMENT CHARACTER}" not in decoded.text


def test_one_example_is_not_in_unicode():
    assert decode((ROOT / "examples" / "product-cs.html").read_bytes()).encoding == "windows-1250"
