"""The five changes that CONTRIBUTING shows are made in a copy of the package, and work."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doc_pages import ROOT, blocks

import victorpy

pytestmark = pytest.mark.process

PAGE = '<html><head><meta name="generator" content="Harbour 2"></head><body><article><p>She leaves at seven.</article>'

# For the first words of each block of code: its file, and the line of the file that it stands behind or replaces.
NEW_FILES = {
    '"""The length': "victorpy/features/size.py",
    '"""Everything inside': "victorpy/labelers/within.py",
    '"""A passage a line': "victorpy/output/formats/tsv.py",
    '"""victor count': "victorpy/cli/commands/count.py",
}
ADDED = {
    "    generator: str": ("victorpy/page/metadata.py", "    language: str | None = None\n"),
    '    "char.count"': ("victorpy/features/__init__.py", "FEATURES: dict[str, Feature] = {\n"),
    '        "within"': ("victorpy/labelers/registry.py", "VOTERS: LazyTable[Untrained] = LazyTable(\n    {\n"),
    '    "tsv"': ("victorpy/output/formats/__init__.py", "TABLE: Mapping[str, FormatRow] = {\n"),
    '        "count"': ("victorpy/cli/command_table.py", '    "Measure": {\n'),
}
REPLACED = {
    "    metadata = Metadata(": (
        "victorpy/page/blocks.py",
        "    return Page(id, Metadata(url=url or core.url or None, html_title=core.title), markup, core)\n",
    ),
}
# The imports, which the text asks for in words.
IN_WORDS = [
    ("victorpy/features/__init__.py", "    site_shares,\n", "    site_shares,\n    size,\n"),
]


def examples():
    return [block.code + "\n" for block in blocks(ROOT / "CONTRIBUTING.md") if block.language == "python"]


def change(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name} has {text.count(old)} times {old!r}"
    path.write_text(text.replace(old, new), "utf-8")


def make(folder, code):
    """Make the change that a block of code shows."""
    if found := [name for begin, name in NEW_FILES.items() if code.startswith(begin)]:
        folder.joinpath(found[0]).write_text(code, "utf-8")
    elif places := [place for begin, place in ADDED.items() if code.startswith(begin)]:
        change(folder / places[0][0], places[0][1], places[0][1] + code)
    else:
        [(name, line)] = [place for begin, place in REPLACED.items() if code.startswith(begin)]
        change(folder / name, line, code)


@pytest.fixture(scope="module")
def changed(tmp_path_factory):
    """A copy of the package with all changes, and pages."""
    folder = tmp_path_factory.mktemp("changed")
    shutil.copytree(Path(victorpy.__file__).parent, folder / "victorpy", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("examples", "annotations", "configs", "templates", "models"):
        shutil.copytree(ROOT / name, folder / name)
    for code in examples():
        make(folder, code)
    for name, old, new in IN_WORDS:
        change(folder / name, old, new)
    folder.joinpath("page.html").write_text(PAGE)
    return folder


def ran(folder, *words):
    command = [sys.executable, "-m", "victorpy", *words]
    return subprocess.run(
        command, cwd=folder, env=os.environ | {"PYTHONPATH": str(folder)}, capture_output=True, text=True, check=True
    ).stdout


def test_the_metadata_field_is_printed(changed):
    assert '"generator":"Harbour 2"' in ran(changed, "clean", "-f", "jsonl", "page.html")
    assert 'generator="Harbour 2"' in ran(changed, "clean", "-f", "doc", "page.html")


def test_the_feature_is_shown(changed):
    assert "char.count" in ran(changed, "features", "page.html", "--only", "char.count")


def test_the_labeler_cleans(changed):
    assert ran(changed, "clean", "--labeler", "within", "-f", "text", "page.html") == "She leaves at seven.\n"


def test_the_format_is_printed(changed):
    assert (
        ran(changed, "clean", "--labeler", "everything", "-f", "tsv", "page.html") == "page\tp\tShe leaves at seven.\n"
    )


def test_the_command_runs(changed):
    assert "faq 91" in ran(changed, "count", "annotations/")
