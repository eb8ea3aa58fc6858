"""The views *Annotate* and *Review*: label the pages of a folder, or decide between two annotators."""

from collections.abc import Awaitable, Callable, Mapping
from functools import wraps
from html import escape
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from victorpy.annotator.alike_blocks import AlikeBlocks, AlikeResult, alike_message, label_blocks
from victorpy.annotator.keys import ACTIONS
from victorpy.annotator.label_store import StoreError
from victorpy.annotator.page_queue import QueuedPage, resume_number
from victorpy.annotator.session import agreed_labels, difference
from victorpy.errors import VictorError
from victorpy.page.blocks import FIELDS, Label
from victorpy.serve.json_answers import JsonAnswer
from victorpy.serve.label_processes import OpenedPage, PageOutcomeError, page_source
from victorpy.serve.label_works import alike_elsewhere, alike_here, framed, source_and_path
from victorpy.serve.labeled_folder import LabeledFolder, ReviewedFolders
from victorpy.serve.open_page_records import (
    FRAME_HEADERS,
    FRAME_STYLE,
    as_changes,
    label_names,
    page_record,
)
from victorpy.serve.page_leases import Lease, LeaseError, check_size
from victorpy.serve.request_bodies import body_of, json_object
from victorpy.serve.server_settings import ServerSettings

# What a body of these routes may hold: the labels of the largest pages.
_MOST_BYTES = 4_000_000

Body = Mapping[str, Any]
Act = Callable[[LabeledFolder, Body], dict[str, Any]]


def routes(_: ServerSettings) -> list[BaseRoute]:
    posts = {"open": _open, "changes": _change, "save": _save, "close": _close, "alike": _alike, "alive": _alive}
    return [
        Route("/annotate/queue", answering(_queue), methods=["POST"]),
        Route("/annotate/suggestions", answering(_suggestions), methods=["POST"]),
        Route("/annotate/source", answering(_source), methods=["POST"]),
        Route("/annotate/frame", _frame),
        Route("/review/folders", answering(_review_folders), methods=["POST"]),
        *(Route(f"/annotate/{name}", answering(act), methods=["POST"]) for name, act in posts.items()),
    ]


def labeled_folder(request: Request) -> LabeledFolder:
    found: LabeledFolder = request.app.state.labeled
    return found


