"""The object of the json format on one line, so that pages can follow one another."""

from json import dumps

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.json import record


def jsonl(cleaned: Cleaned) -> str:
    return dumps(record(cleaned), ensure_ascii=False, separators=(",", ":")) + "\n"
