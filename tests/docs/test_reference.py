"""The pages of docs/reference are those that the code makes now."""

import runpy
import tomllib

import pytest
from doc_pages import ROOT


@pytest.mark.slow
def test_the_reference_is_not_stale():
    made = runpy.run_path(str(ROOT / "docs/scripts/make_reference.py"))["pages"]()

    there = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/reference").glob("*.md")}

    stale = [name for name in {*made, *there} if made.get(name) != there.get(name)]
    assert not stale, "run: python docs/scripts/make_reference.py"


def test_the_page_on_installing_names_every_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    page = (ROOT / "docs/install.md").read_text("utf-8")

    assert not [name for name in extras if name not in {"dev", "docs"} and f"`{name}`" not in page]


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]

    assert not [page for page in pages if f" {page}\n" not in navigation], "add it to nav in mkdocs.yml"
