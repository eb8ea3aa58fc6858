"""The choice of CPU instructions for networks."""

import os

from victorpy import _core
from victorpy.errors import UsageError

_VARIABLE = "VICTOR_KERNEL"


def kernel() -> str | None:
    """The kernel in the environment variable; None is the fastest for this CPU."""
    name = os.environ.get(_VARIABLE)
    if name and name not in _core.KERNELS:
        raise UsageError(f"this CPU has no kernel '{name}', only {', '.join(_core.KERNELS)}", _VARIABLE)
    return name or None
