import pytest

from victorpy.features.language.symbols import symbols


def words(text: str) -> int:
    """How many."""
    return len(symbols([text], "words").symbols) - 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The ferry leaves at seven.", 5),
        ("", 0),
        ("* — »", 0),
        ("snake_case", 2),
        ("Паром уходит в семь", 4),
        ("नाव सात बजे जाती है", 5),
        ("الْعَبّارة تغادر", 2),
        ("渡轮七点出发", 6),
        ("เรือออก", 7),
        ("e\u0301te\u0301", 1),
        ("one\ntwo", 2),
    ],
    ids=[
        "English",
        "nothing",
        "signs",
        "underscore",
        "Russian",
        "Hindi",
        "Arabic",
        "Chinese",
        "Thai",
        "marks",
        "lines",
    ],
)
def test_words_are_those_of_their_script(text, count):
    assert words(text) == count


@pytest.mark.parametrize("unit", ["words", "characters"])
def test_case_and_digits_make_no_difference(unit):
    one, other = (symbols([text], unit).symbols.tolist() for text in ("Ferry 12, ÉTÉ", "ferry 98, été"))

    assert one == other


@pytest.mark.parametrize("unit", ["words", "characters"])
def test_a_symbol_is_the_same_wherever_it_stands(unit):
    alone, later = symbols(["ferry"], unit), symbols(["a b c", "the ferry"], unit)

    assert alone.symbols[1:].tolist() == later.symbols[-len(alone.symbols[1:]) :].tolist()
    assert later.begins.tolist() == [0, 4 if unit == "words" else 6]


def test_symbols_do_not_depend_on_the_machine():
    """Language models hold them: other ones would be another format."""
    found = symbols(["a ferry"], "words").symbols.tolist()

    assert found == [0x17E757F16CFB68CF, 0xDB87C9C9A517A502, 0x2F6F51E0BAD9C18C]
