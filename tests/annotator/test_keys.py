import pytest

from victorpy.annotator.controller import _CONTROLLER_ACTIONS, _SESSION_ACTIONS
from victorpy.annotator.keys import KNOWN_KEYS, NAMES, STANDARD, bar, help_lines, load, loads, shown
from victorpy.errors import VictorError


def test_every_action_has_keys_of_its_own():
    keys = [key for keys in STANDARD.values() for key in keys]

    assert len(keys) == len(set(keys))
    assert all(STANDARD.values())
    assert all(key in KNOWN_KEYS or len(key) == 1 for key in keys)


def test_every_action_does_something():
    assert NAMES.keys() == _SESSION_ACTIONS.keys() | _CONTROLLER_ACTIONS.keys()


def test_the_help_names_every_key():
    text = " ".join(f"{keys} " for keys, _ in help_lines(STANDARD))

    assert all(f"{shown(key)} " in text for keys in STANDARD.values() for key in keys)


def test_keys_of_a_file_take_the_place_of_the_standard_ones(tmp_path):
    tmp_path.joinpath("keys.yaml").write_text("undo: z\nlabel-o: [x, 0]\n")

    keys = load(tmp_path / "keys.yaml")

    assert keys["undo"] == ("z",)
    assert keys["label-o"] == ("x", "0")
    assert keys["unlabel"] == ("backspace", "delete")
    assert keys["label-p"] == STANDARD["label-p"]
    assert ("z", "undo") in bar(keys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("save: w\nudno: z", "keys.yaml:2: udno: no such action; did you mean 'undo'?"),
        ("undo: crtl-z", "keys.yaml:1: undo: no such key: 'crtl-z'; did you mean 'ctrl-z'?"),
        ("undo: [z, 'y y']", "keys.yaml:1: undo: no such key: 'y y'"),
        ("undo: ctrl-m", "keys.yaml:1: undo: no such key: 'ctrl-m'"),
        ("undo: y\nredo: y", "keys.yaml:2: redo: key 'y' is also given to undo"),
        ("quit: []", "keys.yaml:1: quit: needs at least one key"),
        ("search: q\ngo: ctrl-c", "keys.yaml:1: quit: needs at least one key"),
        ("undo", "keys.yaml:1: expected options, got 'undo'"),
        ("undo: [", "keys.yaml:2: not valid YAML"),
    ],
)
def test_what_does_not_do_in_a_file_is_told_with_its_line(text, message):
    with pytest.raises(VictorError) as error:
        loads(text, "keys.yaml")

    assert str(error.value).startswith(message)


def test_an_action_may_go_without_a_key():
    keys = loads("browser: []")

    assert keys["browser"] == ()
    assert "browser" not in [name for _, name in bar(keys)]


@pytest.mark.parametrize(
    ("key", "sign"),
    [("-", "-"), ("P", "P"), ("ctrl-z", "Ctrl-Z"), ("shift-up", "Shift-↑"), ("page-down", "PgDn"), ("f1", "F1")],
)
def test_keys_are_shown_as_keyboards_have_them(key, sign):
    assert shown(key) == sign
