"""The object of the json format on one line, so that pages can follow one another."""

from json import dumps

from victorpy.output.cleaned import Cleaned


def jsonl(cleaned: Cleaned) -> str:
    return dumps(cleaned.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n"
