import os

import pytest

from victorpy.errors import VictorError
from victorpy.foundation.files import read_text, write_text, written_whole


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
