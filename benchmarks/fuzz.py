"""Feeds victorpy what it should survive, and keeps what it does not.

python benchmarks/fuzz.py TARGET [--seconds N] [--seed S] [--keep FOLDER] [--again FILE…]

Led by coverage where Atheris is installed (`pip install atheris`), by chance elsewhere. Seconds are those of the
processor. Prints a line of JSON; ends with status 1 if anything was found. `--again` runs the given inputs alone.
"""

import argparse
import importlib
import json
import logging
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any


def _atheris() -> Any:
    try:
        return importlib.import_module("atheris")
    except ImportError:
        return None


def main() -> int:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    atheris = _atheris()
    # Whatever is imported in here counts what it runs through.
    with atheris.instrument_imports(include=["victorpy"]) if atheris else nullcontext():
        from fuzzing import engines, targets  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=targets.TARGETS)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"), help="folder of what is found (fuzzed)")
    parser.add_argument("--by-chance", action="store_true", help="without Atheris, even where it is")
    parser.add_argument("--again", type=Path, nargs="+", default=[], metavar="FILE", help="inputs to run alone")
    options = parser.parse_args()
    logging.disable()
    session = engines.Session(options.target, targets.TARGETS[options.target], options.keep, options.seconds)

    def finish() -> None:
        targets.clear()
        figures = {"target": options.target, "engine": "atheris" if led else "chance", "seed": options.seed}
        figures |= {"seconds": round(session.spent, 1), "executions": session.executions, "found": len(session.found)}
        print(json.dumps(figures), flush=True)

    led = atheris and not options.by_chance and not options.again
    for path in options.again:
        session.run(path.read_bytes())
    if led:
        engines.by_coverage(atheris, session, options.seed, finish)
    if not options.again:
        engines.by_chance(session, options.seed)
    finish()
    return 1 if session.found else 0


if __name__ == "__main__":
    sys.exit(main())
