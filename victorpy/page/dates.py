"""Finds dates in text by the expressions of the shipped configs/base.yaml."""

import re
from functools import cache

from victorpy.foundation.files import read_text
from victorpy.foundation.resources import shipped

# For speed, those expressions match only the core of a date: the day before it and the year after it are added here.
_BEFORE = re.compile(r"[0-9][0-9./-]{0,9}\Z")
_AFTER = re.compile(
    r"[ \t]?[0-3]?[0-9][ \t]?[日号號일]|[.,]?[ \t]{1,2}(?:del?[ \t])?(?:19|20)[0-9]{2}(?![0-9])|[ \t]?[.]"
)


def date_in(text: str) -> str:
    """The first date of a text as it is written, or an empty text."""
    found = min(filter(None, (pattern.search(text) for pattern in _expressions())), key=re.Match.start, default=None)
    if found is None:
        return ""
    before, after = _BEFORE.search(text[max(0, found.start() - 10) : found.start()]), _AFTER.match(text, found.end())
    begin, end = found.start() - len(before[0] if before else ""), after.end() if after else found.end()
    return text[begin:end].rstrip(". \t,")


@cache
def _expressions() -> tuple[re.Pattern[str], ...]:
    from victorpy.foundation.yaml_options import entries, node  # noqa: PLC0415 - few pages need it

    # Never the user's own config: what a trained model finds must not depend on the current folder.
    path = shipped("configs") / "base.yaml"
    regexp = entries(entries(node(read_text(path), path))["regexp"][1])
    return tuple(re.compile(item.value) for item in regexp["date"][1].value)
