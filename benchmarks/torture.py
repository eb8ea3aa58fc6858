"""Clean a hostile crawl twice, undisturbed and with kills of children and parent. Both results must be equal.

python benchmarks/torture.py

Ends with status 1 unless every record has exactly one outcome, and one that is right for it, all sums add up, `victor
verify` finds nothing, both runs have the same files, and no child outlives its parent by two seconds. Files may differ
in the records that ended as timeout or out-of-memory in one of the runs; no good page may. A second archive is damaged
in its middle, which must be told, and cost no more than the record in which it is; then it is mended. Archives with
oddities and with damage at random must be read as `archive_kinds.py` says (pip install warcio brotli).

A shell that ends meanwhile wakes what has stopped itself, and such a page does not end as timeout: begin with setsid.
"""

import argparse
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import archive_kinds
from tally import tally
from torture_pages import CLEANED, HOSTILE, LARGE, Record, planned, write_crawl, write_damaged
from torture_victor import DIES_AT

# Of these another try may end in another way.
BY_CHANCE = frozenset({"timeout", "out-of-memory"})
# Of each part: two files made sure of, renamed, their folder made sure of, and the line in the journal.
SYNCS_OF_A_PART = 7
ORPHANS_AT_MOST = 2.0
DAMAGED_RECORDS = 60
DAMAGED_SHARE = 0.1


class Told(NamedTuple):
    """How a record ended."""

    record: int
    status: str
    text: str


class Death(NamedTuple):
    """When so many parts are done, a process is killed: a child, or the parent, this by itself while it writes."""

    part: int
    victim: str
    seconds: float
    syncs: int


@dataclass
class Seen:
    """What was noticed while a run was tortured, and how many parts were done when a child was killed last."""

    lives: int = 0
    killed_at: int = -1
    kills: Counter[str] = field(default_factory=Counter)
    orphans: float = 0.0
    peak_mb: float = 0.0


class Run:
    """A run's folder, and the command that it is begun and gone on with."""

    def __init__(self, folder: Path, inputs: Sequence[Path], options: argparse.Namespace):
        self.folder, self.said = folder, folder.with_name(f"{folder.name}.log")
        words = ["-o", folder, "-m", options.model, "-j", options.jobs, "--part-pages", options.part_pages]
        words += ["--timeout", options.timeout, "--max-memory", options.max_memory, "--max-bytes", 64_000_000]
        words += ["--summary", folder.with_name(f"{folder.name}.summary")]
        self.command = [*victor("run"), *map(str, [*inputs, *words])]

    def start(self, dies_at: int | None = None) -> subprocess.Popen[bytes]:
        environment = os.environ | ({DIES_AT: str(dies_at)} if dies_at else {})
        with self.said.open("ab") as log:
            return subprocess.Popen(self.command, stdout=log, stderr=log, env=environment)

    def parts_done(self) -> int:
        with suppress(FileNotFoundError):
            return (self.folder / "shards" / "00001.jsonl").read_bytes().count(b'{"part"')
        return 0

    def told(self, shard: int) -> list[Told]:
        rows = [
            json.loads(line)
            for path in sorted(self.folder.glob(f"{shard:05}-*.outcomes.jsonl.gz"))
            for line in gzip.decompress(path.read_bytes()).splitlines()
        ]
        return [Told(row["record"], row["status"], row["text"]) for row in rows]

    def files(self) -> dict[str, bytes]:
        paths = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).as_posix(): path.read_bytes() for path in paths}

    def verify(self) -> tuple[int, list[str]]:
        ran = subprocess.run([*victor("verify"), self.folder], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stderr.splitlines()


def victor(command: str) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("torture_victor.py")), command]


# Killing


