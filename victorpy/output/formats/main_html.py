"""The elements of the page that hold content, as an HTML document."""

from victorpy.output.cleaned import Cleaned


def main_html(cleaned: Cleaned) -> str:
    return cleaned.main_html
