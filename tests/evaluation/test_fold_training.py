import math
import os
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import pytest

from victorpy.annotation.anno_files import read, write
from victorpy.annotation.page_groups import Membership
from victorpy.errors import UsageError, VictorError
from victorpy.evaluation import fold_training as trainings_of
from victorpy.evaluation.cross_validation import CrossValidation, cross_validate
from victorpy.evaluation.fold_tables import curve_of, curve_table, original_table, page_scores
from victorpy.evaluation.fold_training import doubled_sizes, fold_training, trained_predictions
from victorpy.evaluation.predictions import gold_texts, read_predictions, with_gold_texts
from victorpy.models import config
from victorpy.page.blocks import Label


@pytest.fixture(scope="module")
def settings(small_config):
    return config.load(small_config)


@pytest.fixture(scope="module")
def members():
    """Each page is a site of its own, where their urls would make them one."""
    return {f"part-{number}": Membership("letter", str(number)) for number in range(6)}


@pytest.fixture(scope="module")
def files(annotations):
    return sorted(annotations.glob("*.anno"))


@pytest.fixture(scope="module")
def validate(files, settings, members):
    """Cross-validates our pages in three folds, or what else is given."""
    usual = {"files": files, "config": settings, "count": 3, "seed": 0, "members": members}
    return partial(_validate, usual)


def _validate(usual, jobs=1, folder=None, **changes):
    return trained_predictions(fold_training(**usual | changes), jobs, folder)


@pytest.fixture(scope="module")
def predictions(validate):
    return validate()


@pytest.fixture
def trainings(monkeypatch):
    """The ids of the pages of every training, as they happen."""
    happened, train = [], trainings_of.train

    def noted(pages, config):
        happened.append([page.page.id for page in pages])
        return train(pages, config)

    monkeypatch.setattr(trainings_of, "train", noted)
    return happened


@pytest.fixture
def relabeled(files, tmp_path):
    """Copies of the pages with other labels."""

    def changed(labels_of):
        for number, path in enumerate(files):
            page = read(path)
            write(replace(page, labels=tuple(labels_of(number, page.labels))), tmp_path / path.name)
        return sorted(tmp_path.glob("*.anno"))

    return changed


def labels(predictions):
    return [page.predicted for page in predictions.pages]


def test_every_page_is_labeled_by_a_model_that_has_not_seen_it(validate, trainings):
    found = validate()

    tested = [[id for id, fold in found.folds.items() if fold == number] for number in (1, 2, 3)]
    assert [page.id for page in found.pages] == [f"part-{number}" for number in range(6)]
    assert [sorted(one + other) for one, other in zip(trainings, tested, strict=True)] == [sorted(found.folds)] * 3


def test_pages_that_are_alike_are_labeled_well(predictions):
    table = original_table(page_scores(predictions))

    assert list(table.index) == ["accuracy", "content_accuracy", "markup_only", "text", "total"]
    assert list(table.columns) == ["mean", "sd", "least", "most", "fold 1", "fold 2", "fold 3"]
    assert table.loc["content_accuracy", "mean"] > 0.9
    assert predictions.pages[0].kind == "letter"


@pytest.mark.process
def test_processes_change_nothing(predictions, validate):
    assert labels(validate(jobs=2)) == labels(predictions)


def test_what_was_kept_is_read_without_training(predictions, validate, tmp_path, trainings):
    validate(folder=tmp_path)
    trainings.clear()

    again = read_predictions(tmp_path)

    assert not trainings
    assert labels(again) == labels(predictions)
    assert (again.folds, again.probabilities) == (predictions.folds, predictions.probabilities)
    assert [(page.kind, page.group) for page in again.pages] == [("letter", str(number)) for number in range(6)]
    pd.testing.assert_frame_equal(page_scores(again), page_scores(predictions))


def test_a_run_that_was_killed_goes_on_where_it_was(predictions, validate, tmp_path, trainings):
    validate(folder=tmp_path)
    trainings.clear()
    tmp_path.joinpath("fold-2.jsonl").unlink()

    again = validate(folder=tmp_path)

    assert len(trainings) == 1
    assert labels(again) == labels(predictions)


def test_a_fold_that_fails_loses_no_other(validate, tmp_path, trainings, monkeypatch):
    train = trainings_of.train

    def train_once(*words):
        if trainings:
            raise VictorError("nothing to learn from")
        return train(*words)

    monkeypatch.setattr(trainings_of, "train", train_once)

    with pytest.raises(VictorError, match="fold 2: nothing to learn from"):
        validate(folder=tmp_path)

    assert [path.name for path in sorted(tmp_path.glob("*.jsonl"))] == ["fold-1.jsonl"]


@pytest.mark.process
def test_a_process_that_dies_is_reported(validate, monkeypatch):
    monkeypatch.setattr(trainings_of, "train", lambda *_: os._exit(7))

    with pytest.raises(VictorError, match=r"fold 1: its process died \(exit status 7\)"):
        validate(jobs=2)


