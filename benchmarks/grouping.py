"""Records a second and peak memory of `victor group-by-host`, over records that are made up from a seed."""

import argparse
import os
import random
import subprocess
import sys
import time
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

WORDS = [f"{first}{last}" for first in ("harb", "bridg", "lant", "ferr", "til") for last in ("our", "es", "erns", "y")]
HEAD = (
    "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{host}/{number}\r\nWARC-Date: 2024-05-06T07:00:00Z\r\n"
    "WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\nContent-Type: application/http\r\n"
    "Content-Length: {length}\r\n\r\n"
)


def record(number: int, size: int, chance: random.Random) -> bytes:
    """A page of about this many bytes, on one of many hosts, of which some have many pages."""
    host = f"h{int(chance.paretovariate(0.3)) % 5_000}.example"
    body = " ".join(chance.choices(WORDS, k=size // 7)).encode()
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><body><p>" + body
    return HEAD.format(host=host, number=number, length=len(block)).encode() + block + b"\r\n\r\n"


def make(path: Path, count: int, size: int, *, is_plain: bool = False) -> None:
    chance = random.Random(count)
    with path.open("wb") as file:
        for number in range(count):
            packer = zlib.compressobj(6, zlib.DEFLATED, 31)
            data = record(number, size, chance)
            file.write(data if is_plain else packer.compress(data) + packer.flush())


def measured(archive: Path, folder: Path, megabytes: int) -> tuple[float, float, str]:
    """Seconds, megabytes at the peak, and what the command said."""
    command = [sys.executable, "-m", "victorpy", "group-by-host", str(archive), "-o", str(folder)]
    start = time.perf_counter()
    with subprocess.Popen([*command, "--max-memory", str(megabytes)], stderr=subprocess.PIPE) as process:
        told = process.stderr.read().decode() if process.stderr else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(told)
    return time.perf_counter() - start, usage.ru_maxrss / 1_000, told.strip().removeprefix("victor: ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--size", type=int, default=10_000, help="bytes of a page (10000)")
    parser.add_argument("--max-memory", type=int, nargs="+", default=[20, 500], metavar="MB")
    parser.add_argument("--plain", action="store_true", help="of an archive that is not packed")
    options = parser.parse_args()
    with TemporaryDirectory() as work:
        for count in options.records:
            archive = Path(work, f"{count}.warc")
            make(archive, count, options.size, is_plain=options.plain)
            for megabytes in options.max_memory:
                seconds, peak, told = measured(archive, Path(work, f"{count}-{megabytes}"), megabytes)
                megabytes_read = archive.stat().st_size / 1e6
                print(
                    f"{count} records, {megabytes_read:.0f} MB, --max-memory {megabytes}: {seconds:.1f} s,"
                    f" {count / seconds:.0f} records/s, peak {peak:.0f} MB; {told}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
