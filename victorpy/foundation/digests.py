"""What a figure depends on, in short: digests of data, and the versions at work."""

import platform
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from victorpy import __version__
from victorpy.errors import UsageError

_PACKAGES = ("cydifflib", "lxml", "numpy", "pandas", "python-crfsuite", "RapidFuzz", "scikit-learn")


def data_digest(paths: Iterable[Path]) -> str:
    """Of the contents of files and the names they have, whatever folder they are in."""
    return digest(part for path in sorted(paths) for part in (path.name, _content(path)))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(error.strerror or str(error), path) from error


def digest(parts: Iterable[str | bytes]) -> str:
    """Of all parts in their order."""
    total = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(sha256(content).digest())
    return f"sha256:{total.hexdigest()}"


def versions() -> dict[str, str]:
    return {"victorpy": __version__, "python": platform.python_version()} | {name: version(name) for name in _PACKAGES}