OTHERWISE = {
    "seed": (lambda files, settings: {"seed": 1}, "seed"),
    "folds": (lambda files, settings: {"count": 2}, "folds"),
    "config": (lambda files, settings: {"config": replace(settings, without=("position",))}, "config"),
    "pages": (lambda files, settings: {"files": files[:5]}, "data, folds"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_a_folder_holds_one_cross_validation(validate, files, settings, tmp_path, name):
    changes, message = OTHERWISE[name]
    validate(folder=tmp_path)

    with pytest.raises(UsageError, match=f"has predictions of other {message}.*: name another folder"):
        validate(folder=tmp_path, **changes(files, settings))


ANSWER = '{"id": "part-0", "fold": 1, "kind": "", "group": "", "labels": ["p"], "probabilities": [0.5]}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{\n", r"fold-1\.jsonl:1: damaged: remove the file"),
        ('{"id": "part-0"}\n', r"fold-1\.jsonl:1: damaged"),
        ("[" * 100_000 + "\n", r"fold-1\.jsonl:1: damaged"),
        (ANSWER.replace('"part-0"', "[]"), r"fold-1\.jsonl:1: damaged"),
        (ANSWER.replace("0.5", "null"), r"fold-1\.jsonl:1: damaged"),
        ("", "the predictions do not fit page"),
    ],
    ids=["broken", "incomplete", "nested", "another id", "no probability", "empty"],
)
def test_a_damaged_file_is_named(validate, tmp_path, text, message):
    validate(folder=tmp_path)
    tmp_path.joinpath("fold-1.jsonl").write_text(text)

    with pytest.raises(VictorError, match=message):
        read_predictions(tmp_path)


def test_predictions_of_other_pages_are_not_read(validate, files, tmp_path):
    validate(folder=tmp_path)

    with pytest.raises(VictorError, match="these predictions are of other annotated pages"):
        read_predictions(tmp_path, files[:-1])
    with pytest.raises(UsageError, match="no predictions here"):
        read_predictions(tmp_path / "elsewhere")


def test_predictions_of_a_run_that_was_killed_are_not_taken_for_all(validate, tmp_path):
    validate(folder=tmp_path)
    tmp_path.joinpath("fold-3.jsonl").unlink()

    with pytest.raises(VictorError, match="fold 3 is not done yet"):
        read_predictions(tmp_path)


def test_pages_of_one_site_are_in_one_fold_unless_a_table_says_otherwise(files, settings, members):
    with pytest.raises(UsageError, match="3 folds need 3 groups of pages, but there is 1 group"):
        cross_validate(files, settings, count=3)

    assert {sample.group for sample in fold_training(files, settings, 3, 0, members).samples} == set("012345")


def test_two_pages_of_one_id_stay_together(files, settings, members):
    training = fold_training([*files, files[0]], settings, 3, 0, members)

    assert training.facts.folds["part-0-2"] == training.facts.folds["part-0"]


def test_pages_that_are_not_in_the_table_give_a_warning(files, settings, members, caplog):
    some = {id: member for id, member in members.items() if id != "part-3"}

    fold_training(files, settings, 3, 0, some)

    assert "1 pages have no kind or group, such as 'part-3'" in caplog.text


def test_a_label_that_no_training_page_has_is_no_trouble(relabeled, validate, predictions):
    files = relabeled(
        lambda number, labels: [
            Label.PARAGRAPH if label is Label.LIST and predictions.folds[f"part-{number}"] != 1 else label
            for label in labels
        ]
    )

    table = original_table(page_scores(validate(files=files)))

    assert all(math.isfinite(value) for value in table["mean"])
    assert table.loc["accuracy", "fold 1"] < 1


def test_pages_with_one_label_teach_that_one(relabeled, validate, caplog):
    fold_of = validate(count=2).folds
    files = relabeled(lambda number, labels: [Label.OTHER] * len(labels) if fold_of[f"part-{number}"] == 1 else labels)

    found = validate(files=files, count=2)

    second = [page for page in found.pages if fold_of[page.id] == 2]
    assert {label for page in second for label in page.predicted} == {Label.OTHER}
    assert {value for page in second for value in found.probabilities[page.id]} == {0.0}
    assert "fold 2: its training pages have no label but 'other'" in caplog.text


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_pages_without_labels_are_nothing_to_learn_from(relabeled, validate, jobs):
    files = relabeled(lambda _, labels: [None] * len(labels))

    with pytest.raises(VictorError, match="fold 1: nothing to learn from"):
        validate(files=files, jobs=jobs)


