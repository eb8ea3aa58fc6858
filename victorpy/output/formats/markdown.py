"""GitHub's Markdown."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions


def markdown(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    return cleaned.markdown_without(*options.without)
