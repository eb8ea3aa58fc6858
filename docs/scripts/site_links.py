"""What mkdocs asks while it builds the site: pages from outside docs/, and anchors and links as on GitHub."""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
# Pages of the repository that the site shows as well, and where.
OUTSIDE = {
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "annotations/README.md": "project/annotations.md",
    "annotations/written/README.md": "project/annotations-by-scope.md",
}
# README is GitHub's first page; the site has its own.
MOVED = {**OUTSIDE, "README.md": "index.md"}
SOURCES = {place: source for source, place in OUTSIDE.items()}
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.mdx_configs.setdefault("toc", {})["slugify"] = anchor
    return config


def anchor(heading: str, separator: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    for source, place in OUTSIDE.items():
        files.append(File.generated(config, place, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    del config, files
    place = page.file.src_uri
    if page.parent is None:
        # A single page has no neighbours to list beside it.
        page.meta["hide"] = ["navigation"]
    return LINK.sub(lambda link: _link_on_site(link, place), markdown)


def _link_on_site(link: re.Match[str], place: str) -> str:
    """The same link from a page of the site; only its text if the file is not on the site."""
    text, path, heading = link.groups(default="")
    source = SOURCES.get(place, f"docs/{place}")
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
    if not (ROOT / target).exists():
        return link[0]
    on_site = target.removeprefix("docs/") if target.startswith("docs/") else MOVED.get(target)
    return f"[{text}]({posixpath.relpath(on_site, posixpath.dirname(place) or '.')}{heading})" if on_site else text