def deaths(options: argparse.Namespace, chance: random.Random) -> list[Death]:
    """When who is to be killed; every second parent while it writes."""
    victims = ["child"] * options.child_kills
    victims += [("parent", "writing parent")[number % 2] for number in range(options.parent_kills)]
    last = max(1, options.records // options.part_pages * 4 // 5)
    return sorted(
        Death(chance.randrange(last), victim, chance.uniform(0, options.pause), chance.randrange(2 * SYNCS_OF_A_PART))
        for victim in victims
    )


def torture(run: Run, planned_deaths: Sequence[Death], chance: random.Random) -> tuple[int, Seen]:
    """The exit status, in the end."""
    seen, left = Seen(), [*planned_deaths]
    while True:
        status = live(run, left, chance, seen)
        if status != -signal.SIGKILL:
            return status, seen


def live(run: Run, left: list[Death], chance: random.Random, seen: Seen) -> int:
    """One life of the parent: until it is killed, or done."""
    seen.lives += 1
    dies_at, family = _own_death(run, left, chance), list[int]()
    parent = run.start(dies_at)
    while parent.poll() is None:
        family = children(parent.pid) or family
        seen.peak_mb = max(seen.peak_mb, peak_mb(parent.pid))
        if left and _is_due(left[0], run.parts_done(), seen):
            time.sleep(left[0].seconds)
            _kill(run, parent, left, chance, seen)
        time.sleep(0.02)
    if parent.returncode == -signal.SIGKILL:
        seen.orphans = max(seen.orphans, seconds_to_die(family))
        if dies_at:
            left.remove(next(death for death in left if death.victim == "writing parent"))
            seen.kills["writing parent"] += 1
    return parent.returncode


def _is_due(death: Death, parts_done: int, seen: Seen) -> bool:
    """Whether it is for us to kill, and now. A page whose process is killed too often counts as one that crashed:
    until another part is done, there is no second kill of a child.
    """
    if death.victim == "writing parent" or death.part > parts_done:
        return False
    return death.victim == "parent" or parts_done > seen.killed_at


def _own_death(run: Run, left: Sequence[Death], chance: random.Random) -> int | None:
    """At which of its writings the parent is to die, if that comes before other parents' deaths."""
    death = next((death for death in left if death.victim != "child"), None)
    if death is None or death.victim == "parent":
        return None
    number = max(0, death.part - run.parts_done()) * SYNCS_OF_A_PART + death.syncs + 1
    return number * chance.choice([1, -1])


def _kill(run: Run, parent: subprocess.Popen[bytes], left: list[Death], chance: random.Random, seen: Seen) -> None:
    victim, parts_done = left[0].victim, run.parts_done()
    pids = [parent.pid] if victim == "parent" else children(parent.pid)
    if pids and parent.poll() is None:
        os.kill(chance.choice(pids), signal.SIGKILL)
        seen.kills[victim] += 1
        del left[0]
        if victim == "child":
            seen.killed_at = parts_done
    if victim == "parent":
        parent.wait()


def children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]
    return []


