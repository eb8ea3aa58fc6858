"""What holds for every filter that commands put behind a labeler."""

import argparse
import pickle

import pytest

from victorpy.cli.filter_options import FILTERS, add_filters, filters_of
from victorpy.labelers.everything import Everything
from victorpy.labelers.filters import Filtered
from victorpy.page.segment import segment

WORDS = {
    "site": ["--site", "site.npz"],
    "perplexity": ["--max-perplexity", "usual"],
    "languages": ["--languages", "en,de"],
    "block-languages": ["--block-languages", "page"],
    "gibberish": ["--drop-gibberish"],
    "spam": ["--drop-spam"],
}


def made(*words):
    parser = argparse.ArgumentParser()
    add_filters(parser)
    return filters_of(parser.parse_args(words))


def test_nothing_is_dropped_that_nobody_asked_for():
    assert made() == ()


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_is_made_where_it_is_asked_for_and_may_be_sent_to_a_child(name):
    (one,) = made(*WORDS[name])

    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize("html", ["", "<p>The ferry leaves at seven.<p>12"], ids=["nothing", "a page"])
@pytest.mark.parametrize("name", FILTERS)
def test_what_it_drops_is_told_block_by_block(name, html):
    page = segment(html)

    assert len(Filtered(Everything(), made(*WORDS[name])).labeling(page).labels) == len(page)


def test_all_that_are_asked_for_drop_in_the_order_of_the_table():
    words = [word for name in reversed(FILTERS) for word in WORDS[name]]

    assert [type(one) for one in made(*words)] == [type(*made(*WORDS[name])) for name in FILTERS]
