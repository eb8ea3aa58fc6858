"""Options read without a YAML parser: the same as with one, or an error."""

from dataclasses import dataclass
from typing import Literal

import pytest

from victorpy.foundation import yaml_options
from victorpy.foundation.plain_options import made, section


@dataclass(frozen=True)
class Oven:
    mode: Literal["bake", "grill"] = "bake"
    heat: float = 180.0
    keeps_warm: bool = False
    shelf_names: tuple[str, ...] = ("top",)


OVENS = [Oven(), Oven("grill", -0.5, True, ("low", "middle-2", "h1")), Oven(heat=1e-3, shelf_names=())]


@pytest.mark.parametrize("oven", OVENS, ids=["the defaults", "all changed", "an empty list"])
def test_what_is_written_is_read(oven):
    text = yaml_options.dump(oven)

    assert made(Oven, section(text.splitlines())) == oven == yaml_options.read(Oven, text)


@pytest.mark.parametrize(
    "text",
    [
        "mode: 'bake'",
        "mode: toast",
        "mode: null",
        "mode: &name bake",
        "mode: bake # and more",
        "mode: bake\nmode: grill",
        "mode:\n  bake",
        "heat: warm",
        "heat: .inf",
        "keeps-warm: yes",
        "shelf-names: [low]",
        "shelf-names: low",
        "shelf-names:\n- low: top",
        "shelf-names:\n- - low",
        "rack: low",
        "? mode\n: bake",
        "{mode: bake}",
        "--- \nmode: bake",
        "  low\nmode: bake",
    ],
)
def test_whatever_else_yaml_may_say_is_an_error(text):
    with pytest.raises((ValueError, KeyError)):
        made(Oven, section(text.splitlines()))
