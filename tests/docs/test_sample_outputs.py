"""The samples of output in docs/experiments.md are what the program prints today.

To write them anew: `REGENERATE=1 pytest tests/docs/test_sample_outputs.py`.
"""

import os
import re

import pytest
from doc_pages import ROOT

PAGE = ROOT / "docs" / "experiments.md"
SAMPLE = re.compile(r"(?<=\n)    \$ (victor xval .*)\n((?:    .*\n|\n(?=    ))*)")
NUMBER = re.compile(r"(?<= )\d+\.\d\d(?!\S)")
VARIES = re.compile(rf"{NUMBER.pattern}|sha256:\w+")


def samples():
    return [match.groups() for match in SAMPLE.finditer(PAGE.read_text("utf-8"))]


def shown(out, sample):
    """The output with digests, versions and facts shortened as in the sample."""
    lines = re.sub(r"(sha256:\w{8})\w+", r"\1…", re.sub(r"(versions: victorpy [\d.]+, ).*", r"\1…", out)).splitlines()
    if sample.lstrip().startswith("…"):
        lines = ["…", *lines[lines.index("") + 1 :]]
    return "".join(f"    {line}".rstrip() + "\n" for line in lines)


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("number", range(2))
def test_the_samples_of_experiments_are_what_is_printed(number, victor, monkeypatch):
    monkeypatch.chdir(ROOT)
    command, sample = samples()[number]

    now = shown(victor(*command.split()[1:], "-j", 1).out, sample)

    if os.environ.get("REGENERATE"):
        PAGE.write_text(PAGE.read_text("utf-8").replace(sample, now), "utf-8")
        return
    # Digests change with every option and page.
    assert VARIES.sub("#", now).split() == VARIES.sub("#", sample).split()
    # Learning adds up numbers in another order on some machines.
    before, after = ([float(number) for number in NUMBER.findall(text)] for text in (sample, now))
    assert after == pytest.approx(before, abs=0.3)
