import os
import signal
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import pytest
from small_pages import article, slow_page

from victorpy.foundation.processes import Limits
from victorpy.pipeline.batch import Job, Workshop, _outcome, outcomes
from victorpy.pipeline.cleaner import load
from victorpy.sources import RawPage, find_pages

pytestmark = pytest.mark.process


@pytest.fixture
def job(model):
    return Job(str(model), "text")


def test_every_page_has_one_outcome_in_order(job, folder, site):
    folder.joinpath("site/empty.html").touch()
    folder.joinpath("site/binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    folder.joinpath("site/dead.html").symlink_to("nowhere")
    pages = find_pages([site])

    ended = list(outcomes(pages, job))

    assert [outcome.id for outcome in ended] == [page.id for page in pages]
    assert {outcome.id: outcome.status for outcome in ended if outcome.status != "ok"} == {
        "binary": "undecodable",
        "dead": "unreadable",
        "empty": "empty",
    }
    assert all(bool(outcome.text) == (outcome.status == "ok") for outcome in ended)
    assert all(bool(outcome.reason) == (outcome.status != "ok") for outcome in ended)


@pytest.mark.parametrize("jobs", [2, 3, 50])
def test_the_number_of_processes_changes_nothing(job, site, jobs):
    pages = find_pages([site])

    assert list(outcomes(pages, job, jobs)) == list(outcomes(pages, job))


def test_no_pages_have_no_outcomes(job):
    assert list(outcomes([], job)) == []
    assert list(outcomes([], job, 2)) == []


@dataclass(frozen=True)
class DeadlyJob(Job):
    """Some pages kill the process that cleans them."""

    deadly: frozenset[str] = frozenset()

    def worker(self):
        return partial(dying, self.deadly, super().worker())


def dying(deadly, clean, location):
    if location.id in deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return clean(location)


def test_a_page_that_kills_its_process_is_crashed_and_the_others_are_fine(job, site):
    pages = find_pages([site])
    deadly = DeadlyJob(job.model, "text", deadly=frozenset(["part-4", "old/part-9"]))

    ended = list(outcomes(pages, deadly, 2))

    crashed = [outcome for outcome in ended if outcome.status == "crashed"]
    assert sorted((outcome.id, outcome.reason) for outcome in crashed) == [
        ("old/part-9", "its process died (SIGKILL)"),
        ("part-4", "its process died (SIGKILL)"),
    ]
    assert [outcome for outcome in ended if outcome.status != "crashed"] == [
        outcome for outcome in outcomes(pages, job) if outcome.id not in deadly.deadly
    ]


def test_decoding_is_the_jobs(model, site):
    pages = find_pages([site])
    lengths = [
        sum(len(outcome.text) for outcome in outcomes(pages, Job(str(model), "text", decoding={"bias": bias})))
        for bias in (-100.0, 0.0, 100.0)
    ]

    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[2]


@dataclass(frozen=True)
class FaultyJob(Job):
    """A fault of ours, which some page brings to light."""

    def worker(self):
        cleaner = load(self.model)
        return partial(_outcome, self, replace(cleaner, labeler=FaultyLabeler()))


class FaultyLabeler:
    def labeling(self, page):
        raise ZeroDivisionError("no words")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_fault_of_ours_ends_a_page_and_not_the_run(model, site, jobs):
    ended = list(outcomes(find_pages([site]), FaultyJob(str(model), "text"), jobs))

    assert {(outcome.status, outcome.reason) for outcome in ended} == {("crashed", "ZeroDivisionError: no words")}


def test_pages_at_hand_and_pages_in_files_are_cleaned_alike(job, site):
    pages = find_pages([site])
    at_hand = [
        RawPage(id=page.id, path=page.path, data=Path(page.path).read_bytes(), url=f"https://x/{page.id}")
        for page in pages
    ]

    ended = list(outcomes(iter(at_hand), job, 2))

    without_url = [replace(outcome, metadata=replace(outcome.metadata, url=None)) for outcome in ended]
    assert without_url == list(outcomes(pages, job))
    assert [outcome.metadata.url for outcome in ended] == [page.url for page in at_hand]


@pytest.mark.parametrize("limits", [None, Limits(60, 1_000)])
def test_pages_over_the_largest_size_are_dropped(job, page, limits):
    size = Path(page).stat().st_size
    pages = [*find_pages([page]), RawPage(id="at-hand", path="-", data=Path(page).read_bytes())]

    fitting = outcomes(pages, replace(job, max_bytes=size), limits=limits)
    dropped = list(outcomes(pages, replace(job, max_bytes=size - 1), limits=limits))

    assert [outcome.status for outcome in fitting] == ["ok", "ok"]
    assert [(outcome.status, outcome.reason, outcome.text) for outcome in dropped] == [
        ("dropped", f"larger than {size - 1} bytes", "")
    ] * 2
    assert [outcome.raw for outcome in dropped] == [None, pages[1]]


@pytest.mark.parametrize("limits", [None, Limits(60, 1_000)])
def test_a_workshop_gives_each_batch_its_outcomes(job, limits):
    workshop = Workshop(job, limits)
    batches = [
        [RawPage(id=str(n), path="-", data=article(n)[0].encode()) for n in batch] for batch in (range(3), range(3, 10))
    ]

    ended = [workshop.outcomes(batch) for batch in batches]

    assert ended == [list(outcomes(batch, job)) for batch in batches]
    assert [outcome.metadata.html_title for outcome in ended[0]] == ["Part 0", "Part 1", "Part 2"]


SLOW = slow_page(8)


@pytest.fixture
def model(slow_model):
    return slow_model


def test_a_page_that_the_parser_takes_too_long_for_costs_its_neighbours_nothing(job, folder, site):
    quiet = list(outcomes(find_pages([site]), job))
    folder.joinpath("site/part-10-slow.html").write_text(SLOW)

    ended = list(outcomes(find_pages([site]), job, limits=Limits(1, 1_000)))

    assert [(outcome.id, outcome.status, outcome.reason) for outcome in ended if outcome.status != "ok"] == [
        ("part-10-slow", "timeout", "takes more than 1 s")
    ]
    assert [outcome for outcome in ended if outcome.status == "ok"] == quiet


@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux only")
@pytest.mark.parametrize("megabytes", [10, 30, 50])
def test_a_page_that_takes_too_much_memory_never_passes_for_an_empty_one(victor_process, model, folder, megabytes):
    folder.joinpath("links.html").write_text("<a href=/x>more</a> " * 200_000)

    # In a process of its own, because what this one has once used and freed counts for nothing.
    ran = victor_process("clean", "-m", model, "links.html", "--max-memory", megabytes)

    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"victor: links.html: out-of-memory: takes more memory than {megabytes} MB\n"
