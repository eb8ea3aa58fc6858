import pytest

from victorpy.features import features
from victorpy.page.segment import segment


def column(name: str, html: str) -> list[float]:
    return features([name])[name](segment(html)).tolist()


@pytest.mark.parametrize(
    ("html", "positions"), [("<p>a", [0]), ("<p>a<p>b<p>c", [0, 0.5, 1])], ids=["one block", "three blocks"]
)
def test_position_goes_from_the_first_block_to_the_last(html, positions):
    assert column("position", html) == positions


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("word-count", 5),
        ("sentence-count", 2),
        ("block-count", 3),
        ("max-div-group", 4 / 5),
        ("max-td-group", 1),
    ],
)
def test_figures_of_the_page_are_the_same_for_every_block(name, value):
    html = "<div>Cats sleep. Dogs bark!</div><div>birds</div><div>–</div>"

    assert column(f"document.{name}", html) == [value] * 3
