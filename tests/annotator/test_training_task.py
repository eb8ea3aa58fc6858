import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import victorpy
from victorpy.annotation import anno_files as files_of
from victorpy.annotator.training_task import (
    HISTORY,
    PastScore,
    TrainingProgress,
    TrainingTask,
    read_history,
    training_steps,
)
from victorpy.errors import VictorError
from victorpy.models import config, model_folder
from victorpy.page.blocks import Label

pytestmark = pytest.mark.process


@pytest.fixture
def settings(small_config):
    return config.load(small_config)


@pytest.fixture
def pages(annotations):
    return sorted(annotations.glob("*.anno"))


def with_labels(source: Path, target: Path, labels) -> Path:
    annotation = files_of.read(source)
    changed = annotation.__class__(**{**vars(annotation), "labels": tuple(labels(annotation.labels))})
    files_of.write(changed, target)
    return target


def news_of(retraining, seconds=240):
    found, until = [], time.monotonic() + seconds
    while time.monotonic() < until and not (found and found[-1].is_over):
        if progress := retraining.poll():
            found.append(progress)
        else:
            time.sleep(0.02)
    return found


def test_a_model_comes_first_and_a_score_last(pages, settings, tmp_path):
    found = list(training_steps(pages, settings, tmp_path))

    assert [progress.model for progress in found if progress.model] == [tmp_path / "model"]
    assert model_folder.load(str(tmp_path / "model")).card.data.pages == 6
    assert found[-1].is_over
    assert found[-1].score == pytest.approx(1)
    assert found[-1].message == "word F1 100.0 on 6 held-out pages"
    assert found.index(next(progress for progress in found if progress.model)) == 1


def test_a_model_with_a_network_is_adapted_and_scored_before_and_after(pages, network_model, tmp_path):
    found = list(training_steps(pages, model_folder.load(str(network_model)).config, tmp_path, str(network_model)))

    card = model_folder.load(str(tmp_path / "model")).card
    assert [origin.model for origin in card.adapted_from] == [network_model.name]
    assert found[0].message == f"adapting {network_model.name} to 6 pages"
    last = found[-1]
    assert last.message == f"word F1 {100 * last.before:.1f} before, {100 * last.score:.1f} adapted on 6 held-out pages"
    assert read_history(tmp_path / HISTORY) == [PastScore(6, 60, last.score, last.before)]


def test_a_model_that_was_adapted_here_is_adapted_again_from_its_origin(pages, network_model, folder):
    settings, retrained = model_folder.load(str(network_model)).config, Path("retrained")
    shutil.copytree(network_model, "models/ours")
    for origin in ("ours", "retrained/model"):
        list(training_steps(pages[:2], settings, retrained, origin))

    card = model_folder.load("retrained/model").card
    assert [origin.model for origin in card.adapted_from] == ["ours"]


def test_a_model_without_a_network_is_trained_anew(pages, settings, model, tmp_path):
    found = list(training_steps(pages, settings, tmp_path, str(model)))

    assert found[0].message == "training on 6 pages"
    assert found[-1].before is None


def test_only_pages_with_labels_count(pages, settings, tmp_path):
    nothing = with_labels(pages[0], tmp_path / "open.anno", lambda labels: [None for _ in labels])
    half = with_labels(pages[1], tmp_path / "started.anno", lambda labels: (*labels[:6], *[None] * (len(labels) - 6)))

    list(training_steps([nothing, half, *pages[2:]], settings, tmp_path))

    data = model_folder.load(str(tmp_path / "model")).card.data
    assert (data.pages, data.blocks) == (5, 6 + 4 * 10)
    assert read_history(tmp_path / HISTORY)[0][:2] == (5, 46)


def test_the_history_tells_how_the_score_grew(pages, settings, tmp_path):
    for count in (2, 4, 4, 6):
        list(training_steps(pages[:count], settings, tmp_path))

    found = TrainingTask(pages, settings, tmp_path).history
    assert [(past.pages, past.blocks) for past in found] == [(2, 20), (4, 40), (6, 60)]
    assert all(0 <= past.word_f1 <= 1 for past in found)


def test_a_broken_history_is_an_error(pages, settings, tmp_path):
    tmp_path.joinpath(HISTORY).write_text("pages\tblocks\tword_f1\n2\tmany\t0.5\n")

    with pytest.raises(VictorError, match="not a history of scores: remove the file"):
        read_history(tmp_path / HISTORY)
    assert "not a history of scores" in list(training_steps(pages, settings, tmp_path))[-1].message


@pytest.mark.parametrize(
    ("count", "labels", "message"),
    [
        (0, list, "nothing to learn from"),
        (1, lambda labels: [None for _ in labels], "nothing to learn from"),
        (2, lambda labels: [Label.OTHER for _ in labels], "nothing to learn from: every labeled block"),
        (1, list, "needs a second annotated page"),
    ],
    ids=["no page", "no label", "one label", "one page"],
)
def test_too_few_pages_or_labels_are_reported(pages, settings, tmp_path, count, labels, message):  # noqa: PLR0917
    files = [with_labels(page, tmp_path / page.name, labels) for page in pages[:count]]

    last = list(training_steps(files, settings, tmp_path))[-1]

    assert message in last.message
    assert (last.is_over, last.score) == (True, None)


def test_pages_of_one_site_are_held_out_one_by_one(pages, settings, tmp_path):
    found = list(training_steps(pages[:3], settings, tmp_path))

    assert "scoring: fold 3 of 3" in [progress.message for progress in found]


def test_it_goes_on_in_the_background(pages, settings, tmp_path, capfd):
    retraining = TrainingTask(pages, settings, tmp_path)
    assert retraining.poll() is None

    retraining.start()
    assert retraining.poll() is None
    found = news_of(retraining)

    assert found[0] == TrainingProgress("training on 6 pages")
    assert found[-1].score == pytest.approx(1)
    assert retraining.poll() is None
    assert retraining.history == [PastScore(6, 60, found[-1].score)]
    assert capfd.readouterr() == ("", "")


def test_a_training_can_be_stopped_and_begun_again(pages, settings, tmp_path):
    retraining, others = TrainingTask(pages, settings, tmp_path), set(multiprocessing.active_children())

    retraining.start()
    retraining.start()
    assert len(set(multiprocessing.active_children()) - others) == 1
    retraining.stop()

    assert retraining.poll() is None
    assert not set(multiprocessing.active_children()) - others


def test_a_killed_training_is_reported(pages, settings, tmp_path):
    retraining, others = TrainingTask(pages, settings, tmp_path), set(multiprocessing.active_children())
    retraining.start()

    (child,) = set(multiprocessing.active_children()) - others
    os.kill(child.pid, signal.SIGKILL)

    assert news_of(retraining)[-1] == TrainingProgress("training failed: its process died (SIGKILL)", is_over=True)


FOREVER = """\
import multiprocessing, time
from functools import partial
from victorpy.foundation.processes.background import Background

if __name__ == "__main__":
    background = Background(partial(iter, time.time, None))
    while background.poll() is None:
        time.sleep(0.01)
    print(multiprocessing.active_children()[0].pid, flush=True)
    time.sleep(60)
"""


def test_it_dies_with_its_parent(tmp_path):
    script = tmp_path / "forever.py"
    script.write_text(FOREVER)
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=environment) as parent:
        child = int(parent.stdout.readline())
        parent.kill()

    until = time.monotonic() + 60
    while is_alive(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_alive(child)


def is_alive(pid: int) -> bool:
    """A process that has ended, and that nobody has waited for, does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
