"""A small torture run; `python benchmarks/torture.py` is the large one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import victorpy

pytestmark = [pytest.mark.process, pytest.mark.slow]

TORTURE = Path(__file__).parents[1] / "benchmarks" / "torture.py"
KINDS = ("gzip bomb", "cut off gzip", "binary", "NUL bytes", "200,000 header lines")
HOOKS = ("segfault", "leave", "raise", "eat", "stop", "backtrack")


@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux only")
def test_a_run_that_is_killed_again_and_again_ends_like_one_in_peace(model):
    pytest.importorskip("fastwarc")
    size = ("--records", 120, "--hostile", 11, "--large", 0, "--archived", 0, "--part-pages", 12)
    limits = ("-j", 3, "--timeout", 2, "--max-memory", 200)
    kills = ("--child-kills", 3, "--parent-kills", 2, "--pause", 0.1)
    words = (*size, *limits, *kills, "-m", model, "--kinds", *KINDS, *(f"hook: {hook}" for hook in HOOKS))

    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    ran = subprocess.run(
        [sys.executable, TORTURE, *map(str, words)], env=environment, capture_output=True, text=True, check=False
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "killed: 3 child, 1 parent, 1 writing parent" in ran.stdout
