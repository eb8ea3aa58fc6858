"""Every path and every name of the package that README, CONTRIBUTING and docs mention exists."""

import re
from importlib import import_module
from itertools import pairwise

import pytest
from doc_pages import PAGES, ROOT
from markdown_it import MarkdownIt

TEXTS = {page: page.read_text("utf-8") for page in [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]}
FOLDERS = (
    "victorpy|tests|docs|benchmarks|core|configs|templates|models|language-models|labeler-models|annotations|examples"
)
PATH = re.compile(rf"(?<![\w/.:-])(?:(?:{FOLDERS})/|\.ci/|\.github/)[\w./*-]*[\w*/]")
NAME = re.compile(r"(?<![\w/.-])victorpy(?:\.\w+)+")

# Files of the reader, and those that the examples of CONTRIBUTING add.
READERS = {
    "configs/bad.yaml",
    "configs/long.yaml",
    "configs/mine.yaml",
    "configs/tuned.yaml",
    "language-models/NAME",
    "models/NAME",
    "models/NAME/model.yaml",
    "models/d4/weights.npz",
    "models/d5/model.yaml",
    "models/harbour",
    "models/mine",
    "models/old",
    "templates/bad.tpl",
    "templates/long.tpl",
    "victorpy/cli/commands/count.py",
    "victorpy/features/size.py",
    "victorpy/labelers/within.py",
    "victorpy/output/formats/tsv.py",
}


def missing_paths(text):
    """The paths that are neither there nor the reader's."""
    return {path for path in map(plain, PATH.findall(text)) if path not in READERS and not any(ROOT.glob(path))}


def plain(path):
    return path.rstrip("/")


def is_there(name):
    """Is this a module, or something in one?"""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        return has(found, parts[count:])
    return False


def has(found, names):
    for name in names:
        if not hasattr(found, name):
            return False
        found = getattr(found, name)
    return True


def test_every_path_exists():
    assert not {page.name: paths for page, text in TEXTS.items() if (paths := missing_paths(text))}


def test_every_path_of_the_reader_is_mentioned_and_not_there():
    mentioned = {plain(path) for text in TEXTS.values() for path in PATH.findall(text)}

    assert mentioned >= READERS
    assert not [path for path in READERS if (ROOT / path).exists()]


def test_every_name_of_the_package_exists():
    assert not {
        page.name: names
        for page, text in TEXTS.items()
        if (names := {name for name in NAME.findall(text) if not is_there(name)})
    }


def tokens(page, kind):
    """The tokens of a kind, in blocks and in lines, each with the one behind it."""
    flat = [each for token in MarkdownIt().parse(TEXTS[page]) for each in (token, *(token.children or ()))]
    return [pair for pair in pairwise(flat) if pair[0].type == kind]


def links(page):
    """The links to files of ours and to headings: each a path and an anchor, one of which may be empty."""
    targets = [str(link.attrs["href"]) for link, _ in tokens(page, "link_open")]
    return [target.partition("#")[::2] for target in targets if not target.startswith(("https:", "http:", "mailto:"))]


def anchors(page):
    """The anchors of the headings of a page, as GitHub makes them."""
    headings = [inline.content for _, inline in tokens(page, "heading_open")]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_broken(page, path, anchor):
    target = (page.parent / path).resolve() if path else page
    return not target.exists() or (target in TEXTS and anchor and anchor not in anchors(target))


@pytest.mark.slow
def test_every_link_leads_somewhere():
    assert not [(page.name, *link) for page in TEXTS for link in links(page) if is_broken(page, *link)]
