"""The view *Runs*: the outcomes of runs, their dropped and failed pages, and samples."""

from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Route

from victorpy.errors import UsageError, VictorError
from victorpy.serve.annotate_view import Body, answering
from victorpy.serve.labeled_folder import LabeledFolder
from victorpy.serve.run_records import outcomes, run_folders, run_record
from victorpy.serve.run_samples import sample
from victorpy.serve.server_settings import ServerSettings

_SAMPLED = 5


def routes(_: ServerSettings) -> list[BaseRoute]:
    acts = {"list": _list, "outcomes": _outcomes, "sample": _sample}
    return [Route(f"/runs/{name}", answering(act), methods=["POST"]) for name, act in acts.items()]


def _list(folder: LabeledFolder, _: Body) -> dict[str, Any]:
    return {"folder": str(folder.folder), "runs": [_record(folder.folder, name) for name in run_folders(folder.folder)]}


def _record(folder: Path, name: str) -> dict[str, Any]:
    try:
        return run_record(folder, name)._asdict()
    except VictorError as error:
        return {"name": name, "error": str(error)}


def _outcomes(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    statuses = [str(status) for status in body.get("statuses", [])]
    return {"outcomes": outcomes(_run(folder, body), statuses, str(body.get("search", "")))}


def _sample(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    return {"pages": [page._asdict() for page in sample(_run(folder, body), _SAMPLED, int(body.get("seed", 0)))]}


def _run(folder: LabeledFolder, body: Body) -> Path:
    name = str(body["run"])
    if name not in run_folders(folder.folder):
        raise UsageError("no such run in the folder", name)
    return folder.folder / name