def peak_mb(pid: int) -> float:
    with suppress(OSError, IndexError):
        status = Path(f"/proc/{pid}/status").read_text("utf-8", "replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6
    return 0.0


def seconds_to_die(pids: Sequence[int]) -> float:
    """How long it takes until none of them is left; what is left is ended."""
    begun = time.monotonic()
    while (alive := [pid for pid in pids if _lives(pid)]) and time.monotonic() - begun < 2 * ORPHANS_AT_MOST:
        time.sleep(0.01)
    for pid in alive:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return time.monotonic() - begun


def _lives(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()[0] not in "ZX"
    return False


# Comparing


def faults(quiet: Run, tortured: Run, records: Sequence[Record]) -> Iterator[str]:
    """All in which the runs are not what they have to be."""
    for run in (quiet, tortured):
        yield from (f"{run.folder.name}: {fault}" for fault in _of_run(run, records))
    status, said = tortured.verify()
    if status != 1 or len(said) != 1 or "its input was incomplete" not in said[0]:
        yield f"verify ends with {status}: {said}"
    yield from _differences(quiet, tortured, {record.number for record in records if not record.kind})


def _of_run(run: Run, records: Sequence[Record]) -> Iterator[str]:
    told, kinds = run.told(1), {**HOSTILE, **LARGE}
    if [one.record for one in told] != [record.number for record in records]:
        yield f"{len(told)} outcomes, and not one for each record in order"
    for record, one in zip(records, told, strict=False):
        expected = kinds[record.kind].ends if record.kind else CLEANED
        if one.status not in expected:
            yield f"record {record.number} ({record.kind or 'a good page'}) ended as {one.status}"
    if len(run.told(2)) != DAMAGED_RECORDS:
        yield f"{len(run.told(2))} records of the damaged archive"
    yield from _of_sums(run, Counter(one.status for one in [*told, *run.told(2)]))


def _of_sums(run: Run, counted: Counter[str]) -> Iterator[str]:
    summary = json.loads(run.folder.with_name(f"{run.folder.name}.summary").read_bytes())
    manifest = json.loads((run.folder / "manifest.json").read_bytes())
    if {status: count for status, count in summary.items() if count} != {"pages": counted.total(), **counted}:
        yield "the summary does not add up"
    if (manifest["pages"], manifest["statuses"]) != (counted.total(), dict(counted)):
        yield "the manifest does not add up"


def _differences(quiet: Run, tortured: Run, good: set[int]) -> Iterator[str]:
    """A record may end in another way only if in one of the runs it ended by chance; a part, only if it holds such."""
    excused = set[int]()
    for one, other in zip(quiet.told(1), tortured.told(1), strict=False):
        if one != other and not (BY_CHANCE & {one.status, other.status}):
            yield f"record {one.record}: {one.status} in peace, {other.status} under torture, or another text"
        if one.record in good and one != other:
            yield f"record {one.record}, a good page: {one.status} in peace, {other.status} under torture"
        if one != other:
            excused.add(one.record)
    spared = _spared(tortured, excused)
    in_peace, under = quiet.files(), tortured.files()
    yield from (f"{name}: is in one run only" for name in sorted(in_peace.keys() ^ under.keys()))
    same = (name for name in sorted(in_peace.keys() & under.keys()) if name not in spared)
    yield from (f"{name}: is not the same" for name in same if in_peace[name] != under[name])


def _spared(run: Run, excused: set[int]) -> set[str]:
    """Files that hold records which may differ, or digests of such files."""
    spared = {"run.json"}
    for part in json.loads((run.folder / "manifest.json").read_bytes())["shards"][0]["parts"]:
        if excused & set(range(part["first"], part["last"] + 1)):
            number = part["name"].partition(".")[0]
            spared |= {part["name"], f"{number}.outcomes.jsonl.gz", "manifest.json", "shards/00001.jsonl"}
    return spared


def mended(run: Run, damaged: Path, seed: int) -> Iterator[str]:
    """The damaged archive as it should be: the same command cleans it anew, and nothing is to be said of the run."""
    write_damaged(damaged, DAMAGED_RECORDS, seed, is_damaged=False)
    if run.start().wait():
        yield "mended: the run does not end well"
    status, said = run.verify()
    if status or len(run.told(2)) != DAMAGED_RECORDS:
        yield f"mended: {len(run.told(2))} records, verify ends with {status}: {said}"


# Telling


def told_of(run: Run, records: Sequence[Record]) -> Mapping[str, str]:
    """How the records of each kind ended."""
    counts: dict[str, Counter[str]] = {}
    for record, one in zip(records, run.told(1), strict=False):
        counts.setdefault(record.kind or "good", Counter())[one.status] += 1
    return {kind: ", ".join(f"{count} {status}" for status, count in ends.items()) for kind, ends in counts.items()}


def compare(work: Path, options: argparse.Namespace) -> list[str]:
    """Makes the crawl, does both runs, says how they went, and gives what is wrong."""
    chance = random.Random(options.seed)
    records = planned(options.records, options.hostile, options.large, options.kinds, chance)
    crawl, damaged = work / "crawl.warc.gz", work / "damaged.warc.gz"
    write_crawl(crawl, records, options.seed)
    write_damaged(damaged, DAMAGED_RECORDS, options.seed)
    quiet, tortured = (Run(work / name, [crawl, damaged], options) for name in ("quiet", "tortured"))
    begun = time.monotonic()
    _, in_peace = torture(quiet, [], chance)
    between = time.monotonic()
    plan = deaths(options, chance)
    _, seen = torture(tortured, plan, chance)
    print(
        f"{len(records)} records, {sum(bool(record.kind) for record in records)} of them hostile, seed {options.seed}"
    )
    print(f"in peace: {between - begun:.0f} s, {_counted(quiet)}, parent at most {in_peace.peak_mb:.0f} MB")
    print(f"tortured: {time.monotonic() - between:.0f} s, {_counted(tortured)}, parent at most {seen.peak_mb:.0f} MB")
    kills = ", ".join(f"{count} {victim}" for victim, count in sorted(seen.kills.items()))
    print(f"killed: {kills}; {seen.lives} lives; children gone {seen.orphans:.2f} s after their parent at the latest")
    for kind, ends in sorted(told_of(tortured, records).items()):
        print(f"  {kind}: {ends}")
    wrong = [*faults(quiet, tortured, records), *mended(tortured, damaged, options.seed)]
    if options.archived:
        wrong += archive_kinds.wrong(work, options.archived, DAMAGED_SHARE, options.seed)
    if seen.kills.total() != len(plan):
        wrong.append(f"{len(plan) - seen.kills.total()} kills were still to come when the run was done")
    if seen.orphans > ORPHANS_AT_MOST:
        wrong.append(f"a child lived on for {seen.orphans:.1f} s")
    return wrong


def _counted(run: Run) -> str:
    counts = Counter(one.status for shard in (1, 2) for one in run.told(shard))
    return ", ".join(f"{count} {status}" for status, count in counts.most_common())


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-m", "--model", default="web", help="name or folder of a model (web)")
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--hostile", type=int, default=200, help="so many of the records (200)")
    parser.add_argument("--large", type=int, default=3, help="so many of the hostile ones, 50 and 100 MB each (3)")
    parser.add_argument("--kinds", nargs="+", choices=HOSTILE, default=list(HOSTILE), help="the others are of (all)")
    parser.add_argument(
        "--archived", type=int, default=10_000, help="records of archives with damage at random; 0: no such (10000)"
    )
    parser.add_argument("--child-kills", type=int, default=50)
    parser.add_argument("--parent-kills", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.5, help="at most so many seconds before a kill (0.5)")
    parser.add_argument("--part-pages", type=int, default=100)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=5.0, help="seconds for a page (5)")
    parser.add_argument("--max-memory", type=int, default=1_000, help="MB for a page (1000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", metavar="FOLDER", help="leave crawl and runs there")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    with TemporaryDirectory() as temporary:
        work = Path(options.keep or temporary)
        work.mkdir(parents=True, exist_ok=True)
        wrong = compare(work, options)
    for fault in wrong:
        print(fault, file=sys.stderr)
    kills = f"kills of {options.child_kills} children and {options.parent_kills} parents"
    tally(f"pages of a hostile crawl under {kills}", options.records, len(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
