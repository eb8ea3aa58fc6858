"""What holds for every labeler of the tradition."""

import pickle

import pytest

from victorpy.foundation.yaml_options import dump, read
from victorpy.labelers.registry import LABELERS, described
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.sources import find_inputs

BLOCKS = Markup(mode="block")
PAGES = {
    "nothing": "",
    "no text": "<div><img src=a.png></div>",
    "one word": "word",
    "an article": "<ul><li><a href=/>Home</a></ul><h1>The ferry</h1><p>It leaves <b>at seven</b>, in any weather."
    "<ul><li>bring bread</ul><p>Nobody waits.<footer>Imprint</footer>",
    "Chinese": "<title>渡轮</title><h2>渡轮</h2><p>渡轮七点出发，没有人等待。<p>请带面包。",
    "only links": "<a href=/>one</a> <a href=/>two</a>" * 20,
    "nested": "<div>" * 300 + "deep" + "</div>" * 300,
}


@pytest.fixture(params=LABELERS)
def labeler(request):
    return LABELERS[request.param]()


@pytest.mark.parametrize("mode", ["block", "victor"])
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_each_block_gets_one_label_and_always_the_same(labeler, html, mode):
    page = segment(html, markup=Markup(mode=mode))

    labels = labeler.labeling(page).labels

    assert len(labels) == len(page)
    assert set(labels) <= set(Label)
    assert labeler.labeling(segment(html, markup=Markup(mode=mode))).labels == labels


def test_probabilities_are_one_per_block_where_there_are_any(labeler):
    page = segment(PAGES["an article"], markup=BLOCKS)

    probabilities = labeler.labeling(page).probabilities

    assert probabilities is None or len(probabilities) == len(page)


def test_it_survives_being_sent_to_another_process(labeler):
    page = segment(PAGES["an article"], markup=BLOCKS)

    sent = pickle.loads(pickle.dumps(labeler))

    assert sent == labeler
    assert sent.labeling(page) == labeler.labeling(page)


def test_no_page_begins_with_a_continuation(labeler):
    page = segment(PAGES["an article"])

    kept = [label for label in labeler.labeling(page).labels if label is not Label.OTHER]

    assert not kept or kept[0] is not Label.CONTINUATION


def test_its_options_are_written_and_read_again(labeler):
    assert read(type(labeler), dump(labeler)) == labeler


def test_its_description_does_not_depend_on_the_pages_it_has_read(labeler, tmp_path):
    for name in ("one", "two"):
        tmp_path.joinpath(f"{name}.html").write_text(f"<p>The ferry number {name} leaves at seven.")

    assert described(labeler.prepared(find_inputs([str(tmp_path)]))) == described(labeler)
