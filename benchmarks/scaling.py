"""Measure the cost of a page by its size: clean made-up pages of 1 to 50 MB, each in a process of its own.

python benchmarks/scaling.py [--model NAME] [--plot FILE.svg] > scaling.csv

The exit status is 1 if a megabyte of the largest page costs more than twice as much as one of the smallest.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from victorpy.output.formats import FORMATS
from victorpy.pipeline.cleaner import load

MEGABYTE = 1_000_000
SIZES = (1, 2, 5, 10, 20, 50)
LARGEST_GROWTH = 2.0
# Of small pages the fastest of several runs, because they are over before the machine is at its usual speed.
LARGEST_REPEATED, RUNS = 5, 5

BEGINNINGS = ("ba", "co", "de", "fi", "ga", "ho", "i", "ju", "le", "ma", "no", "pe", "ro", "sta", "tri", "u")
ENDINGS = ("", "ber", "den", "er", "ing", "l", "mon", "n", "nt", "r", "s", "ter", "t")
WORDS = [first + last for first in BEGINNINGS for last in ENDINGS]


def article(chance: random.Random) -> Iterator[str]:
    """Headings and paragraphs with ordinary inline markup."""
    while True:
        yield f"<h2>{sentence(chance)}</h2>\n"
        for _ in range(chance.randint(2, 6)):
            yield f"<p class='text'>{' '.join(marked_up(chance) for _ in range(chance.randint(2, 7)))}</p>\n"


def table(chance: random.Random) -> Iterator[str]:
    """Rows of short cells, and between them lists of short items."""
    while True:
        for number in range(40):
            words = (f"<td>{chance.choice(WORDS)} {chance.choice(WORDS)}" for _ in range(3))
            yield f"<tr class='row'><td>{number}{''.join(words)}<td>{chance.randint(1, 9_999):,}</tr>\n"
        yield f"</table><ul>{''.join(f'<li>{sentence(chance)}</li>' for _ in range(10))}</ul><table>\n"


def text(chance: random.Random) -> Iterator[str]:
    """Sentence upon sentence without a tag."""
    while True:
        yield sentence(chance) + " "


def word(_: random.Random) -> Iterator[str]:
    """A word that does not end."""
    while True:
        yield "a" * 100_000


def deep(chance: random.Random) -> Iterator[str]:
    """Every element inside of the one before it."""
    while True:
        yield f"<div><span>{sentence(chance)}"


def links(chance: random.Random) -> Iterator[str]:
    while True:
        yield f"<li><a href='/{chance.choice(WORDS)}/{chance.randint(1, 99_999)}'>{chance.choice(WORDS)}</a></li>\n"


SHAPES: dict[str, Callable[[random.Random], Iterator[str]]] = {
    shape.__name__: shape for shape in (article, table, text, word, deep, links)
}


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(WORDS, k=chance.randint(5, 20))).capitalize() + "."


def marked_up(chance: random.Random) -> str:
    tag = chance.choice(("b", "i", "a href='/page'", "span class='name'", "", "", ""))
    return f"<{tag}>{sentence(chance)}</{tag.partition(' ')[0]}>" if tag else sentence(chance)


def page(shape: str, megabytes: int, seed: int) -> bytes:
    """The same page for the same seed."""
    parts, size = ["<!DOCTYPE html><title>A page</title><body>"], 0
    for part in SHAPES[shape](random.Random(seed)):
        parts.append(part)
        size += len(part)
        if size >= megabytes * MEGABYTE:
            break
    return "".join(parts).encode()[: megabytes * MEGABYTE]


class Cost(NamedTuple):
    """What one page took."""

    shape: str
    megabytes: int
    seconds: float
    peak_mb: float

    @property
    def per_megabyte(self) -> float:
        return self.seconds / self.megabytes


def cost(shape: str, megabytes: int, model: str, seed: int) -> Cost:
    """Measured in a child process, so that no page uses the memory of another."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_bytes(page(shape, megabytes, seed))
        runs = RUNS if megabytes <= LARGEST_REPEATED else 1
        command = [sys.executable, __file__, "--model", model, "--child", str(file), str(runs)]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, peak = map(float, answer.split())
    return Cost(shape, megabytes, seconds, peak)


def clean_and_tell(model: str, file: str, runs: int) -> None:
    cleaner, source = load(model), Path(file).read_bytes()
    cleaner.clean(source[:2_000])
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        FORMATS["cleaneval"](cleaner.clean(source))
        seconds.append(time.perf_counter() - start)
    print(min(seconds), peak_mb())


def peak_mb() -> float:
    """The most that this process held, as Linux counts it; `resource` would count what its parent held, too."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text("ascii").splitlines())
    return int(status["VmHWM"].split()[0]) * 1024 / MEGABYTE


def written(costs: Iterable[Cost]) -> Iterator[Cost]:
    """The same costs, each written to standard output as soon as it is known."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["shape", "megabytes", "seconds", "ms_per_megabyte", "peak_mb"])
    for one in costs:
        milliseconds = 1_000 * one.per_megabyte
        writer.writerow([one.shape, one.megabytes, f"{one.seconds:.3f}", f"{milliseconds:.1f}", f"{one.peak_mb:.0f}"])
        sys.stdout.flush()
        yield one


def growth(costs: list[Cost], shape: str) -> float:
    """How much more a megabyte of the largest page costs than one of the smallest."""
    of_shape = sorted((one for one in costs if one.shape == shape), key=lambda one: one.megabytes)
    return of_shape[-1].per_megabyte / of_shape[0].per_megabyte


def plot(costs: list[Cost], file: str) -> None:
    from matplotlib import pyplot, rcParams  # noqa: PLC0415

    # The same costs make the same file, and a small one.
    rcParams.update({"svg.hashsalt": "scaling", "svg.fonttype": "none"})
    figure, (time_axes, memory_axes) = pyplot.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for shape in dict.fromkeys(one.shape for one in costs):
        of_shape = [one for one in costs if one.shape == shape]
        sizes = [one.megabytes for one in of_shape]
        time_axes.loglog(sizes, [one.seconds for one in of_shape], marker=".", label=shape)
        memory_axes.loglog(sizes, [one.peak_mb for one in of_shape], marker=".", label=shape)
    for axes, name in ((time_axes, "seconds"), (memory_axes, "peak RSS, MB")):
        axes.set(xlabel="page, MB", title=name)
        axes.grid(visible=True, alpha=0.3)
    time_axes.legend()
    figure.savefig(file, format="svg", metadata={"Date": None})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="MB")
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE.svg", help="draw the costs, too")
    parser.add_argument("--child", nargs=2, metavar=("FILE", "RUNS"), help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if options.child:
        clean_and_tell(options.model, options.child[0], int(options.child[1]))
        return 0
    pages = [(shape, size) for shape in options.shapes for size in options.sizes]
    costs = list(written(cost(shape, size, options.model, options.seed) for shape, size in pages))
    if options.plot:
        plot(costs, options.plot)
    growths = {shape: growth(costs, shape) for shape in options.shapes}
    print("growth:", ", ".join(f"{shape} {factor:.2f}" for shape, factor in growths.items()), file=sys.stderr)
    return int(max(growths.values()) > LARGEST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
