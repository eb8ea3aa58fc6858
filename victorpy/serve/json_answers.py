"""Answers in JSON, whatever stands in their texts."""

import json
from typing import Any

from starlette.responses import JSONResponse


class JsonAnswer(JSONResponse):
    """Half of a surrogate pair, which a request may hold and UTF-8 may not, is written as JSON's escape."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")
