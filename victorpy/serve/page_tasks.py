"""What the child processes of the server do with a page."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, Literal, NamedTuple

from victorpy.errors import OptionError, UsageError
from victorpy.labelers.registry import labeler
from victorpy.output.cleaned import CLEANED, Cleaned, rounded
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import printer
from victorpy.page.plain_text import html_of
from victorpy.pipeline.cleaner import Cleaner, load, untrained
from victorpy.serve.clean_options import TEXTS, CleanOptions

Work = Literal["clean", "explain", "perplexity", "warm-up"]


class PageTask(NamedTuple):
    """A page, and what to do with it. `block` is the block to explain."""

    work: Work
    html: bytes | str = b""
    url: str | None = None
    id: str = ""
    charset: str | None = None
    is_text: bool = False
    is_xml: bool = False
    options: CleanOptions = CleanOptions()
    block: int = 0


class Answer(NamedTuple):
    """The answer to a request as JSON, and how its page ended. `is_wrong`: the request itself asks for too much."""

    status: str
    body: bytes
    is_wrong: bool = False


class PageWorker:
    """Does tasks in a child process. The cleaners of the last settings are kept."""

    def __init__(self, model: str):
        self.model = model

    def __call__(self, task: PageTask) -> Answer:
        try:
            status, found = WORKS[task.work](self.model, task)
        except (UsageError, OptionError) as error:
            return Answer("wrong", as_json({"error": str(error)}), is_wrong=True)
        return Answer(status, as_json(found))


def as_json(found: Mapping[str, Any]) -> bytes:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


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


def _cleaned(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    cleaned = cleaned_page(model, task)
    return cleaned.status, record_of(cleaned, task.options)


def record_of(cleaned: Cleaned, options: CleanOptions) -> dict[str, Any]:
    """The JSON object of a page: how it ended, and what was asked for."""
    asked = set(options.formats)
    texts = FormatOptions(without=options.without, all_blocks=options.all_blocks)
    whole = cleaned.to_dict(texts) if asked & {"metadata", "blocks", "passages"} else {}
    made: dict[str, Callable[[], Any]] = {
        "metadata": partial(_metadata, cleaned, whole),
        "outline": lambda: cleaned.outline,
        "page": partial(_shown_page, cleaned),
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


def failed_record(task: PageTask, status: str, reason: str) -> dict[str, Any]:
    """The JSON object of a page whose process has died or was ended."""
    named = {"id": task.id, "url": task.url, "status": status, "reason": reason}
    return {**named, "confidence": None, "encoding": "", "model": ""}


def _explained(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    from victorpy.serve.block_reasons import reasons  # noqa: PLC0415

    return "ok", reasons(model, task)


def _with_perplexities(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    from victorpy.serve.sentence_readings import sentence_readings  # noqa: PLC0415

    return "ok", sentence_readings(cleaned_page(model, task))


def _warm_up(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    """Load what every page needs, before the first one comes."""
    return _cleaned(model, task._replace(html="<title>Part 1</title><h1>One</h1><p>Two words and a third.</p>"))


WORKS: Mapping[Work, Callable[[str, PageTask], tuple[str, Mapping[str, Any]]]] = {
    "clean": _cleaned,
    "explain": _explained,
    "perplexity": _with_perplexities,
    "warm-up": _warm_up,
}
