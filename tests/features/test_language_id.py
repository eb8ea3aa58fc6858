import pytest

from victorpy.errors import UsageError
from victorpy.features.language_id import chances, known, language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [("The ferry leaves at seven, long before the island is awake.", "en"), ("Паром отходит в семь утра.", "ru")],
)
def test_the_language_of_a_text(text, language):
    assert language_of(text) == language
    assert max(chances(text), key=chances(text).get) == language


def test_figures_are_in_no_language():
    assert language_of("12 34 …") == "zxx"


def test_a_code_includes_all_languages_that_the_detector_distinguishes_in_it():
    assert known(("de", "no", "nb")) == ("de", "no", "nn")


def test_an_unknown_language_is_named():
    with pytest.raises(UsageError, match=r"unknown language 'enn' .*\(known: ace, .*, de, "):
        known(("de", "enn"))
