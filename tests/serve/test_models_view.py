"""Models in the web app: what is there, and training with progress."""

import shutil
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from victorpy.models import model_folder
from victorpy.serve.application import application
from victorpy.serve.server_settings import ServerSettings


@pytest.fixture
def start(folder, network_model, annotations):
    """A server of a folder with the annotated pages, as a function to ask."""
    shutil.copytree(annotations, folder / "pages")
    shutil.copytree(network_model, folder / "models" / "ours")
    apps = []

    def started():
        apps.append(application(ServerSettings(folder=Path("pages"), model="ours", jobs=0)))
        client = TestClient(apps[-1], base_url="http://127.0.0.1:8765")
        return lambda path, **body: client.post(f"/models/{path}", json=body).json()

    yield started
    for app in apps:
        app.state.labeled.end()


def finished(asks, seconds=240):
    until = time.monotonic() + seconds
    while (found := asks("training"))["isRunning"]:
        assert time.monotonic() < until
        time.sleep(0.05)
    return found


def test_models_are_listed_with_what_they_are(start):
    found = start()("list")

    (ours,) = [one for one in found["models"] if one["name"] == "ours"]
    assert (ours["pages"], ours["canBeAdapted"], found["current"], found["labeledPages"]) == (6, True, "ours", 6)


def test_requests_name_models_and_configs_and_look_at_no_other_files(start, folder):
    asks = start()

    for name in ("/etc", "../models/ours", str(folder / "models" / "ours")):
        assert "error" in asks("use", name=name)
        assert "error" in asks("adapt", origin=name)
        assert "error" in asks("adapt", config=name)
    assert not asks("training")["isRunning"]
    assert asks("use", name="ours") == {"current": "ours"}


@pytest.mark.process
def test_a_model_is_adapted_in_a_process_of_its_own_scored_and_kept(start):
    asks = start()
    assert asks("adapt", origin="ours")["isRunning"]

    found = finished(asks)
    assert "adapted on 6 held-out pages" in found["status"]
    assert (found["generation"], len(found["history"])) == (1, 1)
    assert found["history"][0]["before"] is not None
    assert asks("list")["suggests"].endswith("retrained/model")
    assert asks("keep", name="new")["message"] == "kept as new: victor clean -m new uses it"
    assert model_folder.load("new").card.adapted_from[0].model == "ours"
    assert "a model has this name already" in asks("keep", name="ours")["error"]


@pytest.mark.process
def test_a_training_can_be_stopped(start):
    asks = start()
    asks("adapt", origin="ours")

    assert not asks("stop")["isRunning"]


def test_without_labels_there_is_nothing_to_learn_from(start, folder):
    for path in folder.joinpath("pages").glob("*.anno"):
        path.unlink()

    assert "no block of the folder's pages has a label yet" in start()("adapt", origin="ours")["error"]


@pytest.mark.parametrize("name", ["", "a/b", "..", ".x"])
def test_a_name_that_is_a_path_is_refused(start, name):
    assert "expected a name" in start()("keep", name=name)["error"]


def test_another_model_can_suggest(start):
    assert start()("use", name="cleaneval") == {"current": "cleaneval"}
    assert "no model 'none'" in start()("use", name="none")["error"]
