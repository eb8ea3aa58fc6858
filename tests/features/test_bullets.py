import pytest

from victorpy.features.bullets import bullet
from victorpy.page.segment import segment

NUMBER, LETTER, SIGN = 8, 16, 24


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1. item", NUMBER + 1),
        ("12) item", NUMBER + 2),
        ("123: item", NUMBER + 3),
        ("7- item", NUMBER + 4),
        ("7] item", NUMBER + 5),
        ("1.", NUMBER + 1),
        ("1 item", 0),
        ("1", 0),
        ("1234. item", 0),
        ("1.5 litres", 0),
        ("a) item", LETTER + 2),
        ("B. item", LETTER + 1),
        ("a item", 0),
        ("ab) item", 0),
        ("• item", SIGN),
        ("- item", SIGN),
        ("»", SIGN),
        ("*) item", SIGN + 2),
        ("•item", 0),
        ("-5 degrees", 0),
        ("item", 0),
    ],
)
def test_bullets_differ_by_kind_and_delimiter(text, code):
    assert bullet(segment(f"<p>{text}<p>x<p>{text}")).tolist() == [code, 0, code]
