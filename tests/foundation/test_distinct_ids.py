from victorpy.foundation.distinct_ids import distinct_ids


def test_later_pages_of_an_id_are_numbered():
    assert distinct_ids(["a", "b", "a", "a"]) == ["a", "b", "a-2", "a-3"]


def test_a_numbered_id_never_equals_the_id_of_another_page():
    assert distinct_ids(["a", "a", "a-2"]) == ["a", "a-3", "a-2"]
    assert distinct_ids(["a", "a-2", "a-2", "a"]) == ["a", "a-2", "a-2-2", "a-3"]


def test_case_may_be_ignored_as_in_some_file_systems():
    assert distinct_ids(["faq", "FAQ"]) == ["faq", "FAQ"]
    assert distinct_ids(["faq", "FAQ"], ignores_case=True) == ["faq", "FAQ-2"]
