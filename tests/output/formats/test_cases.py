"""Whole pages: tests/cases/NAME.case holds the page, the label of each block, and what comes out."""

import re
from pathlib import Path

import pytest

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

CASES = sorted((Path(__file__).parents[2] / "cases").glob("*.case"))


def sections(path: Path) -> dict[str, str]:
    """What stands under each line `=== name`."""
    parts = re.split(r"^=== (\w+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_page_comes_out_as_expected(path):
    expected = sections(path)
    page = segment(expected.pop("page"), path.stem)
    blocks = [line.split("\t") for line in expected.pop("blocks").splitlines()]

    assert page.texts == [text for _, text in blocks]
    cleaned = Cleaned(page, [Label(label) for label, _ in blocks])
    assert {name: FORMATS[name](cleaned) for name in expected} == expected
