"""The description of the REST interface, in OpenAPI 3.1."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

import victorpy
from victorpy._core import MARKDOWN_PARTS
from victorpy.labelers.comment_handling import COMMENTS
from victorpy.labelers.registry import LABELERS
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.models.scopes import Scope
from victorpy.output.cleaned import Status
from victorpy.serve.clean_options import ASKED_FOR, METHODS, TEXTS
from victorpy.serve.page_tasks import TABLES
from victorpy.serve.server_settings import ServerSettings

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_ANY_OBJECT: Schema = {"type": "object"}
# Any bytes are a page.
_ANY_BYTES: Schema = {"schema": {}}
_PAGE: Schema = {"description": "A page as /api/clean takes it; anything else gets a result with the status refused."}
_REASONS = {
    "400": "The request is wrong; the error names the field.",
    "403": "The page is only named by its address, and the server fetches none; or another site sent the request.",
    "408": "The client stopped sending.",
    "413": "The page is too large.",
    "503": "Too many requests wait.",
}


def open_api(settings: ServerSettings) -> Schema:
    made: Schema = {
        "openapi": "3.1.0",
        "info": {"title": "victor serve", "version": victorpy.__version__, "license": {"name": "Apache-2.0"}},
        "paths": _paths(),
        "components": {"schemas": _schemas()},
    }
    if settings.token:
        made["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"token": []}]
    return made


def _paths() -> Schema:
    page, lines = _json(_ref("PageRequest")), {"application/x-ndjson": _ANY_BYTES}
    block = {"type": "integer", "minimum": 0, "maximum": 999_999_999}
    asked: Schema = {"block": block, "tables": {"type": "array", "items": {"enum": list(TABLES)}, "maxItems": 10}}
    explained = _pages_as_bytes() | _json({"allOf": [_ref("PageRequest")], "type": "object", "properties": asked})
    return {
        "/api/clean": _post("Clean a page", "clean", page | _pages_as_bytes(), _json(_ref("Result")), _parameters()),
        "/api/batch": _post(
            "Clean many pages", "batch", _json(_ref("BatchRequest")) | lines, _json(_ref("BatchResult")) | lines
        ),
        "/api/explain": _post(
            "Say why a block has its label", "explain", explained, _json(_ref("Explanation")), _parameters(asked)
        ),
        "/api/perplexity": _post(
            "Rate the sentences of a page",
            "perplexity",
            page | _pages_as_bytes(),
            _json(_ref("Perplexities")),
            _parameters(),
        ),
        "/api/choices": _get("List what a request may choose from", "choices", _json(_ANY_OBJECT)),
        "/health": _get("Say that the server works", "health", _json(_ANY_OBJECT)),
        "/metrics": _get("Count pages and requests, for Prometheus", "metrics", {"text/plain": {"schema": _TEXT}}),
    }


def _pages_as_bytes() -> Schema:
    return dict.fromkeys(("text/html", "text/plain", "application/xhtml+xml"), _ANY_BYTES)


def _post(summary: str, name: str, body: Schema, answer: Schema, parameters: list[Schema] | None = None) -> Schema:
    refusals = {code: {"description": text, "content": _json(_ref("Error"))} for code, text in _REASONS.items()}
    operation = {
        "operationId": name,
        "summary": summary,
        "parameters": parameters or [],
        "requestBody": {"required": True, "content": body},
        "responses": {"200": {"description": "Done.", "content": answer}, **refusals},
    }
    return {"post": operation}


def _get(summary: str, name: str, answer: Schema) -> Schema:
    responses = {"200": {"description": "Done.", "content": answer}}
    return {"get": {"operationId": name, "summary": summary, "responses": responses}}


def _parameters(more: Mapping[str, Schema] = MappingProxyType({})) -> list[Schema]:
    """The options in the address, for pages that are sent as bytes."""
    given = {"url": _TEXT, "id": _TEXT, **_options(), **more}
    return [{"name": name, "in": "query", "required": False, "schema": schema} for name, schema in given.items()]


def _options() -> Mapping[str, Schema]:
    return {
        "model": _TEXT,
        "labeler": {"enum": list(LABELERS)},
        "scope": {"enum": list(get_args(Scope))},
        "bias": {"type": "number", "minimum": -LARGEST_BIAS, "maximum": LARGEST_BIAS},
        "decode": {"enum": list(METHODS)},
        "threshold": {"type": "number", "minimum": 0, "maximum": 1},
        "keep": {"type": "array", "items": _TEXT, "maxItems": 100},
        "drop": {"type": "array", "items": _TEXT, "maxItems": 100},
        "comments": {"enum": list(COMMENTS)},
        "formats": {"type": "array", "items": {"enum": list(ASKED_FOR)}, "maxItems": 100},
        "without": {"type": "array", "items": {"enum": list(MARKDOWN_PARTS)}, "maxItems": 100},
        "all_blocks": {"type": "boolean"},
    }


def _fields() -> Schema:
    """The options in JSON, where null stands for the default, and lists may be texts as in an address."""
    either = {
        name: [schema, _TEXT] if schema.get("type") == "array" else [schema] for name, schema in _options().items()
    }
    return {name: {"anyOf": [*schemas, {"type": "null"}]} for name, schemas in either.items()}


def _schemas() -> Schema:
    page: Schema = {"html": _TEXT, "text": _TEXT, "url": {**_TEXT, "maxLength": 8_192}, "id": _TEXT}
    request = {
        "type": "object",
        "properties": page | _fields(),
        "oneOf": [
            {"required": ["html"], "not": {"required": ["text"]}},
            {"required": ["text"], "not": {"required": ["html"]}},
            {"required": ["url"], "not": {"anyOf": [{"required": ["html"]}, {"required": ["text"]}]}},
        ],
    }
    return {
        "PageRequest": request,
        "BatchRequest": {
            "type": "object",
            "required": ["pages"],
            "properties": {"pages": {"type": "array", "maxItems": 1_000, "items": _PAGE}, **_fields()},
        },
        "BatchResult": {
            "type": "object",
            "required": ["results"],
            "properties": {"results": {"type": "array", "items": _ref("Result")}},
        },
        "Result": _result(),
        "Explanation": {"anyOf": [_explanation(), _failure()]},
        "Perplexities": {"anyOf": [_perplexities(), _failure()]},
        "Error": {"type": "object", "required": ["error"], "properties": {"error": _TEXT}},
    }


def _result() -> Schema:
    texts: Schema = dict.fromkeys(TEXTS, _TEXT)
    parts = {"metadata": _ANY_OBJECT, "page": _TEXT, "source": _TEXT}
    lists: Schema = {name: {"type": "array", "items": _ANY_OBJECT} for name in ("blocks", "passages", "outline")}
    ended = {"id": _TEXT, "status": {"enum": [*get_args(Status), "refused"]}, "reason": _TEXT}
    return {
        "type": "object",
        "required": ["id", "status", "reason"],
        "properties": {**ended, **texts, **parts, **lists},
    }


def _failure() -> Schema:
    """The outcome of a page that was too much for its process."""
    return {
        "type": "object",
        "required": ["status", "reason"],
        "properties": {"status": {"enum": list(get_args(Status))}, "reason": _TEXT},
    }


def _explanation() -> Schema:
    tables = {name: {"type": "array", "items": _ANY_OBJECT} for name in TABLES}
    return {
        "type": "object",
        "required": ["block", "text", "label", "tables"],
        "properties": {
            "block": {"type": "integer"},
            "text": _TEXT,
            "label": _TEXT,
            "label_by_model": _TEXT,
            "rival": _TEXT,
            "tables": {"type": "object", "properties": tables, "additionalProperties": False},
        },
    }


def _perplexities() -> Schema:
    sentence = {
        "type": "object",
        "required": ["block", "perplexity", "text"],
        "properties": {
            "block": {"type": "integer"},
            "perplexity": {"anyOf": [{"type": "number"}, {"type": "null"}]},
            "text": _TEXT,
        },
    }
    return {
        "type": "object",
        "required": ["language_model", "limit", "sentences"],
        "properties": {"limit": {"type": "number"}, "sentences": {"type": "array", "items": sentence}},
    }


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}
