"""The metadata of a page as YAML, before its Markdown."""

from victorpy.output.cleaned import printable_value
from victorpy.page.metadata import Metadata

_LEFT_OUT = frozenset({"html_title"})


def front_matter(metadata: Metadata) -> str:
    """The facts that are known, between two lines of three hyphens."""
    # Reading and writing YAML takes 20 ms to import.
    from victorpy.foundation.yaml_options import dump  # noqa: PLC0415

    known = {
        name: printable_value(value) for name, value in metadata.values().items() if value and name not in _LEFT_OUT
    }
    return f"---\n{dump(known)}---\n\n" if known else ""
