"""A file of data and a card with its digest, replaced together: whatever ends the writer, both are of one version.

The card decides. New data wait under a name with their digest until the card is replaced, and get their own name after.
"""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from victorpy.errors import VictorError
from victorpy.foundation.files import read_bytes, read_text, sync_folder, write_text, written_whole

T = TypeVar("T")


def digest_of(content: bytes) -> str:
    return sha256(content).hexdigest()


def _waiting(data: Path, digest: str) -> Path:
    return data.with_name(f".{data.name}-{digest}")


def write_pair(data: Path, content: bytes, card: Path, text: str) -> None:
    """Write the data, and the card, which holds their digest."""
    waiting = _waiting(data, digest_of(content))
    try:
        with written_whole(waiting) as file:
            file.write(content)
        write_text(card, text)
    except BaseException:
        if not _is(card, text):
            with suppress(OSError):  # the disk may be read-only by now
                waiting.unlink()
        raise
    try:
        os.replace(waiting, data)
        _remove_waiting(data)
        sync_folder(data.parent)
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", data) from error


def _is(card: Path, text: str) -> bool:
    try:
        return read_text(card) == text
    except VictorError:
        return False


def _remove_waiting(data: Path) -> None:
    """Remove what writers left that were killed before they replaced the card."""
    name = re.compile(rf"\.{re.escape(data.name)}-[0-9a-f]{{64}}")
    for path in data.parent.iterdir():
        if name.fullmatch(path.name):
            path.unlink(missing_ok=True)


def paired_data(data: Path, digest: str) -> bytes | None:
    """The data with this digest; None if neither file has it."""
    content = read_bytes(data) if data.exists() else None
    if content is not None and digest_of(content) == digest:
        return content
    waiting = _waiting(data, digest)
    if re.fullmatch("[0-9a-f]{64}", digest) and waiting.exists():
        content = read_bytes(waiting)
        return content if digest_of(content) == digest else None
    if content is None:
        data.read_bytes()  # the error of a missing file
    return None


def read_pair(card: Path, read: Callable[[str], T]) -> T:
    """What is read of a card and its data. If the card is replaced meanwhile, both are read again."""
    text = read_text(card)
    while True:
        try:
            return read(text)
        except VictorError:
            now = read_text(card)
            if now == text:
                raise
            text = now
