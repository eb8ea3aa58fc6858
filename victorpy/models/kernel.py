"""The instructions of the CPU that networks are computed with."""

import os

from victorpy import _core
from victorpy.errors import UsageError

_VARIABLE = "VICTOR_KERNEL"


def kernel() -> str | None:
    """The kernel that the environment names; None is the fastest of this CPU."""
    name = os.environ.get(_VARIABLE)
    if name and name not in _core.KERNELS:
        raise UsageError(f"this CPU has no kernel '{name}', only {', '.join(_core.KERNELS)}", _VARIABLE)
    return name or None
