"""What runs leave in their folders, and what may happen to it."""

import gzip
import json
from pathlib import Path

from archives import answer, packed, warc
from small_pages import article, site_in


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


def pages(*numbers):
    return [warc(number, answer(article(number)[0].encode())) for number in numbers]


def crawl_in(folder):
    """Two archives and a folder of a dozen pages: three shards."""
    folder.joinpath("a.warc.gz").write_bytes(packed(pages(*range(12)), ".gz"))
    hostile = [warc(90, answer(b"\x89PNG\r\n\x1a\n")), warc(91, answer(b""), "revisit"), warc(92, answer(b"<p>"))]
    folder.joinpath("b.warc.gz").write_bytes(packed([*pages(20, 21), *hostile, *pages(22)], ".gz"))
    return ("a.warc.gz", "b.warc.gz", site_in(folder))
