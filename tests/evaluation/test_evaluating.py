from pathlib import Path

import pytest

from victorpy.errors import UsageError
from victorpy.evaluation.evaluating import evaluate, evaluate_texts
from victorpy.pipeline.cleaner import load


def test_a_cleaner_is_evaluated_on_annotated_pages(model, annotations):
    found = evaluate(load(str(model)), [str(annotations)], jobs=1)

    assert found.summary().loc["accuracy", "mean"] == 1
    assert found.labels().loc["p", "support"] == found.confusion().loc["p"].sum()
    assert [mistake.value for mistake in found.worst(count=2)] == [1, 1]


def test_texts_are_evaluated_without_tables_of_labels(tmp_path):
    for name, text in (("printed", "<p> one"), ("gold", "<p> one two three")):
        Path(tmp_path, name).mkdir()
        Path(tmp_path, name, "a.txt").write_text(text)

    found = evaluate_texts(tmp_path / "printed", tmp_path / "gold", {"a": "news"})

    assert found.scores.loc["a", "word_recall"] == pytest.approx(1 / 3)
    assert found.worst()[0].dropped == ["two three"]
    with pytest.raises(UsageError, match="need annotated pages, but only texts were compared"):
        found.labels()
