"""The other cleaners of CLEANEVAL 2007, after the survey in V. Baisa, Web content cleaning (2009), section 1.2."""

from typing import Literal, get_args

from victorpy.foundation.bounds import check_choice

# By the letter of what was published, or as it cleans best.
Setting = Literal["best", "letter"]


def check_setting(setting: str) -> None:
    check_choice(setting, get_args(Setting), "setting")
