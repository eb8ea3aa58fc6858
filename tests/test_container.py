"""The container file fits the sources: it cannot be built in the tests."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = ROOT.joinpath("Containerfile").read_text()


def test_all_that_a_wheel_ships_is_given_to_the_build():
    backend = ROOT.joinpath("core", "packaging", "backend.py").read_text()
    shipped = re.findall(r'"([\w/-]+)"', re.search(r"SHIPPED = \((.*?)\)", backend, re.S)[1])
    given = {line[1:] for line in ROOT.joinpath(".containerignore").read_text().splitlines() if line.startswith("!")}

    assert {name.partition("/")[0] for name in shipped} <= given
    assert {"core", "victorpy", "pyproject.toml", "LICENSE", "README.md"} <= given
    assert all(ROOT.joinpath(name).exists() for name in given)


def test_docker_leaves_out_the_same_files():
    assert ROOT.joinpath(".dockerignore").read_text() == ROOT.joinpath(".containerignore").read_text()


def test_the_compiler_is_new_enough():
    needed = tomllib.loads(ROOT.joinpath("core", "Cargo.toml").read_text())["package"]["rust-version"]

    assert f"library/rust:{needed}-" in TEXT


def test_the_program_runs_without_root():
    last = TEXT.rpartition("\nFROM ")[2]

    assert re.search(r"^USER (?!0\b|root)", last, re.M)
    assert last.index("\nUSER ") < last.index('\nENTRYPOINT ["victor"]')


def test_the_extras_exist():
    extras = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.search(r"^ARG EXTRAS=\[(.*)\]$", TEXT, re.M)[1].split(",")

    assert set(named) <= set(extras)
