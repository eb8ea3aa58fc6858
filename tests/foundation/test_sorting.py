import random
from pathlib import Path

import pytest

from victorpy.foundation.sorting import Sorter

ITEMS = [(number.to_bytes(4), bytes([number % 251]) * (number % 700)) for number in range(3_000)]


def sorted_by(sorter, items):
    for key, data in items:
        sorter.add(key, [data[:300], data[300:]])
    return [(item.key, b"".join(item.pieces)) for item in sorter.merged()]


@pytest.mark.slow
@pytest.mark.parametrize("max_memory", [500, 5_000, 10_000_000])
def test_all_comes_out_by_its_keys_however_little_memory_there_is(tmp_path, max_memory):
    shuffled = random.Random(3).sample(ITEMS, len(ITEMS))

    assert sorted_by(Sorter(tmp_path, max_memory), shuffled) == ITEMS


@pytest.mark.slow
def test_what_is_not_asked_for_is_passed_over(tmp_path):
    sorter = Sorter(tmp_path, 500)
    for key, data in ITEMS[::-1]:
        sorter.add(key, [data])

    assert [item.key for item in sorter.merged()] == [key for key, _ in ITEMS]


@pytest.mark.parametrize("size", [10, 100_000])
def test_what_breaks_off_is_not_added(tmp_path, size):
    def broken():
        yield b"x" * size
        raise EOFError

    sorter = Sorter(tmp_path, 5_000)
    sorter.add(b"a", [b"before"])
    with pytest.raises(EOFError):
        sorter.add(b"b", broken())
    sorter.add(b"c", [b"behind"])

    assert [(item.key, *item.pieces) for item in sorter.merged()] == [(b"a", b"before"), (b"c", b"behind")]


def test_the_runs_never_grow_many_files_open(tmp_path, monkeypatch):
    opened = []
    original = Path.open
    monkeypatch.setattr(Path, "open", lambda path, *rest: opened.append(original(path, *rest)) or opened[-1])
    most = 0
    sorter = Sorter(tmp_path, 1)
    for key, data in ITEMS[:500]:
        sorter.add(key, [data, b"."])
    for _ in sorter.merged():
        most = max(most, sum(not file.closed for file in opened))

    assert most <= 64
