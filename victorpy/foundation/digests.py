"""What a result depends on: digests of data, and versions of packages."""

import platform
from collections.abc import Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from victorpy import __version__
from victorpy.errors import UsageError

_PACKAGES = ("cydifflib", "lxml", "numpy", "pandas", "python-crfsuite", "RapidFuzz", "scikit-learn")


def data_digest(paths: Iterable[Path]) -> str:
    """The digest of the names and contents of files; their folders do not count."""
    return digest(part for path in sorted(paths) for part in (path.name, _content(path)))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(error.strerror or str(error), path) from error


def digest(parts: Iterable[str | bytes]) -> str:
    """The digest of all parts in their order."""
    total = sha256()
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(sha256(content).digest())
    return f"sha256:{total.hexdigest()}"


def versions(*packages: str) -> dict[str, str]:
    """The versions of victorpy, Python and these packages; without names, of those that scores depend on."""
    found = {name: version(name) for name in packages or _PACKAGES}
    return {"victorpy": __version__, "python": platform.python_version(), **found}
