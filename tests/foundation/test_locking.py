import os

import pytest

from victorpy.foundation.locking import LockedError, is_at, locked


def test_a_locked_file_is_not_locked_again_and_shows_what_it_holds(tmp_path):
    path = tmp_path / "journal"
    with locked(path) as file:
        file.write(b"one")
        file.flush()

        with pytest.raises(LockedError) as error:
            locked(path)

    assert error.value.content == b"one"


def test_a_closed_file_can_be_locked_again(tmp_path):
    locked(tmp_path / "journal").close()

    locked(tmp_path / "journal").close()


def test_an_open_file_that_was_replaced_is_not_the_file_at_its_path(tmp_path):
    path, other = tmp_path / "journal", tmp_path / "other"
    with path.open("wb") as file:
        assert is_at(path, file.fileno())
        other.touch()
        os.replace(other, path)

        assert not is_at(path, file.fileno())
        path.unlink()
        assert not is_at(path, file.fileno())