def answering(act: Act) -> Callable[[Request], Awaitable[Response]]:
    """A route that reads JSON, acts in a thread, because that waits for the disk, and answers with JSON."""

    @wraps(act)
    async def answer(request: Request) -> Response:
        settings: ServerSettings = request.app.state.settings
        body = json_object(await body_of(request, settings, _MOST_BYTES) or b"{}")
        try:
            return JsonAnswer(await run_in_threadpool(act, labeled_folder(request), body))
        except VictorError as error:
            return JsonAnswer({"error": str(error), "kind": type(error).__name__}, _STATUSES.get(type(error), 400))
        except (ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            raise HTTPException(400, f"a wrong request: {error}") from None

    return answer


_STATUSES: Mapping[type[VictorError], int] = {LeaseError: 409, StoreError: 507, PageOutcomeError: 422}


def review_of(body: Mapping[str, Any]) -> ReviewedFolders | None:
    found = body.get("review")
    if not found:
        return None
    names = [found.get(name) for name in ReviewedFolders._fields] if isinstance(found, Mapping) else [None]
    if not all(isinstance(name, str) and name for name in names):
        raise ValueError("review: expected the folders one, two and output")
    return ReviewedFolders(*names)


# The queue


def _queue(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    entries = folder.queue(review_of(body))
    return {
        "folder": str(folder.folder),
        "pages": [_entry_record(entry) for entry in entries],
        "resume": resume_number(entries),
        "actions": _actions(folder),
        "model": folder.model_name,
        "unavailable": [f"label-{field}" for field in FIELDS if field not in folder.model.config.label_set],
    }


def _entry_record(entry: QueuedPage) -> dict[str, Any]:
    return {"id": entry.id, "state": entry.state, "labeled": entry.labeled, "blocks": entry.blocks}


def _actions(folder: LabeledFolder) -> dict[str, list[dict[str, Any]]]:
    """The table of keys, in its groups."""
    keys = folder.keys
    return {
        group: [{"name": one.name, "keys": keys[one.name], "help": one.help, "short": one.short} for one in actions]
        for group, actions in ACTIONS.items()
    }


def _review_folders(folder: LabeledFolder, _: Body) -> dict[str, Any]:
    return {"folder": str(folder.folder), "folders": folder.folders_with_annotations()}


# A page


def _open(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    review = review_of(body)
    lease = folder.open(body["page"], str(body["tab"]), review, takes_over=bool(body.get("take")))
    record = page_record(lease)
    return {**record, **_sides(folder, lease, review)} if review else record


def _sides(folder: LabeledFolder, lease: Lease, review: ReviewedFolders) -> dict[str, Any]:
    """The labels of both annotators; blocks on which they agree are decided."""
    one, two = folder.sides(lease.entry, lease.opened.page, review)
    before = tuple(lease.labels)
    labels = tuple(label or agreed for label, agreed in zip(before, agreed_labels(one, two), strict=True))
    edit = difference(before, labels)
    if edit:
        change = {"first": edit.first, "labels": label_names(edit.after), "cursor": lease.cursor}
        folder.leases.change(lease.entry.anno, lease.tab, [change])
    return {"sides": [label_names(one), label_names(two)], "labels": label_names(labels)}


def _lease(folder: LabeledFolder, body: Body) -> Lease:
    return folder.lease(body["page"], str(body["tab"]), review_of(body))


def _suggestions(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    folder.poll()
    return {"suggestions": folder.suggestions(_lease(folder, body)), "model": folder.model.name}


def _source(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    lease = _lease(folder, body)
    source, block = page_source(lease.opened), _block(lease, body)
    return folder.processes.call(lease.entry.anno, source_and_path, source, block)


def _block(lease: Lease, body: Body) -> int:
    """The block that a request names."""
    block = int(body["block"])
    if not 0 <= block < len(lease.labels):
        raise ValueError("no such block")
    return block


def _change(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    lease = _lease(folder, body)
    folder.leases.change(lease.entry.anno, lease.tab, as_changes(body))
    return {"written": len(body["changes"])}


def _alive(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    _lease(folder, body)
    return {}


def _save(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    lease = _lease(folder, body)
    return {"message": folder.leases.save(lease.entry.anno, lease.tab) or "saved"}


def _close(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    lease = _lease(folder, body)
    if "changes" in body:
        folder.leases.change(lease.entry.anno, lease.tab, as_changes(body))
    return {"message": folder.leases.close(lease.entry.anno, lease.tab)}


def _alike(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    """Label the blocks alike on the other pages of the site, and say which ones of this page are alike."""
    lease = _lease(folder, body)
    source, block, label = page_source(lease.opened), _block(lease, body), Label(body["label"])
    wanted, alike = folder.processes.call(lease.entry.anno, alike_here, source, block, label)
    here = [number for number in alike if lease.labels[number] is None]
    found = AlikeResult() if review_of(body) else _labeled_elsewhere(folder, lease, wanted)
    return {"blocks": here, "message": alike_message(len(here), found)}


def _labeled_elsewhere(folder: LabeledFolder, lease: Lease, wanted: AlikeBlocks) -> AlikeResult:
    def opened(entry: QueuedPage) -> OpenedPage:
        check_size(entry, folder.settings.max_bytes)
        return folder.opened(entry)

    def chosen(other: OpenedPage) -> list[int]:
        return folder.processes.call(other.page.id, alike_elsewhere, page_source(other), wanted)

    others = [entry for entry in folder.queue() if entry.anno != lease.entry.anno]
    return label_blocks(others, wanted.label, opened, chosen)


def _framed(folder: LabeledFolder, body: Body) -> str:
    lease = _lease(folder, body)
    return folder.processes.call(lease.entry.anno, framed, page_source(lease.opened), FRAME_STYLE)


async def _frame(request: Request) -> Response:
    """The page in its frame."""
    query, folder = request.query_params, labeled_folder(request)
    names = [query.get(name, "") for name in ReviewedFolders._fields]
    body = {"page": query.get("page", ""), "tab": query.get("tab", "")}
    if all(names):
        body["review"] = dict(zip(ReviewedFolders._fields, names, strict=True))  # type: ignore[assignment]
    try:
        html = await run_in_threadpool(_framed, folder, body)
    except VictorError as error:
        return HTMLResponse(f"<p>{escape(str(error))}", 409, FRAME_HEADERS)
    return HTMLResponse(html, headers=FRAME_HEADERS)
