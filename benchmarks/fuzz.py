"""Fuzz victorpy, and keep the inputs that break it.

python benchmarks/fuzz.py TARGET… [--seconds N] [--seed S] [--keep FOLDER] [--corpus FOLDER] [--again FILE…]

Led by coverage where Atheris is installed (`pip install atheris`), by chance elsewhere. Seconds are those of the
processor. Prints a line of JSON for each target; ends with status 1 if anything was found. `--again` runs the given
inputs alone.
"""

import argparse
import importlib
import json
import logging
import os
import sys
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from tally import tally


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
        from fuzzing import engines, reading, targets  # noqa: PLC0415

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "targets", nargs="+", choices=["all", *targets.TARGETS], metavar="TARGET", help=", ".join(targets.TARGETS)
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"), help="folder of what is found (fuzzed)")
    parser.add_argument("--corpus", type=Path, help="folder of inputs that reach far, to go on from and to add to")
    parser.add_argument("--by-chance", action="store_true", help="without Atheris, even where it is")
    parser.add_argument("--again", type=Path, nargs="+", default=[], metavar="FILE", help="inputs to run alone")
    options = parser.parse_args()
    logging.disable()

    def fuzz(name: str) -> int:
        session = engines.Session(name, targets.TARGETS[name], options.keep, options.seconds)
        led = atheris and not options.by_chance and not options.again

        def finish() -> None:
            reading.clear()
            figures = {"target": name, "engine": "atheris" if led else "chance", "seed": options.seed}
            figures |= {"seconds": round(session.spent, 1), "executions": session.executions}
            print(json.dumps(figures | {"found": len(session.found)}), flush=True)

        for path in options.again:
            session.run(path.read_bytes())
        if led:
            kept = options.corpus and options.corpus / (session.target.kind or name)
            engines.by_coverage(atheris, session, options.seed, kept, finish)
        if not options.again:
            engines.by_chance(session, options.seed)
        finish()
        return 1 if session.found else 0

    if len(options.targets) == 1 and "all" not in options.targets:
        return fuzz(*options.targets)
    statuses = [_in_child(fuzz, name) for name in (targets.TARGETS if "all" in options.targets else options.targets)]
    tally(f"fuzzed readers and cleaners, {options.seconds:g} s each", len(statuses), sum(statuses))
    return max(statuses)


def _in_child(fuzz: Callable[[str], int], name: str) -> int:
    """What one target does to its process is nothing to the next; and all is only imported once."""
    child = os.fork()
    if not child:
        os._exit(fuzz(name))
    _, status = os.waitpid(child, 0)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main())
