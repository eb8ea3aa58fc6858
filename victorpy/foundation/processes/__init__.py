"""Work in child processes: a task that kills its process, hangs or uses all memory harms no other task."""

from victorpy.foundation.processes.child import allow_children
from victorpy.foundation.processes.crew import Crew
from victorpy.foundation.processes.limits import Crash, Limits
from victorpy.foundation.processes.mapping import apart, mapped

__all__ = ["Crash", "Crew", "Limits", "allow_children", "apart", "mapped"]
