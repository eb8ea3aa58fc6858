"""GitHub's Markdown."""

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.front_matter import front_matter


def markdown(cleaned: Cleaned, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    before = front_matter(cleaned.metadata) if options.front_matter else ""
    return before + cleaned.markdown_without(*options.without)
