"""Texts of several pages in one stream."""

from collections.abc import Iterable, Iterator


def one_after_another(texts: Iterable[str], format: str) -> Iterator[bytes]:
    """What tells the pages apart stands between them: an empty line, where a line is not a page."""
    gap = b""
    for text in texts:
        if text:
            yield gap + text.encode("utf-8", "replace")
            gap = b"" if format == "jsonl" else b"\n"
