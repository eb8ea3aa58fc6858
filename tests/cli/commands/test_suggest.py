import json
import shutil

import pytest
from conftest import article


@pytest.fixture
def pages(folder, annotations):
    """Ten pages, of which two are annotated, and three annotated ones in another folder."""
    folder.joinpath("pages").mkdir()
    for number in range(10):
        folder.joinpath("pages", f"part-{number}.html").write_text(article(number)[0])
    for number in range(2):
        shutil.copy(annotations / f"part-{number}.anno", folder / "pages")
    folder.joinpath("mine").mkdir()
    for number in range(2, 5):
        shutil.copy(annotations / f"part-{number}.anno", folder / "mine")
    return "pages"


@pytest.fixture
def suggest(victor, model):
    return lambda *words: victor("suggest", "-m", model, "-j", 1, *words)


@pytest.mark.process
def test_open_pages_are_ranked(suggest, pages):
    ran = suggest(pages, "--annotated", "mine", "-n", 3)

    assert (ran.status, ran.err) == (0, "")
    assert "# pages: 5\n# annotated: 5\n" in ran.out
    head, *rows = [line for line in ran.out.splitlines() if line and not line.startswith("#")]
    assert head.split()[:6] == ["page", "host", "blocks", "uncertainty", "novelty", "score"]
    assert len(rows) == 3
    assert {row.split()[0] for row in rows} <= {f"part-{number}" for number in range(5, 10)}


@pytest.mark.process
def test_the_same_pages_come_in_the_same_order(suggest, pages):
    first, again = (suggest(pages, "-f", "json").out for _ in range(2))

    assert first == again
    found = json.loads(first)
    assert len(found["table"]) == 8
    assert found["facts"]["annotated"] == 2


def test_nothing_left_to_annotate_is_fine(suggest, pages, folder):
    for number in range(2, 10):
        folder.joinpath("pages", f"part-{number}.html").unlink()

    ran = suggest(pages, "-f", "csv")

    assert ran.status == 0
    assert ran.out.endswith("page,host,blocks,uncertainty,novelty,score,most uncertain block\n")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("gone",), 2, "gone: no such folder of pages"),
        (("pages/part-0.html",), 2, "pages/part-0.html: no such folder of pages"),
        (("mine",), 2, "mine: no pages in this folder"),
        (("pages", "--annotated", "gone"), 2, "gone: no such folder of annotated pages"),
        (("pages", "-n", "0"), 2, "expected a whole number (at least 1), got '0'"),
        (("pages", "-m", "nope"), 2, "no model 'nope'"),
        (("blank",), 1, "blank/page.html: left out: no text in the page"),
        (("pages", "--annotated", "broken"), 1, "x.anno:1: not an annotation"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("pages")
def test_what_cannot_be_ranked_is_told(suggest, folder, words, status, message):
    for name in ("blank/page.html", "broken/x.anno"):
        folder.joinpath(name).parent.mkdir()
        folder.joinpath(name).touch()

    ran = suggest(*words)

    assert ran.status == status
    assert message in ran.err
    assert "Traceback" not in ran.err
