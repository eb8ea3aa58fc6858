import pytest

from victorpy.features import features
from victorpy.page.markup import Markup, Mode
from victorpy.page.segment import segment


def column(name: str, html: str, mode: Mode = "victor") -> list[int]:
    return features([name])[name](segment(html, markup=Markup(mode=mode))).tolist()


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("html", [1, 1, 1, 1, 1]),
        ("p", [0, 1, 1, 0, 0]),
        ("b", [0, 0, 1, 0, 0]),
        ("option", [0, 0, 0, 0, 1]),
        ("article", [0, 0, 0, 0, 0]),
        ("class-header", [1, 0, 0, 0, 0]),
        ("class-bold", [0, 0, 1, 0, 0]),
        ("class-italic", [0, 0, 1, 0, 0]),
        ("class-list", [0, 0, 0, 1, 0]),
        ("class-form", [0, 0, 0, 0, 1]),
    ],
)
def test_containers_are_all_the_elements_around(name, inside):
    html = (
        "<h2>zero</h2><p>one <b><span><em>two</em></span></b></p>"
        "<ul><li><div>three</div></ul><select><option>four</select>"
    )

    assert column(f"container.{name}", html) == inside


def test_a_block_of_many_runs_lies_in_what_holds_them_all():
    assert column("container.b", "<p>one <b>two</b> three<p><b>four</b>", "block") == [0, 1]


@pytest.mark.parametrize(
    ("name", "counts"),
    [("p", [1, 2, 0, 1]), ("br", [0, 0, 2, 0]), ("hr", [0, 1, 0, 0]), ("class-inline", [0, 0, 1, 4])],
)
def test_tags_between_blocks_are_counted(name, counts):
    html = "<p>zero</p><hr><p>one <b><br><br>two</b> </p><i></i> <i>three</i>"

    assert column(f"split.{name}", html) == counts


def test_tags_inside_a_block_part_no_blocks():
    html = "<p>one <b>two</b> <i>three</i></p><p><b>four</b>"

    assert column("split.class-inline", html, "block") == [0, 2]
    assert column("split.class-block", html, "block")[1] == 2


PRE = "<p>zero</p><pre>one\ntwo\n\nthree <b>four</b></pre><p>five<br>six\nseven</p>"


@pytest.mark.parametrize(("splits", "counts"), [(False, [0, 0, 0, 0, 0, 0, 1]), (True, [0, 0, 1, 1, 0, 0, 1])])
def test_lines_of_pre_count_as_line_breaks_if_the_markup_says_so(splits, counts):
    page = segment(PRE, markup=Markup(pre_lines_split=splits))

    assert page.texts == ["zero", "one", "two", "three", "four", "five", "six seven"]
    assert features(["split.br"])["split.br"](page).tolist() == counts
    assert features(["split.class-block"])["split.class-block"](page).tolist() == [5, 2, 0, 0, 0, 2, 0]
