"""What `victor clean` imports: most of the time of cleaning one page is the time of imports."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import victorpy

pytestmark = pytest.mark.process

PROGRAM = """
import sys
from victorpy.cli.main import main
status = main(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""

# Each takes milliseconds, and the shipped model cleans a page without it.
HEAVY = ("numpy", "lxml", "yaml", "tqdm", "urllib3", "json", "html", "difflib", "prompt_toolkit", "victorpy.annotation")


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """The modules that are imported by the end of `victor clean page.html`."""
    page = tmp_path_factory.mktemp("startup") / "page.html"
    page.write_text("<p>The ferry leaves at seven, long before the island is awake.")
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    command = [sys.executable, "-P", "-c", PROGRAM, "clean", str(page)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "The ferry leaves" in ran.stdout
    return set(ran.stderr.split())


def test_cleaning_a_page_imports_nothing_heavy(imported):
    assert not imported & {*HEAVY}


def test_cleaning_a_page_imports_few_modules_of_our_own(imported):
    assert len([name for name in imported if name.startswith("victorpy")]) <= 84


def test_cleaning_a_page_imports_few_modules(imported):
    # Measured: 219 with Python 3.11. Other versions, and the `.pth` files of an environment, have some more.
    assert len(imported) <= 240
