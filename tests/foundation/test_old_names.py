"""Options that have a new name: the old one is read, with a warning."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from victorpy.errors import VictorError
from victorpy.foundation.yaml_options import chosen, node, read, with_current_names


@dataclass(frozen=True)
class Sail:
    square_metres: float = 10.0
    OLD_NAMES: ClassVar[Mapping[str, str]] = {"size": "square-metres"}


@dataclass(frozen=True)
class Boat:
    sail: Sail = field(default_factory=Sail)
    seats: int = 2
    OLD_NAMES: ClassVar[Mapping[str, str]] = {"places": "seats", "cloth": "sail"}


def test_an_option_is_read_by_its_old_name():
    assert read(Boat, "places: 4\nsail: {size: 12}", "boat.yaml") == Boat(Sail(12.0), 4)


def test_a_section_is_read_by_its_old_name():
    assert read(Boat, "cloth: {size: 12}", "boat.yaml") == Boat(Sail(12.0))


def test_an_old_name_gets_one_warning_with_its_line_and_the_new_name(caplog):
    read(Boat, "seats: 3\nsail:\n  size: 12", "boat.yaml")

    assert caplog.messages == [
        "boat.yaml:3: sail.size is now called 'square-metres'; the next version drops the old name"
    ]


def test_a_file_that_no_person_wrote_is_read_without_a_warning(caplog):
    source = with_current_names(Boat, node("places: 4", "model.yaml"), warns=False)

    assert read(Boat, source) == Boat(seats=4)
    assert not caplog.messages


def test_an_option_by_both_of_its_names_is_refused():
    with pytest.raises(VictorError, match=r"^boat\.yaml:2: sail\.size: the old name of 'square-metres', which is"):
        read(Boat, "sail:\n  size: 12\n  square-metres: 13", "boat.yaml")


def test_what_is_wrong_under_an_old_name_keeps_its_line():
    with pytest.raises(VictorError, match=r"^boat\.yaml:1: seats: "):
        read(Boat, "places: many", "boat.yaml")


def test_the_options_of_a_chosen_dataclass_have_old_names_too():
    assert chosen({"boat": Boat}, node("name: boat\nplaces: 4", "boat.yaml"), "vehicle") == Boat(seats=4)
