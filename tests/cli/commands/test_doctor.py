import re
import shutil
import tomllib
from pathlib import Path

import pytest

from victorpy import __version__
from victorpy.cli.commands.doctor import EXTRAS, REQUIRED
from victorpy.foundation.optional import install_hint

PROJECT = tomllib.loads(Path(__file__).parents[3].joinpath("pyproject.toml").read_text())["project"]


@pytest.fixture
def mine(folder, model):
    """A model of the user's own."""
    return shutil.copytree(model, folder / "models" / "mine")


def line(ran, name):
    return next(line.split(maxsplit=3) for line in ran.out.splitlines() if line.split()[2] == name)


def test_a_sound_installation_is_all_ok(victor, mine):
    ran = victor("doctor")

    assert (ran.status, ran.err) == (0, "")
    assert line(ran, "victorpy") == ["ok", "program", "victorpy", __version__]
    assert line(ran, "lxml")[:2] == ["ok", "package"]
    assert line(ran, "cleaneval")[:2] == ["ok", "config"]
    assert line(ran, "mine")[:2] == ["ok", "model"]
    assert line(ran, "mine")[3].startswith("6 pages, 7 features, ")


def truncate(model):
    weights = model / "weights.npz"
    weights.write_bytes(weights.read_bytes()[:-100])


def drop_weights(model):
    model.joinpath("weights.npz").unlink()


def break_card(model):
    model.joinpath("model.yaml").write_text("victorpy-model: 1\ndata: [")


def empty_card(model):
    model.joinpath("model.yaml").write_text("")


def renew(model):
    card = model / "model.yaml"
    card.write_text(re.sub("victorpy-model: .*", "victorpy-model: 99", card.read_text()))


@pytest.mark.slow
@pytest.mark.parametrize("harm", [truncate, drop_weights, break_card, empty_card, renew])
def test_a_broken_model_is_named_and_the_others_are_looked_at(victor, folder, model, mine, harm):
    shutil.copytree(model, folder / "models" / "sound")
    harm(mine)

    ran = victor("doctor")

    assert ran.status == 1
    assert line(ran, "mine")[0] == "FAIL"
    assert "mine/" in line(ran, "mine")[3]
    assert line(ran, "sound")[0] == "ok"
    assert [row.split()[2] for row in ran.out.splitlines() if row.startswith("FAIL")] == ["mine"]


def test_a_broken_config_is_named_with_its_line(victor, folder):
    folder.joinpath("configs").mkdir()
    folder.joinpath("configs/mine.yaml").write_text("include: cleaneval\nfetures: [position]\n")

    ran = victor("doctor")

    assert ran.status == 1
    assert line(ran, "mine") == [
        "FAIL",
        "config",
        "mine",
        "configs/mine.yaml:2: fetures: no such option; did you mean 'features'?",
    ]


def test_what_is_required_may_not(victor, folder, monkeypatch):
    monkeypatch.setattr("victorpy.cli.commands.doctor.REQUIRED", ("no-such-package",))

    ran = victor("doctor")

    assert ran.status == 1
    assert line(ran, "no-such-package") == ["FAIL", "package", "no-such-package", "not installed"]


def packages(requirements):
    return {re.match(r"[\w.-]+", requirement)[0] for requirement in requirements}


def test_all_that_the_project_asks_for_is_looked_at():
    extras = PROJECT["optional-dependencies"]

    assert packages(PROJECT["dependencies"]) <= set(REQUIRED)
    assert {name: set(of) for name, of in EXTRAS.items()} == {
        name: packages(of) for name, of in extras.items() if name not in {"dev", "docs"}
    }


def test_an_extra_that_is_not_installed_is_named_and_no_failure(victor, folder, monkeypatch):
    monkeypatch.setattr("victorpy.cli.commands.doctor.EXTRAS", {"rules": ("no-such-package",)})
    monkeypatch.setattr("victorpy.labelers.stopwords.find_spec", lambda name: None)

    ran = victor("doctor")

    assert ran.status == 0
    assert line(ran, "rules") == [
        "ok", "extra", "rules", f"not installed: no no-such-package; {install_hint('rules')}"
    ]  # fmt: skip
    assert "not usable here: stop words by language need stopwordsiso and py3langid" in ran.out
