"""A folder of pages that are asked for again only if they have changed."""

import json
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from victorpy.fetching.exchanges import Exchange
from victorpy.fetching.web_targets import WebTarget
from victorpy.foundation.files import read_bytes, written_whole

# What a server says of a version of a page, and how it is asked whether that is still the last one.
_CONDITIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}

_KEPT = ("status", "reason", "headers", "host_address", "date")


class ResponseCache:
    """Keeps the last whole answer of each address."""

    def __init__(self, folder: str):
        self._folder = Path(folder)

    def kept(self, target: WebTarget) -> Exchange | None:
        """The answer that is kept; None as well if its file is damaged, because it can be fetched again."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            head, _, body = read_bytes(self._path(target)).partition(b"\n")
            facts = json.loads(head)
            if facts["url"] == target.url and facts["digest"] == sha256(body).hexdigest():
                return _exchange(target, facts, body)
        return None

    def keep(self, found: Exchange) -> None:
        """Keep an answer that is whole, and of which the server can say later whether it has changed."""
        is_whole = found.status == 200 and found.is_read and not found.problem and not found.is_too_large
        if not is_whole or not conditions_of(found) or "no-store" in found.fields.get("cache-control", "").lower():
            return
        facts = {name: getattr(found, name) for name in _KEPT}
        facts |= {"url": found.target.url, "digest": sha256(found.body).hexdigest()}
        with written_whole(self._path(found.target), is_durable=False) as file:
            file.write(json.dumps(facts).encode() + b"\n" + found.body)

    def _path(self, target: WebTarget) -> Path:
        name = sha256(target.url.encode()).hexdigest()
        return self._folder / name[:2] / f"{name}.page"


def conditions_of(found: Exchange) -> dict[str, str]:
    """The fields of a request that is answered only by another version."""
    fields = found.fields
    return {_CONDITIONS[name]: fields[name] for name in _CONDITIONS if fields.get(name)}


def again(kept: Exchange, confirmed: Exchange) -> Exchange:
    """The answer that is kept, after the server has confirmed it."""
    return replace(kept, sent=confirmed.sent, date=confirmed.date, record=confirmed.record, is_cached=True)


def _exchange(target: WebTarget, facts: dict[str, Any], body: bytes) -> Exchange:
    return Exchange(
        target=target,
        sent=b"",
        status=int(facts["status"]),
        reason=str(facts["reason"]),
        headers=tuple((str(name), str(value)) for name, value in facts["headers"]),
        body=body,
        is_read=True,
        problem="",
        is_too_large=False,
        host_address=str(facts["host_address"]),
        date=str(facts["date"]),
    )
