"""Records of many archives, moved to where those of one host stand together."""

import fcntl
import gzip
import os
import random
import tracemalloc
from itertools import groupby

import pytest
from archives import ARC_HEAD, answer, arc, fastwarc, packed, warc

from victorpy.errors import UsageError, VictorError
from victorpy.pipeline import grouping
from victorpy.pipeline.grouping import Grouping, group

HOSTS = [f"{word}{number}.example" for word in ("www.boats", "harbour", "tide") for number in range(9)]


def page(number, host, body=b"<p>A page."):
    return warc(number, answer(body), WARC_Target_URI=f"https://{host}/{number}")


@pytest.fixture
def crawl(folder):
    """Two archives of 600 records of 27 hosts."""
    chance = random.Random(7)
    records = [page(number, chance.choice(HOSTS), b"<p>%d" % number * chance.randrange(90)) for number in range(600)]
    head = warc(9_999_999, kind="warcinfo", block=b"software: ours")
    folder.joinpath("a.warc.gz").write_bytes(packed([head, *records[:400]], ".gz"))
    folder.joinpath("b.warc").write_bytes(packed([head, *records[400:]], ""))
    return ["a.warc.gz", "b.warc"]


def shards(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def read(path):
    with path.open("rb") as file:
        return [
            (record.headers["WARC-Target-URI"].split("/")[2], int(record.headers["WARC-Target-URI"].split("/")[3]))
            for record in fastwarc.ArchiveIterator(file, parse_http=False)
        ]


def test_a_host_is_in_one_file_in_one_piece_as_its_pages_came(folder, crawl):
    totals = group(crawl, folder / "out", Grouping(shards=4))

    found = [read(path) for path in sorted(folder.joinpath("out").iterdir())]
    hosts = [[host for host, _ in groupby(records, lambda record: record[0])] for records in found]
    assert (totals.read, totals.written, dict(totals.dropped)) == (602, 600, {"warcinfo": 2})
    assert (totals.hosts, totals.files) == (27, 4)
    assert sorted(host for shard in hosts for host in shard) == sorted(HOSTS)
    assert all(shard == sorted(shard, key=lambda host: host.removeprefix("www.")) for shard in hosts)
    assert all(
        records == sorted(records, key=lambda record: (record[0].removeprefix("www."), record)) for records in found
    )


@pytest.mark.slow
@pytest.mark.parametrize("max_memory", [1, 3_000, 60_000])
def test_the_bytes_are_the_same_whatever_memory_there_is(folder, crawl, max_memory):
    group(crawl, folder / "much", Grouping(shards=3))
    group(crawl, folder / "little", Grouping(shards=3, max_memory=max_memory))

    assert shards(folder / "little") == shards(folder / "much")


def test_memory_does_not_grow_with_what_is_read(folder):
    chance = random.Random(7)
    records = [page(number, "tide.example", chance.randbytes(100_000)) for number in range(80)]
    folder.joinpath("a.warc").write_bytes(b"".join(records))
    tracemalloc.start()
    group(["a.warc"], folder / "out", Grouping(max_memory=300_000))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert sum(map(len, shards(folder / "out").values())) > 8_000_000
    assert most < 4_000_000


def test_each_record_is_a_gzip_member_with_the_bytes_it_had(folder):
    records = [page(number, "harbour.example", bytes([number]) * 50_000 * number) for number in range(5)]
    folder.joinpath("a.warc").write_bytes(packed(records, ""))

    group(["a.warc"], folder / "out", Grouping(shards=1, max_memory=100))

    found = folder.joinpath("out/shard-00000-of-00001.warc.gz").read_bytes()
    assert gzip.decompress(found) == b"".join(records)
    assert found.count(b"\x1f\x8b\x08\x00\x00\x00\x00\x00") == 5


def test_archives_of_both_kinds_meet(folder):
    folder.joinpath("a.warc").write_bytes(page(1, "www.harbour.example") + page(2, "tide.example"))
    folder.joinpath("b.arc").write_bytes(ARC_HEAD + arc("http://www.harbour.example/9", answer()))

    totals = group(["a.warc", "b.arc"], folder / "out", Grouping(shards=1))

    assert read(folder / "out/shard-00000-of-00001.warc.gz") == [
        ("www.harbour.example", 1),
        ("www.harbour.example", 9),
        ("tide.example", 2),
    ]
    assert totals.dropped == {"filedesc": 1}


def test_the_hosts_of_a_domain_stand_together(folder):
    pytest.importorskip("publicsuffixlist")
    hosts = ["news.harbour.co.uk", "tide.co.uk", "www.harbour.co.uk", "art.harbour.co.uk"]
    folder.joinpath("a.warc").write_bytes(b"".join(page(number, host) for number, host in enumerate(hosts)))

    group(["a.warc"], folder / "out", Grouping(by="domain", shards=1))

    assert [host for host, _ in read(folder / "out/shard-00000-of-00001.warc.gz")] == [
        "art.harbour.co.uk",
        "news.harbour.co.uk",
        "www.harbour.co.uk",
        "tide.co.uk",
    ]


def test_what_is_whole_of_a_damaged_archive_is_moved(folder, crawl):
    data = folder.joinpath("b.warc").read_bytes()
    folder.joinpath("b.warc").write_bytes(data[: len(data) // 2])

    totals = group([*crawl[::-1], "gone.warc"], folder / "out", Grouping(max_memory=1_000))

    assert 450 < totals.written == totals.read - 2 < 550
    assert ["the file is cut off" in str(damage) for damage in totals.damages] == [True, False]


@pytest.mark.parametrize(("size", "damages"), [(100, 1), (1_100_000, 2)], ids=["small", "large"])
def test_what_is_whole_behind_a_damage_is_moved_too(folder, size, damages):
    chance = random.Random(7)
    hosts = ["tide.example", "harbour.example", "", "harbour.example"]
    records = [
        page(number, host, chance.randbytes(size)) if host else warc(number, kind="warcinfo", block=bytes(size))
        for number, host in enumerate(hosts * 2)
    ]
    members = [gzip.compress(record, 1) for record in records]
    for number in (1, 2):
        members[number] = members[number][:-8] + bytes(8)
    folder.joinpath("a.warc.gz").write_bytes(b"".join(members))

    totals = group(["a.warc.gz"], folder / "out", Grouping(shards=1, max_memory=1_000_000))

    assert read(folder / "out/shard-00000-of-00001.warc.gz") == [
        *(("harbour.example", number) for number in (3, 5, 7)),
        *(("tide.example", number) for number in (0, 4)),
    ]
    assert (totals.read, totals.written, totals.dropped, len(totals.damages)) == (6, 5, {"warcinfo": 1}, damages)


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_an_arc_record_without_content_costs_no_other(folder, ending):
    pages = [arc(f"http://tide.example/{number}", answer()) for number in range(4)]
    pages[1] = b"http://tide.example/1 127.0.0.1 20060131120000 text/html 88\n"  # none of the 88 bytes is there
    folder.joinpath("a.arc").write_bytes(packed([ARC_HEAD, *pages], ending))

    totals = group(["a.arc"], folder / "out", Grouping(shards=1))

    assert read(folder / "out/shard-00000-of-00001.warc.gz") == [("tide.example", number) for number in (0, 2, 3)]
    assert (totals.written, len(totals.damages)) == (3, 1)


def test_records_that_were_packed_alone_are_not_packed_again(folder):
    members = [gzip.compress(page(number, "harbour.example"), 1) for number in range(3)]
    folder.joinpath("a.warc.gz").write_bytes(b"".join(members))

    group(["a.warc.gz"], folder / "out", Grouping(shards=1))

    assert folder.joinpath("out/shard-00000-of-00001.warc.gz").read_bytes() == b"".join(members)


@pytest.mark.slow
@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, OSError(28, "No space left on device")])
@pytest.mark.parametrize("step", ["_key", "_publish"])
def test_a_run_that_ends_early_leaves_nothing(folder, crawl, monkeypatch, stop, step):
    def publish_first(names, work, out):
        (work / names[0]).replace(out / names[0])
        raise stop

    def tenth(host, how, number):
        if number == 10:
            raise stop
        return number.to_bytes(8)

    monkeypatch.setattr(grouping, step, publish_first if step == "_publish" else tenth)
    with pytest.raises((KeyboardInterrupt, SystemExit, VictorError)):
        group(crawl, folder / "out", Grouping(max_memory=3_000))

    assert not folder.joinpath("out").exists()


def test_what_a_killed_run_has_left_is_replaced(folder, crawl):
    group(crawl, folder / "quiet", Grouping(shards=2))
    killed = folder / "killed"
    killed.joinpath(".victorpy-grouping").mkdir(parents=True)
    killed.joinpath(".victorpy-grouping/run-000003").write_bytes(b"half")
    killed.joinpath("shard-00001-of-00007.warc.gz").write_bytes(b"of the other run")
    killed.joinpath("notes.txt").write_text("mine")

    group(crawl, killed, Grouping(shards=2))

    assert shards(killed) == shards(folder / "quiet") | {"notes.txt": b"mine"}


def test_a_finished_run_is_not_overwritten(folder, crawl):
    group(crawl, folder / "out", Grouping())
    before = shards(folder / "out")

    with pytest.raises(UsageError, match="has the files of another run"):
        group(crawl[:1], folder / "out", Grouping())

    assert shards(folder / "out") == before


def test_two_runs_do_not_share_a_folder(folder, crawl):
    work = folder / "out/.victorpy-grouping"
    work.mkdir(parents=True)
    other = os.open(work, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)

    with pytest.raises(VictorError, match="another run writes into this folder"):
        group(crawl, folder / "out", Grouping())
    os.close(other)

    assert work.is_dir()
