"""`victor group-by-host`"""

import pytest
from archives import answer, packed, warc


@pytest.fixture
def crawl(folder):
    hosts = ["tide.example", "harbour.example", "tide.example"]
    records = [warc(number, answer(), WARC_Target_URI=f"https://{host}/{number}") for number, host in enumerate(hosts)]
    path = folder / "crawl" / "old" / "x.warc.gz"
    path.parent.mkdir(parents=True)
    path.write_bytes(packed([warc(9, kind="warcinfo", block=b"ours"), *records], ".gz"))
    return path


def test_a_folder_of_archives_is_regrouped(victor, folder, crawl):
    ran = victor("group-by-host", "crawl", "-o", "out", "--shards", 1, "--max-memory", 1)

    told = "4 records read: 3 of 2 hosts in 1 files; 1 without a host dropped: 1 warcinfo"
    assert (ran.status, ran.out, ran.err) == (0, "", f"victor: {told}\n")
    assert [path.name for path in folder.joinpath("out").iterdir()] == ["shard-00000-of-00001.warc.gz"]


def test_damage_is_told_and_gives_status_1(victor, folder, crawl):
    crawl.write_bytes(crawl.read_bytes()[:-60])

    ran = victor("group-by-host", "crawl/*/*.gz", "-o", "out")

    assert ran.status == 1
    assert "x.warc.gz: the file is cut off" in ran.err
    assert "3 records read: 2 of 2 hosts" in ran.err


@pytest.mark.parametrize("words", [["gone.warc"], ["-"], ["crawl", "--shards", "0"]])
def test_wrong_usage_makes_no_folder(victor, folder, crawl, words):
    assert victor("group-by-host", *words, "-o", "out").status == 2
    assert not folder.joinpath("out").exists()
