"""Writes records of web archives."""

from collections.abc import Mapping
from pathlib import Path

from victorpy.errors import UsageError
from victorpy.foundation.compression import bare_name, packed_alone


def archived(fields: Mapping[str, str], content: bytes) -> bytes:
    """A WARC record with the fields that have a value."""
    lines = [f"{name}: {value}\r\n" for name, value in fields.items() if value]
    head = "".join(["WARC/1.0\r\n", *lines, f"Content-Length: {len(content)}\r\n\r\n"])
    return head.encode("utf-8", "replace") + content + b"\r\n\r\n"


def check_new(path: str) -> None:
    """Raises an error if an archive cannot have this name, before anything is fetched."""
    if not bare_name(path).endswith(".warc"):
        raise UsageError("the name of a web archive ends in .warc, .warc.gz or .warc.zst", path)
    if Path(path).exists():
        raise UsageError("this file exists: name a new one, because archives are not replaced", path)
    packed_alone(b"", path)
