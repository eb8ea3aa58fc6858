"""The view *Models*: the models at hand, adapting and training with progress, and scores on held-out pages."""

import shutil
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute, Route

from victorpy.annotator.training_history import HISTORY, MODEL, read_history
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.resources import available
from victorpy.models import model_folder
from victorpy.models.adapting import can_be_adapted
from victorpy.serve.annotate_view import Body, answering
from victorpy.serve.clean_options import check_model
from victorpy.serve.labeled_folder import RETRAINED, LabeledFolder
from victorpy.serve.server_settings import ServerSettings


def routes(_: ServerSettings) -> list[BaseRoute]:
    acts = {"list": _list, "adapt": _adapt, "training": _training, "stop": _stop, "keep": _keep, "use": _use}
    return [Route(f"/models/{name}", answering(act), methods=["POST"]) for name, act in acts.items()]


def _list(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    folder.poll()
    labeled = [entry for entry in _entries(folder) if entry.labeled]
    names = list(available("models"))
    own = folder.annotations / RETRAINED / MODEL
    return {
        "models": [_record(name, name) for name in names] + ([_record(str(own), RETRAINED)] if own.exists() else []),
        "configs": list(available("configs")),
        "current": folder.model_name,
        "suggests": folder.suggesting,
        "labeledPages": len(labeled),
        "labeledBlocks": sum(entry.labeled for entry in labeled),
        **_training(folder, body),
    }


def _record(name: str, shown: str) -> dict[str, Any]:
    try:
        model = model_folder.load(name)
    except VictorError as error:
        return {"name": name, "shown": shown, "error": str(error)}
    card = model.card
    return {
        "name": name,
        "shown": shown,
        "summary": card.summary,
        "pages": card.data.pages,
        "blocks": card.data.blocks,
        "scores": dict(card.scores),
        "adaptedFrom": [origin.model for origin in card.adapted_from],
        "canBeAdapted": can_be_adapted(model),
    }


def _entries(folder: LabeledFolder) -> list[Any]:
    try:
        return folder.queue()
    except UsageError:  # a folder without pages
        return []


def _adapt(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    """Adapt a model, or train one by a config, on all labeled pages as they are now."""
    folder.leases.save_all()
    files = [entry.anno for entry in _entries(folder) if entry.labeled and entry.anno.exists()]
    if not files:
        raise UsageError("nothing to learn from: no block of the folder's pages has a label yet")
    config = str(body.get("config") or "")
    if config and config not in available("configs"):
        raise UsageError("no such config; a request names configs, not paths", config)
    folder.train(files, "" if config else _named(folder, str(body.get("origin") or folder.model_name)), config)
    return _training(folder, body)


def _named(folder: LabeledFolder, name: str) -> str:
    """The name of a model. Paths are those of the server's own models only."""
    if name not in {folder.settings.model, str(folder.annotations / RETRAINED / MODEL)}:
        check_model(name)
    return name


def _training(folder: LabeledFolder, _: Body) -> dict[str, Any]:
    folder.poll()
    try:
        history = read_history(folder.annotations / RETRAINED / HISTORY)
    except VictorError:
        history = []
    return {
        "status": folder.training.status,
        "problem": folder.training.problem,
        "isRunning": folder.training.is_running,
        "generation": folder.generation,
        "history": [past._asdict() for past in history],
    }


def _stop(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    folder.training.stop()
    return _training(folder, body)


def _keep(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    """Copy the model of the last training to ./models, where every command finds it by its name."""
    name, made = str(body["name"]).strip(), folder.annotations / RETRAINED / MODEL
    if not name or "/" in name or name.startswith("."):
        raise UsageError("expected a name without slashes and leading dots", name)
    if not made.exists():
        raise UsageError("there is no trained model yet", made)
    if name in available("models"):
        raise UsageError("a model has this name already: choose another", name)
    target = Path("models", name)
    try:
        shutil.copytree(made, target)
    except OSError as error:
        raise VictorError(f"cannot be written: {error.strerror}", target) from error
    return {"message": f"kept as {name}: victor clean -m {name} uses it"}


def _use(folder: LabeledFolder, body: Body) -> dict[str, Any]:
    folder.use(_named(folder, str(body["name"])))
    return {"current": folder.model_name}
