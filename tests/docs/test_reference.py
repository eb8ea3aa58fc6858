"""The pages of docs/reference are those that the code makes now."""

import runpy

import pytest
from doc_pages import ROOT


@pytest.mark.slow
def test_the_reference_is_not_stale():
    made = runpy.run_path(str(ROOT / "docs/scripts/make_reference.py"))["pages"]()

    there = {path.name: path.read_text("utf-8") for path in (ROOT / "docs/reference").glob("*.md")}

    stale = [name for name in {*made, *there} if made.get(name) != there.get(name)]
    assert not stale, "run: python docs/scripts/make_reference.py"
