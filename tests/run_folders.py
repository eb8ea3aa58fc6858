"""What runs leave in their folders, and what may happen to it."""

import gzip
import json
from pathlib import Path


class KilledError(BaseException):
    """Ends a run at once, as if its process were killed."""


def files_in(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in Path(folder).rglob("*") if path.is_file()
    }


def records(folder, number="*"):
    names = sorted(path for path in Path(folder).glob(f"{number}-*.jsonl.gz") if ".outcomes." not in path.name)
    return [json.loads(line) for name in names for line in gzip.decompress(name.read_bytes()).splitlines()]


def told(folder, number="*"):
    names = sorted(Path(folder).glob(f"{number}-*.outcomes.jsonl.gz"))
    return [json.loads(line) for name in names for line in gzip.decompress(name.read_bytes()).splitlines()]


def damaged(folder, name):
    path = folder / name
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    return path, whole


def alter(path, line="{}"):
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + f"{line}\n".encode()))
