"""The kind and the group of each page, read from a tab-separated table."""

from pathlib import Path
from typing import NamedTuple

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import read_text


class Membership(NamedTuple):
    """The kind of a page, and its group: pages of one group (a site) always share a fold."""

    kind: str = ""
    group: str = ""


def read_memberships(path: Path) -> dict[str, Membership]:
    """Each line holds a page's id, its kind and, optionally, its group."""
    if not path.is_file():
        raise UsageError("no such file", path)
    found: dict[str, tuple[int, Membership]] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            id, membership = _parsed(line, path, number)
            first, known = found.setdefault(id, (number, membership))
            if known != membership:
                raise VictorError(f"'{id}' has another kind or group than in line {first}", path, number)
    return {id: membership for id, (_, membership) in found.items()}


def _parsed(line: str, path: Path, number: int) -> tuple[str, Membership]:
    id, *rest = line.split("\t")
    if not 1 <= len(rest) <= 2:
        columns = f"{len(rest) + 1} column{'s' * bool(rest)}"
        raise VictorError(f"expected id, kind and (optionally) group separated by tabs, got {columns}", path, number)
    return id, Membership(*rest)


def read_kinds(path: Path | None) -> dict[str, str]:
    """The kinds alone; no table, no kinds."""
    return {id: membership.kind for id, membership in read_memberships(path).items()} if path else {}
