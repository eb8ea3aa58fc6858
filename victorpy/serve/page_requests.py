"""Turns requests into tasks for the child processes."""

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request

from victorpy.errors import OptionError, suggestion
from victorpy.serve.clean_options import NAMES, options_from, options_in_address
from victorpy.serve.page_tasks import PageTask
from victorpy.serve.request_bodies import body_of, json_object
from victorpy.serve.server_settings import ServerSettings

_PAGE = ("html", "text", "url", "id")
_JSON = "application/json"
_LONGEST_NAME = 8_192


async def task_of(
    request: Request, settings: ServerSettings, extra: tuple[str, ...] = ()
) -> tuple[PageTask, dict[str, Any]]:
    """The task in a request: JSON, or the bytes of a page with options in the address; and the extra fields."""
    kind, charset = content_type(request)
    # JSON escapes may make a page three times as long.
    body = await body_of(request, settings, settings.max_bytes * (3 if kind == _JSON else 1))
    if not kind and not body:
        raise HTTPException(400, "expected a page: the body is empty")
    given = options_in_address(request.query_params.multi_items())
    if kind == _JSON:
        return task_in({**given, **json_object(body)}, settings, extra)
    found, others = task_in({**given, "html": ""}, settings, extra)
    is_xml = kind == "application/xhtml+xml"
    return found._replace(html=body, charset=charset, is_text=kind == "text/plain", is_xml=is_xml), others


def content_type(request: Request) -> tuple[str, str | None]:
    """The media type and the charset of a body."""
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    pairs = (part.strip().partition("=") for part in parameters.split(";"))
    charset = next((value.strip("\"' ") for name, _, value in pairs if name.strip().lower() == "charset"), None)
    return kind.strip().lower(), charset or None


def task_in(
    given: Mapping[str, Any], settings: ServerSettings, extra: tuple[str, ...] = ()
) -> tuple[PageTask, dict[str, Any]]:
    """The task that a JSON object describes."""
    known = (*_PAGE, *NAMES, *extra)
    for name in given:
        if name not in known:
            raise HTTPException(400, f"{name[:60]}: no such field (known: {', '.join(known)}){suggestion(name, known)}")
    page = {name: _text(name, given[name]) for name in _PAGE if given.get(name) is not None}
    sources = [name for name in ("html", "text") if name in page]
    if len(sources) != 1 and not (page.get("url") and not sources):
        raise HTTPException(400, "expected either 'html' or 'text', the page itself, or else 'url', its address")
    if not sources and not settings.allow_fetch:
        raise HTTPException(403, "this server fetches no pages: send the page itself, or start it with --allow-fetch")
    text = page[sources[0]] if sources else ""
    if len(text) > settings.max_bytes or len(text.encode("utf-8", "replace")) > settings.max_bytes:
        raise HTTPException(413, f"larger than {settings.max_bytes:,} bytes")
    try:
        options = options_from({name: given[name] for name in given if name in NAMES}, settings.model)
    except OptionError as error:
        raise HTTPException(400, str(error)) from None
    task = PageTask("clean", text, page.get("url"), page.get("id", ""), options=options)
    task = task._replace(is_text="text" in sources, is_address=not sources)
    return task, {name: given[name] for name in extra if name in given}


def check_options(given: Mapping[str, Any], settings: ServerSettings) -> None:
    """Refuse options that are wrong for every page."""
    task_in({"html": "", **given}, settings)


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise HTTPException(400, f"{name}: expected a text, got {type(value).__name__}")
    if name in {"url", "id"} and len(value) > _LONGEST_NAME:
        raise HTTPException(400, f"{name}: longer than {_LONGEST_NAME:,} characters")
    return value
