"""Labeling in the web app, as its browser asks for it."""

import json

import pytest
from starlette.testclient import TestClient

from victorpy.annotation.anno_files import annotation_of, read, write
from victorpy.annotator.label_store import journal_of, resume_page
from victorpy.foundation.processes import Limits
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD
from victorpy.page.segment import segment
from victorpy.serve.application import application
from victorpy.serve.server_settings import ServerSettings

HTML = (
    "<title>Ferry times</title><script>alert(1)</script><h1>Ferries</h1><p>The first leaves at seven."
    "<p>The last comes home at ten.<ul><li>a lantern<li>some bread</ul><p>Imprint"
)
P, H, L, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.OTHER


@pytest.fixture
def pages(folder):
    for name in ("a", "b"):
        folder.joinpath(f"{name}.html").write_text(HTML)
    return folder


@pytest.fixture
def app(pages, model):
    def started(**options):
        settings = ServerSettings(**({"folder": pages, "model": str(model), "jobs": 0} | options))
        return Tab(TestClient(application(settings), base_url="http://127.0.0.1:8765"))

    return started


class Tab:
    """A tab of a browser."""

    def __init__(self, client, name="one"):
        self.client, self.name = client, name

    def other(self, name="two"):
        return Tab(self.client, name)

    def post(self, path, **body):
        return self.client.post(path, json={"tab": self.name, **body})

    def asks(self, path, **body):
        answer = self.post(path, **body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, path, **body):
        answer = self.post(path, **body)
        return answer.status_code, answer.json()["error"]


def labels(first, *names):
    return {"first": first, "labels": list(names), "cursor": first + len(names)}


def test_the_queue_lists_the_pages_and_the_keys(app):
    found = app().asks("/annotate/queue")

    assert [(page["id"], page["state"]) for page in found["pages"]] == [("a", "open"), ("b", "open")]
    assert found["resume"] == 0
    assert {"name": "label-p", "keys": ["p"], "help": "paragraph, or its beginning", "short": "para"} in [
        action for group in found["actions"].values() for action in group
    ]


def test_a_page_is_labeled_from_its_first_block_to_the_file(app, pages):
    tab = app()
    page = tab.asks("/annotate/open", page="a")
    assert page["texts"][:2] == ["Ferries", "The first leaves at seven."]
    assert page["labels"] == [None] * 6

    tab.asks("/annotate/changes", page="a", changes=[labels(0, "h"), labels(1, "p", "p", "l", "l"), labels(5, "other")])
    tab.asks("/annotate/close", page="a")

    assert read(pages / "a.anno").labels == (H, P, P, L, L, OTHER)
    assert not journal_of(pages / "a.anno").exists()


def test_a_change_is_in_the_journal_before_it_is_acknowledged(app, pages):
    tab = app()
    tab.asks("/annotate/open", page="a")
    before = journal_of(pages / "a.anno").read_bytes()
    tab.asks("/annotate/changes", page="a", changes=[labels(1, "p"), {"flag": [2, "why?"]}])

    assert journal_of(pages / "a.anno").read_bytes() == before + b'[1,["p"],2]\n{"flag":[2,"why?"]}\n'


def test_a_server_that_was_killed_goes_on_where_it_was(app):
    tab = app()
    tab.asks("/annotate/open", page="a")
    tab.asks("/annotate/changes", page="a", changes=[labels(0, "h"), {"flag": [2, ""]}])
    for lease in tab.client.app.state.labeled.leases._leases.values():
        lease.opened.store.abandon()  # a kill frees the lock and writes nothing

    again = app()
    assert again.refused("/annotate/changes", page="a", changes=[labels(1, "p")])[0] == 409
    page = again.asks("/annotate/open", page="a")
    assert (page["labels"][:2], page["cursor"], page["flags"]) == (["h", None], 1, {"2": ""})
    assert page["messages"] == ["recovered 1 labels from .a.anno.journal"]


