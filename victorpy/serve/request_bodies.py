"""Reads what clients send, within bounds of size and time."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from victorpy.serve.server_settings import ServerSettings

# Nested deeper than this, JSON is no request.
_CLOSE = {"connection": "close"}


async def body_of(request: Request, settings: ServerSettings, most: int | None = None) -> bytes:
    """The whole body: 413 if it is too large, 408 if the client stops sending or takes too long."""
    limit = most or settings.max_bytes
    if int(request.headers.get("content-length") or 0) > limit:
        raise too_large(limit)
    parts, size = [], 0
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for part in pieces(request, settings.idle_seconds):
                parts.append(part)
                size += len(part)
                if size > limit:
                    raise too_large(limit)
    except TimeoutError:
        raise HTTPException(408, f"the body took more than {settings.body_seconds:g} s", _CLOSE) from None
    return b"".join(parts)


async def pieces(request: Request, idle_seconds: float) -> AsyncIterator[bytes]:
    """The pieces of a body as they come. A client that has gone gets an answer that nobody reads."""
    stream = request.stream().__aiter__()
    while True:
        try:
            async with asyncio.timeout(idle_seconds):
                piece = await anext(stream)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise HTTPException(408, f"no data for {idle_seconds:g} s", _CLOSE) from None
        except ClientDisconnect:
            raise HTTPException(400, "the client has gone", _CLOSE) from None
        if piece:
            yield piece


def too_large(limit: int) -> HTTPException:
    return HTTPException(413, f"larger than {limit:,} bytes", _CLOSE)


def json_object(body: bytes) -> Mapping[str, Any]:
    """The JSON object in a body."""
    try:
        found = json.loads(body)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise HTTPException(400, f"not JSON in UTF-8: {reason}") from None
    if not isinstance(found, dict):
        raise HTTPException(400, f"expected a JSON object, got {type(found).__name__}")
    return found
