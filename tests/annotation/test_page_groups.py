import pytest

from victorpy.annotation.page_groups import Membership, read_kinds, read_memberships
from victorpy.errors import UsageError, VictorError


def test_kinds_and_groups_are_read_from_a_table(tmp_path):
    path = tmp_path / "pages.tsv"
    path.write_text("1\tarticle\tharbour.example\n2\tforum\n\n1\tarticle\tharbour.example\n")

    assert read_memberships(path) == {"1": Membership("article", "harbour.example"), "2": Membership("forum", "")}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tarticle\ta\n1\tarticle\tb\n", "pages.tsv:2: '1' has another kind or group than in line 1"),
        ("1\tarticle\ta\n2\n", "pages.tsv:2: expected id, kind and .* separated by tabs, got 1 column"),
        ("1\ta\tb\tc\n", "pages.tsv:1: .*got 4 columns"),
    ],
    ids=["two groups", "no kind", "too many columns"],
)
def test_a_broken_table_is_named_with_its_line(tmp_path, text, message):
    path = tmp_path / "pages.tsv"
    path.write_text(text)

    with pytest.raises(VictorError, match=message):
        read_memberships(path)


def test_a_missing_table_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"gone\.tsv: no such file"):
        read_memberships(tmp_path / "gone.tsv")


def test_kinds_are_read_from_the_same_table(tmp_path):
    path = tmp_path / "pages.tsv"
    path.write_text("a\tnews\tsite\n\nb\tforum\n")

    assert read_kinds(path) == {"a": "news", "b": "forum"}
    assert read_kinds(None) == {}