def test_a_second_tab_gets_a_clear_message_and_may_take_the_page_over(app):
    one = app()
    two = one.other()
    one.asks("/annotate/open", page="a")

    status, error = two.refused("/annotate/open", page="a")
    assert (status, "is open in another tab" in error) == (409, True)
    two.asks("/annotate/open", page="a", take=True)
    two.asks("/annotate/changes", page="a", changes=[labels(0, "p")])
    assert one.refused("/annotate/changes", page="a", changes=[labels(0, "h")])[0] == 409
    assert two.asks("/annotate/open", page="a")["labels"][0] == "p"


def test_a_page_in_the_terminal_is_refused_here_and_the_other_way_round(app, pages):
    terminal = resume_page(pages / "a.html", pages / "a.anno", STANDARD)
    tab = app()
    status, error = tab.refused("/annotate/open", page="a")
    assert (status, "is being labeled by another victor" in error) == (507, True)
    terminal.store.abandon()

    tab.asks("/annotate/open", page="a")
    with pytest.raises(Exception, match="is being labeled by another victor"):
        resume_page(pages / "a.html", pages / "a.anno", STANDARD)


def test_the_page_of_a_tab_that_is_gone_is_saved_and_free_again(app, pages):
    tab = app()
    leases = tab.client.app.state.labeled.leases
    now = 0.0
    leases.clock = lambda: now
    tab.asks("/annotate/open", page="a")
    tab.asks("/annotate/changes", page="a", changes=[labels(0, "h")])
    now = 1_000.0
    leases.expire()

    assert read(pages / "a.anno").labels[0] is H
    resume_page(pages / "a.html", pages / "a.anno", STANDARD).store.abandon()


def test_the_end_of_the_server_saves_what_is_open(app, pages):
    tab = app()
    with tab.client:
        tab.asks("/annotate/open", page="a")
        tab.asks("/annotate/changes", page="a", changes=[labels(0, "h")])

    assert read(pages / "a.anno").labels[0] is H


def test_the_frame_shows_the_page_without_a_way_to_run_scripts_or_load_files(app):
    tab = app()
    tab.asks("/annotate/open", page="a")
    answer = tab.client.get("/annotate/frame", params={"page": "a", "tab": "one"})

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox allow-same-origin" in policy
    assert "allow-scripts" not in policy
    assert "<victor-block n=0>Ferries</victor-block>" in answer.text


def test_suggestions_come_with_their_probabilities(app):
    tab = app()
    tab.asks("/annotate/open", page="a")
    found = tab.asks("/annotate/suggestions", page="a")["suggestions"]

    assert len(found) == 6
    assert all(0 <= chance <= 1 and Label(name) for name, chance in found)


def test_the_source_of_a_block_and_the_tags_around_it(app):
    tab = app()
    tab.asks("/annotate/open", page="a")
    found = tab.asks("/annotate/source", page="a", block=1)

    assert found["source"].startswith("<p>The first leaves")
    assert found["path"] == "html › body › p"


def test_one_request_labels_all_blocks_alike_on_the_other_pages(app, pages):
    tab = app()
    tab.asks("/annotate/open", page="a")
    tab.asks("/annotate/changes", page="a", changes=[labels(3, "l")])
    found = tab.asks("/annotate/alike", page="a", block=3, label="l")

    assert found == {"blocks": [4], "message": "labeled alike: 1 more block here, 2 on 1 other page"}
    assert read(pages / "b.anno").labels == (None, None, None, L, L, None)


