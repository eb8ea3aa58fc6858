from victorpy.features.duplicates import duplicate_count, first_duplicate
from victorpy.page.segment import segment


def test_twins_have_the_same_letters():
    page = segment("<p>Read more<p>Other<p>Read: more (12)<p>read more<p>Readmore!")

    assert duplicate_count(page).tolist() == [3, 1, 3, 1, 3]
    assert first_duplicate(page).tolist() == [True, False, False, False, False]


def test_blocks_differ_by_order_and_number_of_letters():
    page = segment("<p>ab<p>ba<p>aab<p>a<p>b")

    assert duplicate_count(page).tolist() == [1] * 5


def test_blocks_without_letters_are_twins():
    page = segment("<p>1<p>Two<p>| 2<p>»")

    assert duplicate_count(page).tolist() == [3, 1, 3, 3]
    assert first_duplicate(page).tolist() == [True, False, False, False]


def test_long_pages_have_twins_too():
    page = segment(f"<p>{'long ' * 20_000}<p>short<p>{'long' * 20_000}")

    assert duplicate_count(page).tolist() == [2, 1, 2]


def test_twins_are_found_wherever_they_lie_on_a_long_page():
    filling = "abc " * 10_000
    page = segment(f"<p>twin<p>{filling}<p>twin<p>{filling}x<p>{filling * 9}<p>twin<p>{filling}<p>{filling * 9}")

    assert duplicate_count(page).tolist() == [3, 2, 3, 1, 2, 3, 2, 2]


def test_letters_in_other_places_make_other_blocks_however_long():
    page = segment(f"<p>{'a' * 40_000}b{'a' * 40_000}<p>{'a' * 40_001}b{'a' * 39_999}")

    assert duplicate_count(page).tolist() == [1, 1]
