"""Let a server and runs work side by side under hostile pages, and watch their memory.

python benchmarks/soak.py [--minutes N] [--jobs N]

The server gets small and hostile pages from several clients; meanwhile `victor run` cleans a folder of hostile pages,
again and again. Prints a line a minute. Ends with status 1 if a page had no outcome, a run failed, or the server
itself took more memory in the middle of the last tenth of the time than in that of the second, by more than a quarter.
Its children take what their last page took, up to the limit.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
import time
from collections import Counter, deque
from pathlib import Path
from statistics import median

from hostile_shapes import SHAPES
from serve_clients import Answered, Server, asked, served, small_page
from tally import tally

CLIENTS = 8
SIZES = (1_000, 50_000, 1_000_000)
GROWTH = 1.25
# A client that pauses for ten seconds loses its connection; all clients pause while their process has no processor.
MOST_PAUSE = 5.0
OK, TOO_SLOW, PAUSED = 200, 408, -1


class Soak:
    """What has happened so far."""

    def __init__(self, server: Server, minutes: float):
        self.server, self.end = server, time.monotonic() + 60 * minutes
        self.outcomes, self.runs = Counter[tuple[int, str]](), Counter[int]()
        self.memory: list[tuple[float, float]] = []
        # By how many seconds the last turns of the clients' process came too late.
        self.turns = deque([0.0], maxlen=30)

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self.end

    async def send(self, seed: int) -> None:
        choice, shapes = random.Random(seed), sorted(SHAPES)
        while not self.is_over:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port, limit=1 << 26)
            for _ in range(20):
                is_small, begun = choice.random() < 0.8, time.monotonic()
                size = choice.choice(SIZES)
                page = small_page(choice.randrange(9**9)) if is_small else SHAPES[choice.choice(shapes)](size)
                answer = await self._answer(reader, writer, page, begun)
                self.outcomes[answer.code, answer.outcome] += 1
                if self.is_over or answer.code != OK:
                    break
            writer.close()

    async def _answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, page: bytes, begun: float
    ) -> Answered:
        """The answer; the server may end a connection whose client has paused, as one does on a busy machine."""
        paused = time.monotonic() - begun
        try:
            answer = await asked(reader, writer, page, "text,markdown,html,metadata,blocks,page")
        except (asyncio.IncompleteReadError, ConnectionError):
            answer = Answered(0, "the connection is closed", 0.0)
        is_paused = max(paused, *self.turns) > MOST_PAUSE and self.server.process.poll() is None
        return answer._replace(code=PAUSED) if answer.code in {0, TOO_SLOW} and is_paused else answer

    async def run(self, folder: Path) -> None:
        pages = folder / "pages"
        pages.mkdir()
        for name, shape in SHAPES.items():
            (pages / f"{name.replace('/', '-')}.html").write_bytes(shape(100_000))
        while not self.is_over:
            command = [sys.executable, "-m", "victorpy", "run", "-q", str(pages), "-o", str(folder / "run"), "-j", "1"]
            process = await asyncio.create_subprocess_exec(*command, "--timeout", "10")
            self.runs[await process.wait()] += 1
            shutil.rmtree(folder / "run", ignore_errors=True)

    async def watch(self) -> None:
        begun = last = time.monotonic()
        while not self.is_over:
            turn = time.monotonic()
            await asyncio.sleep(1)
            self.turns.append(time.monotonic() - turn - 1)
            self.memory.append(self.server.megabytes())
            if time.monotonic() - last >= 60:
                last = time.monotonic()
                minutes, pages = (last - begun) / 60, self.outcomes.total()
                print(
                    f"{minutes:.0f} min: {pages:,} pages, {self.memory[-1][0]:.0f} + {self.memory[-1][1]:.0f} MB",
                    flush=True,
                )


async def soaked(server: Server, minutes: float) -> int:
    soak = Soak(server, minutes)
    with tempfile.TemporaryDirectory() as folder:
        await asyncio.gather(*map(soak.send, range(CLIENTS)), soak.run(Path(folder)), soak.watch())
    print("outcomes:", ", ".join(f"{number:,} {code} {name}" for (code, name), number in soak.outcomes.most_common()))
    print("runs by exit status:", dict(soak.runs))
    # Not the most: an answer of many megabytes on its way says nothing of what stays.
    early, late = (median(own for own, _ in soak.memory[start:stop]) for start, stop in _tenths(len(soak.memory)))
    print(f"memory of the server itself in the middle: {early:.0f} MB of the second tenth, {late:.0f} MB of the last")
    print(f"most memory of the server itself: {max(own for own, _ in soak.memory):.0f} MB")
    print(f"most memory of its children together: {max(children for _, children in soak.memory):.0f} MB")
    is_flat = late <= GROWTH * early
    bad_runs = sum(count for status, count in soak.runs.items() if status not in {0, 3})
    bad_answers = sum(count for (code, _), count in soak.outcomes.items() if code not in {OK, PAUSED})
    tally(f"pages of a server beside runs, {minutes:g} minutes", soak.outcomes.total(), bad_answers)
    tally("runs beside that server", soak.runs.total(), bad_runs)
    tally("memory of that server stays flat", 1, int(not is_flat))
    return int(not is_flat or bad_runs + bad_answers > 0)


def _tenths(count: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The second tenth and the last."""
    tenth = max(1, count // 10)
    return (tenth, 2 * tenth + 1), (count - tenth, count)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    with served("-j", options.jobs, "--timeout", 10) as server:
        return asyncio.run(soaked(server, options.minutes))


if __name__ == "__main__":
    sys.exit(main())
