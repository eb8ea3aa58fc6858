from victorpy.evaluation.systems import compare_systems


def test_a_model_and_a_labeler_are_compared_from_python(model, annotations):
    found = compare_systems([str(model), "everything"], on=[str(annotations)], figures=["word_f1", "total"], jobs=1)

    assert list(found.tables) == ["word_f1", "total"]
    assert found.tables["word_f1"].loc["everything", "difference"] < 0
    assert list(found.systems) == [str(model), "everything"]
