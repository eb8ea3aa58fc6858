"""A model and its card are replaced together, whatever happens meanwhile."""

import os
from contextlib import suppress
from functools import partial
from itertools import count

import pytest
from power import disk_of

from victorpy.errors import VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.paired_files import digest_of, paired_data, read_pair, write_pair

CONTENTS = [b"old weights", b"new weights"]


def write(folder, content):
    write_pair(folder / "weights.npz", content, folder / "model.yaml", f"digest {digest_of(content)}\n")


def read(folder):
    def found(card):
        content = paired_data(folder / "weights.npz", card.split()[1])
        if content is None:
            raise VictorError("a mixed pair", folder)
        return content

    return read_pair(folder / "model.yaml", found)


def test_a_pair_is_two_files(tmp_path):
    write(tmp_path, b"old weights")
    write(tmp_path, b"new weights")

    assert read(tmp_path) == b"new weights"
    assert sorted(os.listdir(tmp_path)) == ["model.yaml", "weights.npz"]


CALLS = ("fsync", "replace", "unlink", "open")


def before_call(number, act):
    """Do something before the n-th of the calls that change files; tell whether there were so many."""
    calls, done = count(1), []

    def call(real, *words, **named):
        if next(calls) == number:
            done.append(number)
            act()
        return real(*words, **named)

    return {name: partial(call, getattr(os, name)) for name in CALLS}, done


class BrokenError(Exception):
    pass


@pytest.mark.parametrize("error", [BrokenError, KeyboardInterrupt, OSError])
def test_an_error_at_any_point_leaves_one_of_the_pairs_and_nothing_else(tmp_path, error):
    def fail():
        raise error

    for number in count(1):
        folder = tmp_path / str(number)
        write(folder, b"old weights")
        calls, done = before_call(number, fail)
        with pytest.MonkeyPatch.context() as patch:
            for name, call in calls.items():
                patch.setattr(os, name, call)
            with suppress(VictorError, error):
                write(folder, b"new weights")
        if not done:
            break
        assert read(folder) in CONTENTS
        assert {"model.yaml", "weights.npz"} <= set(os.listdir(folder))
        write(folder, b"third")
        assert read(folder) == b"third"
        assert sorted(os.listdir(folder)) == ["model.yaml", "weights.npz"]
    assert number > 10


@pytest.mark.process
def test_a_kill_at_any_point_leaves_one_of_the_pairs_and_the_next_start_removes_the_rest(tmp_path):
    for number in count(1):
        folder = tmp_path / str(number)
        ended(partial(write, folder, b"old weights"))
        if ended(partial(killed_before, number, partial(write, folder, b"new weights"))) == 0:
            break
        assert read(folder) in CONTENTS
        ended(partial(write, folder, b"third"))
        assert read(folder) == b"third"
        assert sorted(os.listdir(folder)) == ["model.yaml", "weights.npz"]
    assert number > 10


def killed_before(number, work):
    calls, _ = before_call(number, partial(os._exit, 9))
    for name, call in calls.items():
        setattr(os, name, call)
    work()


def ended(work):
    """The exit status of a process that does it."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_power_failure_at_any_point_leaves_one_of_the_pairs(tmp_path):
    root = tmp_path / "disk"
    write(root / "models" / "mine", b"old weights")
    with disk_of(root) as disk:
        write(root / "models" / "mine", b"new weights")

        for state in disk.past:
            disk.fails(tmp_path / "after", state)
            assert read(tmp_path / "after" / "models" / "mine") in CONTENTS
    assert len(disk.past) >= 5


def test_a_power_failure_after_the_end_loses_nothing(tmp_path):
    root = tmp_path / "disk"
    root.mkdir()
    with disk_of(root) as disk:
        write(root / "models" / "mine", b"old weights")
        disk.fails(tmp_path / "after")

    assert read(tmp_path / "after" / "models" / "mine") == b"old weights"
    assert sorted(os.listdir(tmp_path / "after" / "models" / "mine")) == ["model.yaml", "weights.npz"]


def test_who_reads_while_a_pair_is_replaced_gets_the_new_one(tmp_path):
    write(tmp_path, b"old weights")
    cards = []

    def found(card):
        if not cards:
            write(tmp_path, b"new weights")
        cards.append(card)
        content = paired_data(tmp_path / "weights.npz", card.split()[1])
        if content is None:
            raise VictorError("a mixed pair")
        return content

    assert read_pair(tmp_path / "model.yaml", found) == b"new weights"
    assert len(cards) == 2


def test_a_mixed_pair_is_an_error(tmp_path):
    write(tmp_path, b"old weights")
    (tmp_path / "weights.npz").write_bytes(b"others")

    with pytest.raises(VictorError, match="a mixed pair"):
        read(tmp_path)
    assert read_text(tmp_path / "model.yaml")


@pytest.mark.parametrize("number", range(1, 4))
def test_a_new_pair_that_could_not_be_written_leaves_nothing_behind(tmp_path, monkeypatch, number):
    real, calls = os.fsync, count(1)

    def fsync(file):
        if next(calls) >= number:
            raise OSError(28, "No space left on device")
        real(file)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(VictorError):
        write(tmp_path, b"new weights")

    assert not [name for name in os.listdir(tmp_path) if name.startswith(".weights")]
