import pytest

from victorpy.labelers.stopwords import function_words, likely_language, stop_words

PARTS = (
    "the ferry leaves at seven and the baker waits for the ferry in the rain",
    "the bridge is closed for the summer and the children swim in the river",
    "she wrote the letter in the evening and left it for the captain at home",
)


def test_function_words_are_those_that_stand_all_over_the_text():
    words = function_words([" ".join([part] * 70) for part in PARTS], 0.4)

    assert words[0] == "the"
    assert {"and", "in", "for"} >= set(words[1:])
    assert "ferry" not in words


def test_of_no_text_there_are_no_function_words():
    assert function_words(["", "1 2 3"]) == []


@pytest.mark.parametrize(("language", "word"), [("en", "the"), ("pl-PL", "nie"), ("ar", "من"), ("nb", "ikke")])
def test_stop_words_of_a_language_by_its_code(language, word):
    assert word in stop_words(language)


@pytest.mark.parametrize("language", ["zh", "ja", "xx", ""])
def test_some_languages_have_none(language):
    assert stop_words(language) == frozenset()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The ferry leaves at seven, long before the island is awake.", "en"),
        (". ".join(PARTS), "en"),
        ("Паром отходит в семь утра.", "ru"),
        ("Паром " * 200 + "отходит в семь утра. The Ship of the Isles of the West and East", "ru"),
    ],
)
def test_the_likely_language_of_a_text(text, language):
    assert likely_language(text) == language


def test_figures_are_in_no_language():
    assert likely_language("12 34 …") == "zxx"
