"""Measure `victor serve`: pages per second, latency, and memory over many requests, with hostile pages among them.

python benchmarks/serving.py [--requests N] [--at-once N] [--hostile SHARE] [--jobs N]

The clients work on the same machine and take a part of its time. Ends with status 1 if a page has no outcome, or if
memory has grown by more than a tenth between the first quarter and the end.
"""

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count

from hostile_shapes import SHAPES
from serve_clients import Answered, Server, asked, served, small_page

HOSTILE_BYTES = 200_000
GROWTH = 1.1


def pages(requests: int, hostile: float) -> Iterator[tuple[bytes, bool]]:
    """Small pages, and a hostile one every so often."""
    shapes = [shape for _, shape in sorted(SHAPES.items())]
    every, turn = round(1 / hostile) if hostile else 0, count()
    for number in range(requests):
        is_hostile = bool(every) and number % every == every - 1
        yield (shapes[next(turn) % len(shapes)](HOSTILE_BYTES), True) if is_hostile else (small_page(number), False)


async def client(port: int, tasks: Iterator[tuple[bytes, bool]], found: list[tuple[Answered, bool]]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
    for page, is_hostile in tasks:
        found.append((await asked(reader, writer, page), is_hostile))
    writer.close()


async def memories(server: Server, found: list[tuple[Answered, bool]], total: int) -> list[tuple[float, float]]:
    """The memory of the server and its children after each quarter of the requests."""
    taken = []
    for quarter in range(1, 5):
        while len(found) < total * quarter // 4:
            await asyncio.sleep(0.05)
        taken.append(server.megabytes())
    return taken


async def measured(server: Server, options: argparse.Namespace) -> int:
    found: list[tuple[Answered, bool]] = []
    await asyncio.gather(*(client(server.port, pages(50, 0.0), []) for _ in range(4)))
    tasks = pages(options.requests, options.hostile)
    begun, used = time.perf_counter(), server.seconds()
    watch = asyncio.create_task(memories(server, found, options.requests))
    await asyncio.gather(*(client(server.port, tasks, found) for _ in range(options.at_once)))
    seconds = time.perf_counter() - begun
    own, children = (1_000 * (now - before) / len(found) for now, before in zip(server.seconds(), used, strict=True))
    print(f"time of processors for a page: {own:.2f} ms of the server, {children:.2f} ms of its children")
    return report(found, seconds, await watch)


def report(found: list[tuple[Answered, bool]], seconds: float, memory: list[tuple[float, float]]) -> int:
    times = sorted(answer.seconds for answer, is_hostile in found if not is_hostile)
    outcomes = Counter((answer.code, answer.outcome) for answer, _ in found)
    print(f"{len(found):,} pages in {seconds:.1f} s: {len(found) / seconds:.0f} a second")
    shown = ", ".join(f"p{share} {times[len(times) * share // 100] * 1_000:.0f} ms" for share in (50, 90, 99))
    print(f"small pages: {shown}, longest {times[-1] * 1_000:.0f} ms")
    print("outcomes:", ", ".join(f"{number:,} {code} {outcome}" for (code, outcome), number in outcomes.most_common()))
    print("memory, server and children:", ", ".join(f"{own:.0f} + {children:.0f} MB" for own, children in memory))
    is_flat = sum(memory[-1]) <= GROWTH * sum(memory[0])
    has_outcomes = all(code == 200 for code, _ in outcomes)
    return 0 if is_flat and has_outcomes else 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=50)
    parser.add_argument("--hostile", type=float, default=0.0, metavar="SHARE", help="the share of hostile pages (0)")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with served("-j", options.jobs) as server:
        return asyncio.run(measured(server, options))


if __name__ == "__main__":
    sys.exit(main())
