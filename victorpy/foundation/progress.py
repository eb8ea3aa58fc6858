"""Progress bars on a terminal; elsewhere nothing is shown."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from victorpy.foundation.terminal import bare, escaped_line

Item = TypeVar("Item")


def shown(items: Iterable[Item], total: int | None, unit: str) -> Iterator[Item]:
    """The items, with a progress bar on standard error."""
    if (total is not None and total < 2) or not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm  # noqa: PLC0415

    tqdm.monitor_interval = 0  # its thread would prevent forking child processes

    yield from tqdm(items, total=total, unit=f" {unit}", file=bare(sys.stderr), leave=False)


class Bar:
    """A bar for bytes, with a text beside it."""

    def __init__(self, total: int):
        from tqdm import tqdm  # noqa: PLC0415

        tqdm.monitor_interval = 0  # as above
        form = "{percentage:3.0f} %|{bar:20}| {desc} [{elapsed}<{remaining}]"
        self._bar = tqdm(total=total, file=bare(sys.stderr), leave=False, bar_format=form, dynamic_ncols=True)

    def show(self, place: int, words: str) -> None:
        self._bar.n = place
        self._bar.set_description_str(escaped_line(words))

    def close(self) -> None:
        self._bar.close()
