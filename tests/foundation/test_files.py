import contextlib
import os
import sys
from itertools import count

import pytest
from power import disk_of

from victorpy.errors import VictorError
from victorpy.foundation import files
from victorpy.foundation.files import create, read_text, write_text, written_whole


def test_folders_are_made_as_needed(tmp_path):
    write_text(tmp_path / "a" / "b.txt", "čau\r\n")

    assert read_text(tmp_path / "a" / "b.txt") == "čau\r\n"


def test_what_breaks_off_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "x.txt"
    write_text(target, "old")

    with pytest.raises(TypeError), written_whole(target) as file:
        file.write(b"ne")
        file.write("w")  # no bytes

    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["x.txt"]


def test_an_unwritable_place_is_named(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(VictorError, match=r"file/x\.txt: cannot be written"):
        write_text(tmp_path / "file" / "x.txt", "")


def test_a_text_that_is_not_utf8_is_named(tmp_path):
    (tmp_path / "x").write_bytes(b"ab\xff")

    with pytest.raises(VictorError, match="x: is not UTF-8: byte 2 is 0xff"):
        read_text(tmp_path / "x")


@pytest.mark.parametrize("name", ["x" * 300, "/".join(["folder"] * 700)], ids=["name", "path"])
def test_a_name_that_is_too_long_is_named(tmp_path, name):
    with pytest.raises(VictorError, match="cannot be written: File name too long"):
        write_text(tmp_path / name, "text")


def test_a_draft_never_follows_a_link(tmp_path, monkeypatch):
    names = iter([bytes(8), b"\x11" * 8])
    monkeypatch.setattr("victorpy.foundation.files.os.urandom", lambda _: next(names))
    (tmp_path / "victim").write_text("mine")
    (tmp_path / f".victorpy-{'0' * 16}.part").symlink_to("victim")
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("victorpy.foundation.files._remove_drafts", lambda _: None)

    write_text(tmp_path / "x.txt", "text")

    assert ((tmp_path / "victim").read_text(), (tmp_path / "x.txt").read_text()) == ("mine", "text")


def test_the_name_of_a_draft_cannot_be_guessed(tmp_path):
    names = set()
    for _ in range(3):
        with written_whole(tmp_path / "x.txt"):
            names |= {name for name in os.listdir(tmp_path) if name.endswith(".part")}

    assert len(names) == 3


def test_the_draft_of_a_killed_process_is_removed_and_that_of_a_living_one_stays(tmp_path):
    left = tmp_path / f".victorpy-{'a' * 16}.part"
    left.write_bytes(b"half of")
    with written_whole(tmp_path / "x.txt"):
        assert not left.exists()
        [draft] = [name for name in os.listdir(tmp_path) if name.endswith(".part")]
        files._remove_drafts.cache_clear()
        write_text(tmp_path / "y.txt", "text")
        assert draft in os.listdir(tmp_path)

    assert sorted(os.listdir(tmp_path)) == ["x.txt", "y.txt"]


@pytest.mark.parametrize("write", [write_text, lambda path, text: create(path, text.encode())], ids=["write", "create"])
def test_ctrl_c_after_any_call_leaves_the_whole_file_or_none(tmp_path, write):
    endings = []
    for number in count(1):
        path = tmp_path / str(number) / "x.txt"
        path.parent.mkdir()
        came = with_ctrl_c(number, lambda path=path: write(path, "whole"))
        assert {name: (path.parent / name).read_text() for name in os.listdir(path.parent)} in ({}, {"x.txt": "whole"})
        endings.append(path.exists())
        if not came:
            break

    assert (endings[0], endings[-2:]) == (False, [True, True])


def with_ctrl_c(number, act):
    """Act, with Ctrl-C at one of the places where CPython looks for it: at the start of a function, or after one in C.

    Whether there are so many places.
    """
    left, watched = number, {files.__file__, contextlib.__file__}

    def look(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename in watched and event in ("call", "c_return"):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    previous = sys.getprofile()
    try:
        sys.setprofile(look)
        act()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(previous)
    return left <= 0


def test_of_two_that_create_a_file_one_does(tmp_path):
    assert create(tmp_path / "a" / "x.txt", b"one")
    assert not create(tmp_path / "a" / "x.txt", b"two")
    assert (tmp_path / "a" / "x.txt").read_bytes() == b"one"
    assert os.listdir(tmp_path / "a") == ["x.txt"]


def test_what_is_written_survives_a_power_failure(tmp_path):
    root = tmp_path / "disk"
    root.mkdir()
    with disk_of(root) as disk:
        write_text(root / "a" / "b" / "x.txt", "old")
        write_text(root / "a" / "b" / "x.txt", "new")
        create(root / "c" / "y.txt", b"made")
        disk.fails(tmp_path / "after")

    assert (tmp_path / "after" / "a" / "b" / "x.txt").read_text() == "new"
    assert (tmp_path / "after" / "c" / "y.txt").read_text() == "made"


def test_what_is_not_synced_is_lost_by_a_power_failure(tmp_path):
    root = tmp_path / "disk"
    root.mkdir()
    with disk_of(root) as disk:
        write_text(root / "x.txt", "text", is_durable=False)
        disk.fails(tmp_path / "after")

    assert os.listdir(tmp_path / "after") == []
