"""Read what other cleaners print for the data sets, with their time and memory, from a script that runs them all.

The script is called as `PEERS.py HTML OUTPUT --tools A,B [--limit N]`; it writes OUTPUT/TOOL/ID.txt and prints a line
for each tool, its name and a JSON object with `mean_ms` and `median_ms`.
"""

import json
import logging
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

log = logging.getLogger("victorpy")

PEERS = ("trafilatura", "justext", "readability", "resiliparse", "boilerpy3")
FLOOR, OURS = "lxml-parse", "web"
TOOLS = {FLOOR: FLOOR, "victorpy:web": OURS, **dict(zip(PEERS, PEERS, strict=True))}

TIMED_PAGES, HELD_PAGES = 250, 100
# The fastest of several runs says most of a tool, and least of what else the machine had to do.
RUNS = 3

# A process tells itself what it held: its parent would be told of the parent's own memory, if that was more.
RUN_AND_TELL = """
import runpy, sys
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
print(open("/proc/self/status").read())
"""


def clean(script: Path, html: Path, output: Path) -> None:
    """Makes the texts of the peers that are not there yet."""
    pages = {path.stem for path in html.glob("*.html")}
    missing = [tool for tool in PEERS if not pages <= {path.stem for path in (output / tool).glob("*.txt")}]
    if missing:
        log.info("%s: %s", html.parent.name, ", ".join(missing))
        _run([str(script), str(html), str(output), "--tools", ",".join(missing)])


def costs(script: Path, html: Path) -> dict[str, dict[str, float]]:
    """Of each tool the mean and median milliseconds of a page, and the most megabytes that it held."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [_times(script, html, folder) for _ in range(RUNS)]
        best = {tool: min((run[tool] for run in runs), key=lambda times: times["mean_ms"]) for tool in TOOLS}
        return {
            name: {
                "mean_ms": best[tool]["mean_ms"],
                "median_ms": best[tool]["median_ms"],
                "peak_mb": _peak_mb(script, html, folder, tool),
            }
            for tool, name in TOOLS.items()
        }


def _times(script: Path, html: Path, output: str) -> dict[str, Any]:
    command = [str(script), str(html), output, "--tools", ",".join(TOOLS), "--limit", str(TIMED_PAGES)]
    return dict(_reports(_run(command).splitlines()))


def _reports(lines: Iterable[str]) -> Iterable[tuple[str, Any]]:
    for line in lines:
        tool, _, report = line.partition(" ")
        if tool in TOOLS:
            yield tool, json.loads(report)


def _peak_mb(script: Path, html: Path, output: str, tool: str) -> float:
    words = [str(script), str(html), output, "--tools", tool, "--limit", str(HELD_PAGES)]
    told = _run(["-c", RUN_AND_TELL, *words])
    return int(told.rpartition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def _run(words: Sequence[str]) -> str:
    # What a peer complains of is its own affair.
    run = subprocess.run(
        [sys.executable, *words], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    return run.stdout
