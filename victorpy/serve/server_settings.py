"""The options of the server."""

import os
from dataclasses import dataclass
from pathlib import Path

from victorpy.errors import UsageError
from victorpy.foundation.processes import Limits
from victorpy.models.defaults import DEFAULT_MODEL

A_PAGE = Limits(seconds=10.0, megabytes=1_000)
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """Where the server listens, who may use it, and what a page may take.

    `names` are further names under which browsers may reach the server. `folder` is the folder that views show;
    `annotations` is another folder for its .anno files, and `annotator` is named in these.
    With `allow_fetch`, requests may name the address of a page instead of the page.
    A client may pause for `idle_seconds`, and take `body_seconds` to send a page. Without `jobs`, pages are cleaned in
    this process, without limits: for tests.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    names: tuple[str, ...] = ()
    folder: Path = Path()
    annotations: Path | None = None
    annotator: str = ""
    model: str = DEFAULT_MODEL
    jobs: int = os.cpu_count() or 1
    limits: Limits = A_PAGE
    max_bytes: int = 32_000_000
    allow_fetch: bool = False
    max_batch_bytes: int = 1_000_000_000
    idle_seconds: float = 10.0
    body_seconds: float = 120.0
    max_connections: int = 2_000

    def __post_init__(self) -> None:
        if not self.is_local and not self.token:
            raise UsageError(f"a server on {self.host} needs a token: others can reach it")

    @property
    def is_local(self) -> bool:
        """Can only programs of this machine reach the server?"""
        return self.host in LOOPBACK
