"""From the F1 that probabilities promise to the F1 to expect."""

from typing import NamedTuple

from victorpy import _core


class Calibration(NamedTuple):
    """The log odds of an expected F1 are multiplied by `scale`, and `shift` is added."""

    scale: float = 1.0
    shift: float = 0.0

    def of(self, expected: float) -> float:
        return expected if self == NO_CALIBRATION else _core.calibrated(expected, self.scale, self.shift)


NO_CALIBRATION = Calibration()
