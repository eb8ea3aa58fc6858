"""Cleans a page as a request asks for it, and makes the JSON object of its result."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from victorpy.errors import UsageError
from victorpy.labelers.registry import labeler
from victorpy.output.cleaned import CLEANED, Cleaned, rounded
from victorpy.output.escapes import printable
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import printer
from victorpy.page.plain_text import html_of
from victorpy.pipeline.cleaner import Cleaner, load, untrained
from victorpy.serve.clean_options import TEXTS, CleanOptions
from victorpy.serve.page_tasks import PageTask


# A model takes some 30 MB.
@lru_cache(maxsize=6)
def _cleaner(model: str, own_labeler: str, decoding: tuple[tuple[str, Any], ...]) -> Cleaner:
    if not own_labeler:
        return load(model, **dict(decoding))
    found = labeler(own_labeler)
    if found.reads_all_pages:
        raise UsageError(f"the labeler {own_labeler} needs many pages of a site: use victor clean")
    return untrained(found)


def cleaner_of(model: str, options: CleanOptions) -> Cleaner:
    chosen = _cleaner(options.model or model, options.labeler, tuple(options.decoding().items()))
    return chosen.selecting(options.keep, options.drop).with_comments(options.comments)


def cleaned_page(model: str, task: PageTask) -> Cleaned:
    data = task.html
    if task.is_text:
        data = html_of(data.encode("utf-8", "replace") if isinstance(data, str) else data, task.charset)
    cleaner = cleaner_of(model, task.options)
    return cleaner.clean(data, task.url, task.id, task.charset, is_xml=task.is_xml)


def record_of(cleaned: Cleaned, options: CleanOptions) -> dict[str, Any]:
    """The JSON object of a page: how it ended, and what was asked for."""
    asked = set(options.formats)
    texts = FormatOptions(without=options.without, all_blocks=options.all_blocks)
    whole = cleaned.to_dict(texts) if asked & {"metadata", "blocks", "passages"} else {}
    made: dict[str, Callable[[], Any]] = {
        "metadata": partial(_metadata, cleaned, whole),
        "outline": lambda: cleaned.outline,
        "page": partial(_shown_page, cleaned),
        "source": lambda: printable(cleaned.source),
    }
    for name in ("blocks", "passages"):
        made[name] = partial(whole.get, name)
    for name in TEXTS:
        made[name] = partial(_text, name, cleaned, texts)
    found = {name: make() for name, make in made.items() if name in asked} if cleaned.status in CLEANED else {}
    return {**_ended(cleaned), **found}


def _ended(cleaned: Cleaned) -> dict[str, Any]:
    return {
        "id": cleaned.page.id,
        "url": cleaned.page.url,
        "status": cleaned.status,
        "reason": cleaned.reason,
        "confidence": rounded(cleaned.confidence),
        "encoding": cleaned.encoding,
        "model": cleaned.model,
    }


def _metadata(cleaned: Cleaned, whole: Mapping[str, Any]) -> dict[str, Any]:
    return {name: whole[name] for name in (*cleaned.metadata.values(), "evidence") if name in whole}


def _text(name: str, cleaned: Cleaned, options: FormatOptions) -> str:
    return printer(name, options)(cleaned)


def _shown_page(cleaned: Cleaned) -> str:
    from victorpy.page.safe_copies import marked_html, safe_copy  # noqa: PLC0415

    return safe_copy(marked_html(cleaned.page))
