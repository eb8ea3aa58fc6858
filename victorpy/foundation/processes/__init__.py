"""Work in child processes: a task that kills its process, hangs or uses all memory harms no other task.

Only `limits` and `mapping` are imported here: `multiprocessing` takes longer to import than a page to clean.
"""

from victorpy.foundation.processes.limits import Crash, Limits
from victorpy.foundation.processes.mapping import apart, mapped

__all__ = ["Crash", "Limits", "apart", "mapped"]
