import sys
from dataclasses import replace

import numpy as np
import pytest

from victorpy import config
from victorpy.annotations import AnnotatedPage, read, write
from victorpy.blocks import Label
from victorpy.errors import UsageError, VictorError
from victorpy.training import annotated_pages, train


@pytest.fixture(scope="module")
def settings(small_config):
    return config.load(small_config)


@pytest.fixture(scope="module")
def pages(annotations, settings):
    return list(annotated_pages(sorted(annotations.glob("*.anno")), settings))


def test_what_was_learned_labels_the_pages_it_was_learned_from(pages, settings):
    model = train(pages, settings)

    same = [one is other for page, labels, *_ in pages for one, other in zip(model.label(page), labels, strict=True)]
    assert sum(same) / len(same) > 0.9


def test_learning_twice_gives_the_same_weights(pages, settings):
    first, second = train(pages, settings), train(iter(pages), settings)

    assert (first.crf.singles == second.crf.singles).all()
    assert first.card == second.card


def test_blocks_without_a_label_are_not_learned_from(pages, settings):
    unlabeled = [
        AnnotatedPage(page, [None if label is Label.OTHER else label for label in labels]) for page, labels, *_ in pages
    ]

    card = train(unlabeled, settings).card

    assert card.data.blocks == 42
    assert card.data.labels["other"].blocks == 0


def test_the_digest_is_that_of_texts_and_labels(pages, settings):
    def digest(pages):
        return train(pages, settings).card.data.digest

    relabeled = [AnnotatedPage(page, [Label.PARAGRAPH, *labels[1:]]) for page, labels, *_ in pages]

    assert digest(pages) == digest(list(pages))
    assert len({digest(pages), digest(pages[:-1]), digest(relabeled)}) == 3


def test_features_that_are_switched_off_are_in_no_template(pages, settings):
    model = train(pages, replace(settings, without=("container.*",)))

    assert model.columns.names == ("token.alpha-abs", "sentence-end", "position")
    assert "container" not in model.card.templates


@pytest.mark.parametrize(
    ("labels", "message"),
    [(None, "no block of these pages has a label"), (Label.OTHER, "every labeled block of these pages is 'other'")],
)
def test_without_two_labels_there_is_nothing_to_learn(pages, settings, labels, message):
    with pytest.raises(VictorError, match=message):
        train([AnnotatedPage(page, [labels] * len(page)) for page, *_ in pages], settings)


def test_without_pages_there_is_nothing_to_learn(settings):
    with pytest.raises(VictorError, match="nothing to learn from"):
        train([], settings)


def test_pages_without_text_are_no_trouble(pages, settings, tmp_path, annotations):
    empty = replace(read(annotations / "part-0.anno"), html="", texts=(), labels=())
    write(empty, tmp_path / "empty.anno")

    model = train([*pages, *annotated_pages([tmp_path / "empty.anno"], settings)], settings)

    assert model.card.data.pages == 7


@pytest.fixture(scope="module")
def scored(scored_config):
    pytest.importorskip("catboost")
    return config.load(scored_config)


def test_trees_and_crf_are_learned_together(pages, scored):
    model = train(pages, scored)

    assert set(model.trees.features) <= set(scored.scorer.features)
    assert "catboost" in model.card.made_by
    same = [one is other for page, labels, *_ in pages for one, other in zip(model.label(page), labels, strict=True)]
    assert sum(same) / len(same) > 0.9


def test_the_weight_of_a_page_is_for_the_trees(pages, scored):
    weighted = [page._replace(weight=50.0 * (number == 0) + 1.0) for number, page in enumerate(pages)]

    alike, heavy = train(pages, scored), train(weighted, scored)

    assert (alike.crf.singles == heavy.crf.singles).all()
    assert not np.array_equal(alike.trees.leaves, heavy.trees.leaves)
    assert alike.card.data.digest != heavy.card.data.digest


def test_trees_do_not_see_what_is_switched_off(pages, scored):
    model = train(pages, replace(scored, without=("token.*", "position")))

    assert not {"token.alpha-abs", "position"} & {*model.trees.features}


def test_without_catboost_nothing_is_read_before_one_knows(pages, scored, monkeypatch):
    monkeypatch.setitem(sys.modules, "catboost", None)
    pages = iter(pages)

    with pytest.raises(UsageError, match=r"pip install 'victorpy\[trees\]'"):
        train(pages, scored)

    assert len(list(pages)) == 6


def test_annotations_are_cut_as_the_config_says(annotations, settings, caplog):
    blocks = replace(settings, markup=replace(settings.markup, mode="block"))

    with caplog.at_level("INFO", "victorpy"):
        ((page, labels, *_),) = annotated_pages([annotations / "part-0.anno"], blocks)

    assert [str(label) for label in labels] == ["other", "other", "h", "p", "p", "l", "l", "other"]
    assert len(page) == 8
    assert "part-0.anno: blocks: 7 kept, 1 merged from several" in caplog.text
