"""Counts what the server does, for `/metrics` in the text format of Prometheus."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from victorpy.serve.worker_pool import WorkerPool

_BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class ServerMetrics:
    """Counts since the start."""

    def __init__(self) -> None:
        self.requests = Counter[int]()
        self.pages = Counter[str]()
        self._times = Counter[float]()
        self._seconds = 0.0

    def add_page(self, status: str, seconds: float) -> None:
        self.pages[status] += 1
        self._seconds += seconds
        self._times[next((bound for bound in _BOUNDS if seconds <= bound), float("inf"))] += 1

    def text(self, pools: Mapping[str, WorkerPool]) -> str:
        lines = [
            *_counter("victor_requests_total", "Answers by their HTTP status.", "code", self.requests),
            *_counter("victor_pages_total", "Pages by their outcome.", "status", self.pages),
            *self._histogram(),
            *_gauge("victor_workers_busy", "Processes that work.", {name: pool.busy for name, pool in pools.items()}),
            *_gauge("victor_waiting", "Tasks that wait.", {name: len(pool.waiting) for name, pool in pools.items()}),
            *_gauge(
                "victor_workers_replaced", "Processes that died or were ended.", {k: p.deaths for k, p in pools.items()}
            ),
            "# HELP process_resident_memory_bytes Memory of the server without its child processes.",
            "# TYPE process_resident_memory_bytes gauge",
            f"process_resident_memory_bytes {_resident()}",
        ]
        return "\n".join([*lines, ""])

    def _histogram(self) -> Iterator[str]:
        yield "# HELP victor_page_seconds The time from request to result of a page."
        yield "# TYPE victor_page_seconds histogram"
        total = 0
        for bound in _BOUNDS:
            total += self._times[bound]
            yield f'victor_page_seconds_bucket{{le="{bound:g}"}} {total}'
        yield f'victor_page_seconds_bucket{{le="+Inf"}} {self._times.total()}'
        yield f"victor_page_seconds_sum {self._seconds:.6f}"
        yield f"victor_page_seconds_count {self._times.total()}"


def _counter(name: str, help: str, label: str, counts: "Counter[int] | Counter[str]") -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} counter"
    for value, count in sorted(counts.items(), key=str):
        yield f'{name}{{{label}="{value}"}} {count}'


def _gauge(name: str, help: str, values: Mapping[str, int]) -> Iterator[str]:
    yield f"# HELP {name} {help}"
    yield f"# TYPE {name} gauge"
    for pool, value in values.items():
        yield f'{name}{{pool="{pool}"}} {value}'


_STATUS = Path("/proc/self/status")


def _resident() -> int:
    """The memory of this process in bytes; 0 on systems without /proc."""
    try:
        lines = _STATUS.read_text("ascii", "replace").splitlines()
    except OSError:
        return 0
    found = (int(line.split()[1]) * 1_024 for line in lines if line.startswith("VmRSS:"))
    return next(found, 0)
