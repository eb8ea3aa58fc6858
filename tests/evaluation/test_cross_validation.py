from dataclasses import replace

import pytest
from pandas.testing import assert_frame_equal

from victorpy.annotation.anno_files import annotation_of, write
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError
from victorpy.evaluation.cross_validation import CrossValidation, annotated_texts, cross_validate, read_scores
from victorpy.evaluation.predictions import page_ids, read_predictions
from victorpy.evaluation.scoring import scores_table
from victorpy.models import config
from victorpy.page.blocks import Label
from victorpy.page.segment import segment

SITES = {f"part-{number}": Membership("letter", f"site-{number}") for number in range(6)}


@pytest.fixture
def small(small_config):
    return config.load(small_config)


@pytest.fixture
def files(annotations):
    return tuple(sorted(annotations.glob("*.anno")))


def test_scores_are_those_of_the_cross_validation(small, files):
    own = scores_table(cross_validate(files, small, 2, 0, 1, None, SITES).pages)

    assert CrossValidation(files=files, count=2, jobs=1, members=SITES).scores(small).equals(own)


def test_scores_are_read_back_as_they_were_written(small, files, tmp_path):
    validation = CrossValidation(files=files, count=2, jobs=1, folder=tmp_path, members=SITES)

    table = validation.scores(small)

    kept = read_scores(tmp_path / validation.name_of(small) / validation.scores_file)
    assert_frame_equal(kept, table, check_exact=True)
    assert kept["kind"].tolist() == ["letter"] * 6


def test_every_config_pages_and_seed_has_a_place_of_its_own(small, files):
    one = CrossValidation(files=files)
    others = [
        CrossValidation(files=files[1:]),
        CrossValidation(files=files, seed=1),
        CrossValidation(files=files, count=5),
        CrossValidation(files=files, members=SITES),
    ]

    assert one.name_of(small) == CrossValidation(files=files, jobs=1).name_of(small)
    assert one.name_of(small) not in {other.name_of(small) for other in others}
    assert one.name_of(small) != one.name_of(replace(small, without=("position",)))


def test_other_gold_texts_want_other_scores_but_no_other_training(small, files, tmp_path, monkeypatch):
    labels = CrossValidation(files=files, count=2, jobs=1, folder=tmp_path, members=SITES)
    texts = replace(labels, gold_texts=dict.fromkeys(SITES, ""))
    labels.scores(small)
    monkeypatch.setattr("victorpy.evaluation.fold_training.train", lambda *_: pytest.fail("trained again"))

    scores = texts.scores(small)

    assert (scores["word_f1"] == 0).all()
    assert not labels.scores(small).equals(scores)


def test_gold_texts_are_what_the_labels_print_of_the_page_as_annotated(tmp_path):
    html = "<p>One <b>two</b> three.</p><p>Imprint</p>"
    page = segment(html, "x")
    write(
        annotation_of(page, html, [Label.PARAGRAPH, Label.CONTINUATION, Label.CONTINUATION, Label.OTHER]),
        tmp_path / "x.anno",
    )

    assert annotated_texts([tmp_path / "x.anno"]) == {"x": "<p> One two three.\n"}


def test_given_gold_texts_are_what_is_printed_for(small, files):
    table = CrossValidation(files=files, count=2, jobs=1, members=SITES, gold_texts=dict.fromkeys(SITES, "")).scores(
        small
    )

    assert (table["word_f1"] == 0).all()
    assert table["accuracy"].notna().all()


def test_pages_of_the_same_id_are_told_apart_as_in_cross_validation(small, files):
    twice = (*files, files[0])

    found = cross_validate(twice, small, 2, 0, 1, None, SITES)

    assert page_ids(twice) == [page.id for page in found.pages]


def test_one_folder_keeps_several_configs(small, files, tmp_path):
    validation = CrossValidation(files=files, count=2, jobs=1, folder=tmp_path, members=SITES)
    other = replace(small, without=("position",))
    found = validation.predictions(small)

    kept = read_predictions(tmp_path)
    validation.predictions(other)

    assert [page.predicted for page in kept.pages] == [page.predicted for page in found.pages]
    assert {path.name for path in tmp_path.iterdir()} == {validation.name_of(small), validation.name_of(other)}
    with pytest.raises(UsageError, match="has several cross-validations, name one of them"):
        read_predictions(tmp_path)


def test_a_folder_of_an_earlier_version_is_used_as_it_is(small, files, tmp_path, monkeypatch):
    validation = CrossValidation(files=files, count=2, jobs=1, folder=tmp_path / "new", members=SITES)
    validation.predictions(small)
    validation.home(small).rename(tmp_path / "old")
    monkeypatch.setattr("victorpy.evaluation.fold_training.train", lambda *_: pytest.fail("trained again"))

    old = replace(validation, folder=tmp_path / "old")

    assert old.home(small) == tmp_path / "old"
    assert old.predictions(small).folds == read_predictions(tmp_path / "old").folds
    with pytest.raises(UsageError, match="has predictions of other config: name another folder"):
        old.predictions(replace(small, without=("position",)))
