"""One label for all blocks that a site makes alike."""

import pytest

from victorpy.annotation.anno_files import read
from victorpy.annotator.alike_blocks import alike, alike_blocks, block_paths, label_alike, with_alike
from victorpy.annotator.label_store import journal_of, resume_page
from victorpy.annotator.page_queue import queued_pages
from victorpy.page.blocks import Label
from victorpy.page.markup import STANDARD
from victorpy.page.segment import segment

HTML = """<link rel=canonical href="https://{site}/{name}"><div class="menu top"><p>Home</p><p>News</p></div>
<div class="post-17"><p>It pours.</p></div><div class=related><p>More rain</p></div>"""


@pytest.fixture
def queue(folder):
    for name, site in (("a", "harbour.example"), ("b", "harbour.example"), ("c", "other.example")):
        folder.joinpath(f"{name}.html").write_text(HTML.format(name=name, site=site))
    return queued_pages(folder)


def test_blocks_are_alike_in_elements_of_the_same_tags_and_classes():
    page = segment("<div class='menu 12'><p>a</div><div class='34 menu'><p>b</div><div><p>c", "x")

    paths = block_paths(page)

    assert paths[0] == "html > body > div.#.menu > p"
    assert alike(page, paths[0]) == [0, 1]


def test_blocks_with_a_label_keep_it():
    page = segment("<p>a<p>b<p>c", "x")

    labels = with_alike(page, (Label.PARAGRAPH, None, None), block_paths(page)[0], Label.OTHER)

    assert labels == (Label.PARAGRAPH, Label.OTHER, Label.OTHER)


def test_pages_of_the_site_get_the_label_and_others_do_not(queue):
    opened = resume_page(queue[0].source, queue[0].anno, STANDARD)
    wanted = alike_blocks(opened.page, opened.html, 0, Label.OTHER)

    result = label_alike(queue[1:], wanted, STANDARD)

    assert result == (2, 1, ())
    assert read(queue[1].anno).labels == (Label.OTHER, Label.OTHER, None, None)
    assert not queue[2].anno.exists()
    assert not journal_of(queue[2].anno).exists()


def test_a_page_that_somebody_else_labels_is_left_out_and_named(queue):
    opened, other = (resume_page(entry.source, entry.anno, STANDARD) for entry in queue[:2])
    wanted = alike_blocks(opened.page, opened.html, 0, Label.OTHER)

    result = label_alike(queue[1:2], wanted, STANDARD)

    other.store.abandon()
    assert "b.anno: is being labeled by another victor" in result.problems[0]
