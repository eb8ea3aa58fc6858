"""What a command has written when it ends survives a power failure."""

import os

import pytest
from archives import answer, packed, warc
from power import disk_of
from small_pages import article


@pytest.fixture
def root(folder):
    """The folder on a disk that loses what nobody made sure of."""
    folder.joinpath("disk").mkdir()
    return folder / "disk"


@pytest.mark.process
def test_a_trained_model(victor, root, annotations, small_config):
    with disk_of(root) as disk:
        assert victor("train", annotations, "-c", small_config, "-m", root / "models" / "mine").status == 0
        disk.fails(root.with_name("after"))

    words = ["explain", root.with_name("after") / "models" / "mine", "-t", "transitions"]
    assert victor(*words).status == 0


@pytest.mark.process
def test_a_run(victor, root, site, model):
    with disk_of(root) as disk:
        assert victor("run", site, "-m", model, "-o", root / "runs" / "one", "--part-pages", 5, "-j", 1).status == 0
        disk.fails(root.with_name("after"))

    assert victor("verify", root.with_name("after") / "runs" / "one").status == 0


@pytest.mark.process
def test_a_deduplicated_run_with_a_quarantine(victor, root, site, model):
    words = ["--deduplicate", "--quarantine", root / "failed.jsonl", "-j", 1]
    with disk_of(root) as disk:
        assert victor("run", site, "-m", model, "-o", root / "run", *words).status == 0
        disk.fails(root.with_name("after"))

    assert victor("verify", root.with_name("after") / "run").status == 0
    assert root.with_name("after").joinpath("failed.jsonl").exists()


@pytest.mark.process
@pytest.mark.parametrize("output", ["texts/", "texts.jsonl", "deep/er/texts.txt"])
def test_cleaned_texts(victor, root, site, model, output):
    with disk_of(root) as disk:
        assert victor("clean", site, "-m", model, "-o", f"{root}/{output}", "-j", 1).status == 0
        disk.fails(root.with_name("after"))

    assert contents(root.with_name("after")) == contents(root)


@pytest.mark.process
def test_grouped_records(victor, root, folder):
    records = [warc(number, answer(article(number)[0].encode())) for number in range(3)]
    folder.joinpath("crawl.warc.gz").write_bytes(packed(records, ".gz"))
    with disk_of(root) as disk:
        assert victor("group-by-host", "crawl.warc.gz", "-o", root / "hosts").status == 0
        disk.fails(root.with_name("after"))

    assert contents(root.with_name("after")) == contents(root)


def contents(folder):
    return {os.path.relpath(path, folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
