import pytest

from victorpy.errors import VictorError
from victorpy.models.templates import expansions, parse

KNOWN = ["split.br", "split.p", "bullet", "char.alpha-rel"]


def lines(text: str) -> list[str]:
    return str(parse(text, "x.tpl", KNOWN)).splitlines()


@pytest.mark.parametrize(
    ("line", "expanded"),
    [
        ("bullet[0]", ["bullet[0]"]),
        ("bullet[{-1,0,+1}]", ["bullet[-1]", "bullet[0]", "bullet[1]"]),
        ("split.{br,p}[{-1,0}]", ["split.br[-1]", "split.br[0]", "split.p[-1]", "split.p[0]"]),
        ("{split.br,bullet}[0]", ["split.br[0]", "bullet[0]"]),
        ("split.{ br , p }[0]", ["split.br[0]", "split.p[0]"]),
        ("bullet[-1] bullet[0]", ["bullet[-1] bullet[0]"]),
        ("bullet[0] split.{br,p}[{0,1}]", [f"bullet[0] split.{tag}[{row}]" for tag in ("br", "p") for row in (0, 1)]),
        ("bullet[0] # why", ["bullet[0]"]),
        ("# bullet[0]\nbullet[1]", ["bullet[1]"]),
        ("bullet[0]\nbullet[0]", ["bullet[0]"]),
        ("bullet[0]\nB", ["bullet[0]", "B"]),
    ],
)
def test_a_line_expands(line, expanded):
    assert lines(line) == expanded


def test_expansions_vary_the_last_braces_fastest():
    assert [*expansions("{a,b}{1,2}")] == ["a1", "a2", "b1", "b2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bullet[0]\nbulet[0]", "x.tpl:2: no such feature 'bulet'; did you mean 'bullet'?"),
        ("bullet", "x.tpl:1: expected a reference such as container.p[0] or split.br[{-1,0}], got 'bullet'"),
        ("bullet[{0]", "x.tpl:1: expected a reference such as container.p[0] or split.br[{-1,0}], got 'bullet[{0]'"),
        ("\n# nothing\n", "x.tpl: expected at least one template"),
        ("{bullet[0],}", "x.tpl:1: the line is empty for some choice of its braces"),
        ("bullet[0]\n" + "{,}" * 20_000, "x.tpl:2: more than 100,000 references in the file"),
        (
            "bullet[{0,1,2,3,4,5,6,7,8,9}] " * 4 + "bullet[0] " * 7_000,
            "x.tpl:1: more than 100,000 references in the file",
        ),
        (f"bullet[{{{'0,' * 4_999}0}}]\n" * 21, "x.tpl:21: more than 100,000 references in the file"),
    ],
)
def test_an_error_names_file_and_line(text, message):
    with pytest.raises(VictorError) as caught:
        lines(text)

    assert str(caught.value) == message


def test_templates_that_need_a_feature_out_of_use_go_with_it():
    templates = parse("bullet[0]\nbullet[0] split.br[0]\nsplit.br[0]\nB", "x.tpl", KNOWN)

    assert str(templates.only(["split.br"])) == "split.br[0]\nB\n"


def test_what_is_printed_reads_back_the_same():
    templates = parse("split.{br,p}[{-1,0}] bullet[2]\nB", "x.tpl", KNOWN)

    assert parse(str(templates), "y.tpl", KNOWN) == templates