def test_a_fold_without_labels_has_no_accuracy_and_spoils_no_mean(relabeled, validate):
    fold_of = validate().folds
    files = relabeled(lambda number, labels: [None] * len(labels) if fold_of[f"part-{number}"] == 2 else labels)

    table = original_table(page_scores(validate(files=files)))

    accuracy = table.loc["accuracy"]
    assert math.isnan(accuracy["fold 2"])
    assert accuracy["mean"] == pytest.approx((accuracy["fold 1"] + accuracy["fold 3"]) / 2)


def test_gold_texts_take_the_place_of_gold_labels(predictions, tmp_path):
    for page in predictions.pages:
        tmp_path.joinpath(f"{page.id}.txt").write_text("<p> something else")

    scores = page_scores(with_gold_texts(predictions, gold_texts(tmp_path, predictions.folds)))

    assert scores["word_f1"].max() == 0
    assert scores["accuracy"].max() > 0.9


def test_a_page_without_gold_text_is_an_error(tmp_path):
    tmp_path.joinpath("1.txt").write_text("<p> one")

    with pytest.raises(UsageError, match=r"no gold text for 2 of 3 pages, such as 2\.txt"):
        gold_texts(tmp_path, ["1", "2", "3"])


def test_labels_are_counted_over_blocks_and_texts_over_pages():
    scores = pd.DataFrame(
        {
            "fold": [1, 1, 2],
            "blocks": [30, 10, 5],
            "accuracy": [1.0, 0.0, np.nan],
            "content_accuracy": [1.0, 0.5, 0.8],
            "text": [1.0, 0.0, 0.5],
        }
    )

    table = original_table(scores, ["accuracy", "content_accuracy", "text"])

    assert table["fold 1"].to_list() == [0.75, 0.875, 0.5]
    assert table["fold 2"].isna().to_list() == [True, False, False]
    assert table["mean"].to_list() == [0.75, 0.8375, 0.5]
    assert table.loc["content_accuracy", "sd"] == pytest.approx(np.std([0.875, 0.8], ddof=1))


# Learning curves


def test_more_training_pages_are_the_same_and_some_more(files, settings, members):
    training = fold_training(files, settings, 3, 0, members)

    few, more, all_of_them = (
        {sample.id for sample in training.with_pages(size).training_samples(1)}
        for size in (1, 3, training.most_training_pages)
    )

    assert (len(few), len(more), len(all_of_them)) == (1, 3, 4)
    assert few < more < all_of_them
    assert not any(training.facts.folds[id] == 1 for id in all_of_them)


def test_the_last_point_of_a_curve_is_the_cross_validation(predictions, files, settings, members):
    curve = CrossValidation(files=tuple(files), count=3, jobs=1, members=members).curve(settings, [4, 1])

    assert list(curve) == [1, 4]
    assert labels(curve[4]) == labels(predictions)


def test_a_curve_is_a_row_for_each_number_of_pages(files, settings, members, tmp_path):
    validation = CrossValidation(files=tuple(files), count=3, jobs=1, members=members, folder=tmp_path)
    found = validation.curve(settings, [1, 4])
    scores = {size: page_scores(predictions) for size, predictions in found.items()}

    table, line = curve_table(scores, ["total", "word_f1"]), curve_of(scores, "word_f1")

    assert (table.index.name, list(table.index), list(table.columns)) == (
        "training pages",
        [1, 4],
        ["total", "word_f1"],
    )
    assert line["mean"].to_list() == table["word_f1"].to_list()
    assert (line["low"] <= line["mean"]).all()
    assert labels(read_predictions(validation.home(settings, 1))) == labels(found[1])


@pytest.mark.parametrize("size", [0, 5])
def test_a_curve_cannot_have_more_pages_than_the_folds_leave(files, settings, members, size):
    with pytest.raises(UsageError, match=f"expected from 1 to 4 training pages, got {size}"):
        CrossValidation(files=tuple(files), count=3, members=members).curve(settings, [size])


@pytest.mark.parametrize(("most", "sizes"), [(48, [5, 10, 20, 40, 48]), (40, [5, 10, 20, 40]), (3, [3])])
def test_a_curve_doubles_its_pages(most, sizes):
    assert doubled_sizes(most) == sizes


def test_a_cross_validation_can_be_run_in_parts(predictions, files, settings, members):
    assert labels(trained_predictions(fold_training(files, settings, 3, 0, members), jobs=1)) == labels(predictions)


def test_fields_of_posts_are_learned_and_scored_as_one_of_the_five(files, settings, members, folder):
    copies = [folder / path.name for path in files]
    for path, copy in zip(files, copies, strict=True):
        known = read(path)
        labels = [Label.TITLE if label is Label.HEADER else label for label in known.labels]
        write(replace(known, labels=tuple(labels)), copy)

    plain = cross_validate(files, settings, 2, jobs=1, members=members)
    found = cross_validate(copies, replace(settings, labels=("title",)), 2, jobs=1, members=members)

    assert [page.gold for page in found.pages] == [page.gold for page in plain.pages]
    assert [page.predicted for page in found.pages] == [page.predicted for page in plain.pages]
