"""The progress and the speed of a run."""

import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from victorpy.foundation.progress import Bar
from victorpy.output.cleaned import Status
from victorpy.pipeline.runs.parts import RecordOutcome
from victorpy.pipeline.runs.shards import Shard

log = logging.getLogger("victorpy")

_SECONDS_BETWEEN_LINES = 60.0
_SECONDS_ON_A_TERMINAL = 0.2


class Meter:
    """Counts what is done and shows it: as a bar on a terminal, elsewhere as a line from time to time."""

    def __init__(self, shards: Sequence[Shard], done: Sequence[Shard] = (), *, has_bar: bool = False):
        self.counts, self.bytes = Counter[Status](), 0
        self._sizes = {shard.number: shard.size() for shard in shards}
        self.total = sum(self._sizes.values())
        self._before = sum(self._sizes[shard.number] for shard in done)
        self.place = self._begun_at = self._before
        self._began = self._last = time.monotonic()
        self._bar = Bar(self.total) if has_bar and sys.stderr.isatty() else None
        self._pause = _SECONDS_ON_A_TERMINAL if self._bar else _SECONDS_BETWEEN_LINES

    def watch(self, shard: Shard, entries: Iterator[RecordOutcome]) -> Iterator[RecordOutcome]:
        """Counts the entries and passes them on."""
        for entry in entries:
            self.counts[entry.outcome.status] += 1
            self.bytes += entry.size
            self.place = self._before + min(entry.offset, self._sizes[shard.number])
            self._show_sometimes()
            yield entry
        self._end(shard)

    def finished(self, shard: Shard, statuses: Mapping[Status, int], size: int = 0) -> None:
        """Counts a shard that another machine has done."""
        self.counts.update(statuses)
        self.bytes += size
        self._end(shard)
        self._show_sometimes()

    def _end(self, shard: Shard) -> None:
        self._before += self._sizes[shard.number]
        self.place = self._before

    def _show_sometimes(self) -> None:
        now = time.monotonic()
        if now - self._last >= self._pause:
            self._last = now
            self._show()

    def _show(self) -> None:
        if self._bar:
            self._bar.show(self.place, self.words())
        else:
            left = f", {_clock(self.seconds_left())} left" if self.seconds_left() is not None else ""
            log.warning("%s, %.0f %%%s", self.words(), 100 * self.share(), left, extra={"facts": self.facts()})

    def words(self) -> str:
        seconds = self._seconds()
        ended = ", ".join(f"{count:,} {status}" for status, count in self.counts.most_common())
        rates = f"{self.counts.total() / seconds:,.0f} pages/s, {self.bytes / seconds / 1e6:,.1f} MB/s"
        return f"{self.counts.total():,} pages ({ended}), {rates}"

    def facts(self) -> dict[str, Any]:
        seconds = self._seconds()
        return {
            "pages": self.counts.total(),
            "statuses": dict(sorted(self.counts.items())),
            "pages_per_second": round(self.counts.total() / seconds, 2),
            "megabytes_per_second": round(self.bytes / seconds / 1e6, 3),
            "share": round(self.share(), 4),
            "seconds_left": self.seconds_left(),
        }

    def share(self) -> float:
        """The share of the input that is done, by bytes."""
        return self.place / self.total if self.total else 1.0

    def seconds_left(self) -> int | None:
        done = self.place - self._begun_at
        return round((self.total - self.place) * self._seconds() / done) if done > 0 else None

    def _seconds(self) -> float:
        return max(time.monotonic() - self._began, 1e-6)

    def close(self) -> None:
        if self._bar:
            self._bar.close()


def _clock(seconds: int | None) -> str:
    minutes, rest = divmod(seconds or 0, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
