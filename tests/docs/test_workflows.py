"""The workflows are run elsewhere; here it is checked that they hold together, and build from what is locked."""

import re

import pytest
import yaml
from doc_pages import ROOT

WORKFLOWS = sorted(ROOT.glob(".github/workflows/*.yaml"))
SCRIPTS = [ROOT / name for name in (".ci/run", "justfile", ".pre-commit-config.yaml")]
# The commands of cargo that would choose other crates than the lock file names.
RESOLVING = re.compile(r"\bcargo (?:\+\w+ )?(?:build|check|clippy|install|run|rustc|test)\b[^\n&;|)]*")


def jobs(path):
    return yaml.safe_load(path.read_text())["jobs"]


def used(path):
    return [step["uses"] for job in jobs(path).values() for step in job["steps"] if "uses" in step]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_has_a_version(path):
    assert [action for action in used(path) if not re.fullmatch(r"[\w.-]+/[\w.-]+@[\w./]+", action)] == []
    assert not [action for action in used(path) if action.endswith(("@main", "@master"))]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_job_may_only_read_unless_it_says_more(path):
    assert yaml.safe_load(path.read_text())["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("path", [*WORKFLOWS, *SCRIPTS], ids=lambda path: path.name)
def test_crates_are_those_of_the_lock_file(path):
    commands = "\n".join(line for line in path.read_text().splitlines() if not line.strip().startswith("name:"))

    assert [command for command in RESOLVING.findall(commands) if "--locked" not in command] == []


def test_the_build_of_the_package_uses_the_lock_file():
    assert "\nlocked = true\n" in ROOT.joinpath("pyproject.toml").read_text().partition("[tool.maturin]")[2]


def test_what_is_published_was_built_and_signed_before():
    release = jobs(ROOT / ".github/workflows/release.yaml")
    publish = release["publish"]
    actions = [step["uses"].partition("@")[0] for step in publish["steps"]]

    assert set(publish["needs"]) == release.keys() - {"publish"}
    assert actions[-1] == "pypa/gh-action-pypi-publish"
    assert {"actions/attest-build-provenance", "actions/attest-sbom"} <= set(actions[:-1])
    assert publish["permissions"] == {"contents": "read", "id-token": "write", "attestations": "write"}


def test_every_artifact_that_a_job_takes_is_left_by_one_that_it_needs():
    release = jobs(ROOT / ".github/workflows/release.yaml")
    left = {
        name: [step["with"]["name"] for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
        for name, job in release.items()
    }
    for job in release.values():
        needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
        known = [artifact.partition("${")[0] for need in needs for artifact in left[need]]
        taken = [step["with"] for step in job["steps"] if "download-artifact" in step.get("uses", "")]
        for options in taken:
            assert any(options.get("name", options.get("pattern")).startswith(name) for name in known), options
