"""A page on its way to a child process, and the answer on its way back."""

import json
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from victorpy.serve.clean_options import CleanOptions

Work = Literal["clean", "explain", "perplexity", "warm-up"]


# The tables of an explanation that take no time to speak of; "flips" tries each value of each feature.
QUICK_TABLES = ("labels", "figures", "weights", "neighbours")
TABLES = (*QUICK_TABLES, "flips")


class PageTask(NamedTuple):
    """A page, and what to do with it. `block` is the block to explain, with `tables`. `is_address`: fetch it first."""

    work: Work
    html: bytes | str = b""
    url: str | None = None
    id: str = ""
    charset: str | None = None
    is_text: bool = False
    is_xml: bool = False
    is_address: bool = False
    options: CleanOptions = CleanOptions()
    block: int = 0
    tables: tuple[str, ...] = QUICK_TABLES


class Answer(NamedTuple):
    """The answer to a request as JSON, and how its page ended. `is_wrong`: the request itself asks for too much."""

    status: str
    body: bytes
    is_wrong: bool = False


def as_json(found: Mapping[str, Any]) -> bytes:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def failed_record(task: PageTask, status: str, reason: str) -> dict[str, Any]:
    """The JSON object of a page whose process has died or was ended."""
    named = {"id": task.id, "url": task.url, "status": status, "reason": reason}
    return {**named, "confidence": None, "encoding": "", "model": ""}