@pytest.mark.parametrize(
    "change",
    [
        {"first": 5, "labels": ["p", "p"], "cursor": 1},
        {"first": 0, "labels": ["q"], "cursor": 1},
        {"first": 0, "labels": ["p"]},
        {"flag": [9, ""]},
        {"flag": [0, 3]},
        {"cursor": "x"},
        "p",
    ],
    ids=str,
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(app, change):
    tab = app()
    tab.asks("/annotate/open", page="a")

    assert tab.refused("/annotate/changes", page="a", changes=[change])[0] == 400
    assert tab.asks("/annotate/open", page="a")["labels"] == [None] * 6


@pytest.mark.parametrize(
    "body",
    [
        {"page": "\ud800"},
        {"page": ["a"]},
        {"page": "a", "review": 5},
        {"page": "a", "review": ["one"]},
        {"page": "a", "review": {"one": "\ud800", "two": "b", "output": "c"}},
        {"page": "a", "changes": [{"first": 0, "labels": ["p"], "cursor": float("inf")}]},
    ],
)
def test_a_request_of_nonsense_is_refused_with_a_reason(app, body):
    tab = app()
    tab.asks("/annotate/open", page="a")

    answer = tab.client.post("/annotate/changes", content=json.dumps({"tab": "one", **body}))

    assert answer.status_code in {400, 409}
    assert answer.json()["error"]


def test_a_folder_without_pages_says_what_is_missing(app, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    status, error = app(folder=empty).refused("/annotate/queue")

    assert status == 400
    assert "no pages" in error or "no files" in error


def test_a_page_that_is_gone_meanwhile_is_named(app, pages):
    tab = app()
    tab.asks("/annotate/queue")
    (pages / "b.html").unlink()

    status, error = tab.refused("/annotate/open", page="b")
    assert status == 400
    assert error.startswith("b: no such page in the folder")


def test_a_page_larger_than_the_limit_is_refused_before_it_is_read(app, pages):
    (pages / "b.html").write_text("x" * 3_000)

    status, error = app(max_bytes=2_000).refused("/annotate/open", page="b")
    assert (status, "larger than 2,000 bytes" in error) == (400, True)


@pytest.mark.process
def test_a_hostile_page_is_opened_in_a_child_and_others_go_on(app, pages):
    (pages / "b.html").write_text("<p>a" * 500_000)
    tab = app(jobs=1, limits=Limits(240.0, 100))

    with tab.client:
        refusal = tab.refused("/annotate/open", page="b")
        page = tab.asks("/annotate/open", page="a")
        suggested = tab.asks("/annotate/suggestions", page="a")["suggestions"]
        frame = tab.client.get("/annotate/frame", params={"page": "a", "tab": "one"}).text

    message = f"{pages / 'b.html'}: out-of-memory: takes more memory than 100 MB"
    assert refusal == (422, f"{message} (victor serve --max-memory allows more)")
    assert len(page["texts"]) == len(suggested) == 6
    assert "<victor-block n=0>Ferries</victor-block>" in frame
    assert not journal_of(pages / "b.anno").exists()


def test_a_folder_that_cannot_be_written_is_an_error_with_a_remedy(app, pages):
    (pages / "taken").write_text("")
    status, error = app(annotations=pages / "taken" / "annos").refused("/annotate/open", page="a")

    assert status in {400, 507}
    assert "taken" in error


# Review


@pytest.fixture
def review(pages):
    page = segment(HTML, "a", markup=STANDARD)
    for name, letters in (("anna", "hppllo"), ("ben", "hpolpo")):
        found = [OTHER if letter == "o" else Label(letter) for letter in letters]
        pages.joinpath(name).mkdir()
        write(annotation_of(page, HTML, found, name), pages / name / "a.anno")
    return {"one": "anna", "two": "ben", "output": "decided"}


def test_a_review_starts_with_what_both_annotators_agree_on(app, pages, review):
    tab = app()
    assert tab.asks("/review/folders")["folders"] == ["anna", "ben"]
    assert [page["id"] for page in tab.asks("/annotate/queue", review=review)["pages"]] == ["a"]

    page = tab.asks("/annotate/open", page="a", review=review)
    assert page["sides"] == [["h", "p", "p", "l", "l", "other"], ["h", "p", "other", "l", "p", "other"]]
    assert page["labels"] == ["h", "p", None, "l", None, "other"]
    changes = [labels(2, "other"), labels(4, "l")]
    tab.asks("/annotate/changes", page="a", review=review, changes=changes)
    tab.asks("/annotate/close", page="a", review=review)

    assert read(pages / "decided" / "a.anno").labels == (H, P, OTHER, L, L, OTHER)


def test_a_review_stays_within_the_folder_of_the_server(app, review):
    status, error = app().refused("/annotate/queue", review=review | {"output": "../elsewhere"})

    assert (status, "outside the folder" in error) == (400, True)
