"""What the child processes of the server do."""

from collections.abc import Callable, Mapping
from typing import Any

from victorpy.errors import OptionError, UsageError
from victorpy.output.cleaned import FAILURES, Cleaned
from victorpy.serve.page_records import cleaned_page, record_of
from victorpy.serve.page_tasks import Answer, PageTask, Work, as_json, failed_record


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


def _cleaned(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    cleaned = cleaned_page(model, task)
    return cleaned.status, record_of(cleaned, task.options)


def _explained(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    from victorpy.serve.block_reasons import reasons  # noqa: PLC0415

    cleaned = cleaned_page(model, task)
    return _found(cleaned, task, lambda: reasons(model, task, cleaned))


def _with_perplexities(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    from victorpy.serve.sentence_readings import sentence_readings  # noqa: PLC0415

    cleaned = cleaned_page(model, task)
    return _found(cleaned, task, lambda: sentence_readings(cleaned))


def _found(cleaned: Cleaned, task: PageTask, find: Callable[[], Mapping[str, Any]]) -> tuple[str, Mapping[str, Any]]:
    """What is found in a page; of one that could not be cleaned its outcome."""
    if cleaned.status in FAILURES:
        return cleaned.status, failed_record(task, cleaned.status, cleaned.reason)
    return "ok", find()


def _warm_up(model: str, task: PageTask) -> tuple[str, Mapping[str, Any]]:
    """Load what every page needs, before the first one comes; for block 1 also what explanations need."""
    small = task._replace(html="<title>Part 1</title><h1>One</h1><p>Two words and a third.</p>")
    return _explained(model, small) if task.block else _cleaned(model, small)


WORKS: Mapping[Work, Callable[[str, PageTask], tuple[str, Mapping[str, Any]]]] = {
    "clean": _cleaned,
    "explain": _explained,
    "perplexity": _with_perplexities,
    "warm-up": _warm_up,
}
