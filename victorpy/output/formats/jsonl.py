"""The object of the json format on one line, so that pages can follow one another."""

from json import dumps

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions


def jsonl(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    return dumps(cleaned.to_dict(options), ensure_ascii=False, separators=(",", ":")) + "\n"
