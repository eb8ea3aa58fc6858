"""Kill the children of `victor serve`, and the server itself, while clients clean pages.

python benchmarks/service_kills.py [--child-kills N] [--server-kills N]

Every page must be answered as a server in peace answers it, whatever happens to children, or with 503 while none of
them starts. Then there must be as many children as before. When a server is killed, its children must be gone in ten
seconds (one that has just been started looks for its parent when it has started), and the next server must answer.
Ends with status 1 if anything differs.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from serve_clients import Server, asked, children_of, served, small_page
from tally import tally

CLIENTS = 4
PAGES = 50
MOST_SECONDS = 60
ORPHANS_AT_MOST = 10.0
# Answers before the next kill.
BETWEEN_KILLS, BEFORE_END = 3, 20
OK = (200, "ok")
BUSY = 503


class Clients:
    """Clients that send page after page, and what was wrong with the answers."""

    def __init__(self, server: Server):
        self.server, self.is_over, self.answers, self.wrong = server, False, 0, list[str]()

    async def answered(self, count: int) -> None:
        """Wait until so many more pages are answered."""
        begun, last = time.monotonic(), self.answers + count
        while self.answers < last:
            await asyncio.sleep(0.01)
            if time.monotonic() - begun > MOST_SECONDS:
                self.wrong.append(f"{last - self.answers} of {count} pages are not answered in {MOST_SECONDS} s")
                return

    async def send(self, seed: int) -> None:
        chance = random.Random(seed)
        while not self.is_over:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            for _ in range(PAGES):
                answer = await asyncio.wait_for(asked(reader, writer, small_page(chance.randrange(9**9))), MOST_SECONDS)
                self.answers += 1
                if answer.code == BUSY:
                    await asyncio.sleep(1)
                elif (answer.code, answer.outcome) != OK:
                    self.wrong.append(f"a page is answered with {answer.code} {answer.outcome}")
                if self.is_over:
                    break
            writer.close()


async def killed_children(server: Server, kills: int, chance: random.Random) -> Clients:
    """Kills child after child at random moments, while clients send pages."""
    clients, before = Clients(server), await settled(server)
    sending = [asyncio.create_task(clients.send(seed)) for seed in range(CLIENTS)]
    for _ in range(kills):
        await clients.answered(BETWEEN_KILLS)
        await asyncio.sleep(chance.uniform(0, 0.1))
        _kill_one(server, chance)
    clients.is_over = True
    for ended in await asyncio.gather(*sending, return_exceptions=True):
        if isinstance(ended, BaseException):
            clients.wrong.append(f"a client ends with {ended!r}")
    after = await settled(server, before)
    if after != before:
        clients.wrong.append(f"{after} children after the kills, and not {before}")
    return clients


def cleaning(server: Server) -> list[int]:
    """The children of the server that clean pages; Python's tracker of resources is another one."""
    return [pid for pid in children_of(server.process.pid) if b"resource_tracker" not in _command(pid)]


def _command(pid: int) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b"resource_tracker"


def _kill_one(server: Server, chance: random.Random) -> None:
    found = cleaning(server)
    with suppress(ProcessLookupError):
        if found:
            os.kill(chance.choice(found), signal.SIGKILL)


async def settled(server: Server, expected: int | None = None) -> int:
    """How many children there are when their number stays the same for a while, or, within a minute, is as expected.

    A server whose new children are killed waits for ten seconds before it starts the next one.
    """
    counts, begun = list[int](), time.monotonic()
    while time.monotonic() - begun < MOST_SECONDS:
        counts.append(len(cleaning(server)))
        if counts[-1] == expected or (expected is None and counts[-1] and counts[-8:] == counts[-1:] * 8):
            break
        await asyncio.sleep(0.25)
    return counts[-1]


async def killed_server(server: Server, chance: random.Random) -> list[str]:
    """Kills the server while clients send pages."""
    clients = Clients(server)
    sending = [asyncio.create_task(clients.send(seed)) for seed in range(CLIENTS)]
    await clients.answered(BEFORE_END)
    await asyncio.sleep(chance.uniform(0, 0.5))
    children = cleaning(server)
    server.process.kill()
    server.process.wait()
    late = [f"a child lives on for {ORPHANS_AT_MOST:g} s"] if not await _are_gone(children) else []
    clients.is_over = True
    await asyncio.gather(*sending, return_exceptions=True)
    return [*clients.wrong, *late]


async def _are_gone(pids: Sequence[int]) -> bool:
    begun = time.monotonic()
    while alive := [pid for pid in pids if Path(f"/proc/{pid}/exe").exists()]:
        if time.monotonic() - begun > ORPHANS_AT_MOST:
            for pid in alive:
                os.kill(pid, signal.SIGKILL)
            return False
        await asyncio.sleep(0.02)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child-kills", type=int, default=100)
    parser.add_argument("--server-kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance, of_servers = random.Random(options.seed), list[str]()
    with served("-j", 2) as server:
        clients = asyncio.run(killed_children(server, options.child_kills, chance))
    for _ in range(options.server_kills):
        with served("-j", 2) as server:
            of_servers += asyncio.run(killed_server(server, chance))
    for fault in [*clients.wrong, *of_servers]:
        print(fault, file=sys.stderr)
    tally(f"pages of a server under kills of {options.child_kills} children", clients.answers, len(clients.wrong))
    tally("kills of that server", options.server_kills, len(of_servers))
    return int(bool(clients.wrong or of_servers))


if __name__ == "__main__":
    sys.exit(main())
