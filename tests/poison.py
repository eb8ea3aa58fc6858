"""A job that dies over a page, and takes the process with it that has started its own: importable by workers."""

import os
import signal
from dataclasses import dataclass
from functools import partial

from victorpy.batch import Job

POISON = b"a page that nobody survives"


@dataclass(frozen=True)
class PoisonousJob(Job):
    def worker(self):
        return partial(_deadly, super().worker())


def _deadly(clean, page):
    if POISON in (page.data or b""):
        os.kill(os.getppid(), signal.SIGKILL)
    return clean(page)
