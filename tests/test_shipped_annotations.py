import logging
import re
from functools import cache
from pathlib import Path

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


@cache
def shipped():
    """For each file its annotation, and the page, labels and changes that the segmenter makes of it."""
    return {path: (annotation := read(path), *labeled_page(annotation, MARKUP)) for path in ANNOTATIONS}


def test_there_are_pages_enough_to_train_on():
    assert len(ANNOTATIONS) >= 24


def test_every_block_is_labeled():
    assert not [path.stem for path, (annotation, *_) in shipped().items() if None in annotation.labels]


def test_pages_are_read_without_a_warning(caplog):
    with caplog.at_level(logging.WARNING, "victorpy"):
        for path in ANNOTATIONS:
            read(path)

    assert not caplog.records


def test_pages_are_named_like_their_files_and_have_addresses():
    assert not [path.stem for path, (page, *_) in shipped().items() if page.id != path.stem or not page.url]


def test_blocks_are_those_that_the_segmenter_cuts_today():
    changed = {path.stem: changes for path, (*_, changes) in shipped().items() if not changes.is_none}
    others = [
        path.stem
        for path, (annotation, page, labels, _) in shipped().items()
        if (tuple(page.texts), tuple(labels), MARKUP.mode) != (annotation.texts, annotation.labels, annotation.mode)
    ]

    assert (changed, others) == ({}, [])


def test_pictures_are_no_content():
    assert not [
        (path.stem, block.text)
        for path, (_, page, labels, _) in shipped().items()
        for block, label in zip(page.blocks, labels, strict=True)
        if block.containers[-1] == "img" and label.is_content
    ]


def test_nothing_continues_across_a_paragraph():
    borders = {"/p", "p", "h1", "h2", "h3", "h4", "li", "table", "tr", "td"}

    assert not [
        (path.stem, page.texts[number])
        for path, (_, page, labels, _) in shipped().items()
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


def test_pages_declare_the_languages_that_the_readme_names():
    pages = {path.stem: re.search(r"<html[^>]* lang=[\"']?([a-z]+)", read(path).html, re.I) for path in ANNOTATIONS}
    declared = {name: found[1] for name, found in pages.items() if found}

    assert len(declared) >= 20
    assert declared == {name: CODES[README[name][0]] for name in declared}


def test_examples_are_pages_only():
    assert EXAMPLES
    assert {path.suffix for path in EXAMPLES} == {".html"}


def test_examples_decode_without_loss():
    decoded = {path.name: decode(path.read_bytes()) for path in EXAMPLES}

    assert not [name for name, page in decoded.items() if page.replaced or "\N{REPLACEMENT CHARACTER}" in page.text]


def test_one_example_is_not_in_unicode():
    assert decode((ROOT / "examples" / "product-cs.html").read_bytes()).encoding == "windows-1250"
