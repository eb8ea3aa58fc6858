import pickle

import pytest

import victorpy
from victorpy.errors import UsageError
from victorpy.labelers.everything import Everything
from victorpy.labelers.selection import Selection, selection
from victorpy.labelers.selector_rules import rules_of
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

PAGE = (
    "<html><body><nav><a href=/>Home</a></nav><div id=main><h1>The ferry</h1><p>It leaves at <b>seven</b> today.</p>"
    "<aside class=ad><p>Buy lamps.</p></aside><ul><li>bread<li>oil</ul></div><script>var seven</script></body></html>"
)


class Nothing(Everything):
    """Keeps no block."""

    def labeling(self, page):
        found = super().labeling(page)
        return type(found)([Label.OTHER] * len(page))


def everything(mode="victor", parser="html5"):
    return Cleaner(Everything(), Markup(mode=mode, parser=parser))


def nothing(mode="victor", parser="html5"):
    return Cleaner(Nothing(), Markup(mode=mode, parser=parser))


@pytest.mark.parametrize("parser", ["html5", "lxml"])
@pytest.mark.parametrize("mode", ["victor", "block", "line"])
def test_what_is_kept_has_the_kind_that_its_markup_says(mode, parser):
    kept = nothing(mode, parser).selecting(keep=["#main"]).clean(PAGE)

    assert cleaneval(kept) == "<h> The ferry\n<p> It leaves at seven today.\n<p> Buy lamps.\n<l> bread\n<l> oil\n"


@pytest.mark.parametrize("parser", ["html5", "lxml"])
def test_what_is_dropped_becomes_noise(parser):
    cleaned = everything(parser=parser).selecting(drop=["nav", ".ad", "li"]).clean(PAGE)

    assert cleaneval(cleaned) == "<h> The ferry\n<p> It leaves at seven today.\n"


def test_drop_beats_keep():
    assert nothing().selecting(keep="#main", drop=["aside", "ul"]).clean(PAGE).text == (
        "The ferry\nIt leaves at seven today.\n"
    )
    assert nothing().selecting(keep=".ad p", drop="div").clean(PAGE).text == ""


def test_a_plain_xpath_selects_as_css_does():
    assert nothing().selecting(keep="/html[1]/body[1]/div[1]/ul[1]/li[2]").clean(PAGE).text == "oil\n"


def test_what_a_labeler_keeps_keeps_its_kind():
    page = "<p>one <b>two</b> three</p>"

    assert cleaneval(everything().selecting(keep="p").clean(page)) == "<p> one two three\n"
    assert cleaneval(everything().selecting(keep="p", drop="b").clean(page)) == "<p> one three\n"


def test_the_rest_of_a_passage_begins_anew_where_its_beginning_is_dropped():
    assert cleaneval(everything().selecting(drop="b").clean("<h2><b>Monday</b> and <i>Tuesday</i></h2>")) == (
        "<h> and Tuesday\n"
    )


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"keep": ".none"}, "keep '.none' matches nothing"),
        ({"keep": ["p", "script"]}, "keep 'script' matches no text"),
        ({"drop": ["/html[1]/p[7]"]}, "drop '/html[1]/p[7]' matches nothing"),
        ({"keep": "i", "drop": "i"}, "keep 'i' matches nothing; drop 'i' matches nothing"),
        ({"keep": "p", "drop": "p"}, ""),
    ],
    ids=["nothing", "deleted by the markup", "a path", "both", "all match"],
)
def test_selectors_that_match_nothing_are_reported(options, reason):
    cleaned = everything().selecting(**options).clean(PAGE)

    assert (cleaned.status, cleaned.reason) == ("ok", reason)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"drop": "p >"}, "drop 'p >': column 4: expected a selector after the combinator"),
        ({"keep": "p\ud800"}, "keep 'p\ud800': column 2: half a surrogate pair, which no page holds"),
        ({"keep": ["p", ""]}, "keep '': column 1: expected a selector, got nothing"),
        ({"keep": "p:hover"}, "keep 'p:hover': column 3: unknown pseudo-class or pseudo-element 'hover'"),
        ({"keep": "p.."}, "keep 'p..': column 3: expected a class name after '.', got '.'"),
        ({"keep": "/html/div[0]"}, "keep '/html/div[0]': column 7: expected a step such as div[2], got 'div[0]'"),
        ({"keep": "a" * 5000}, f"keep '{'a' * 80}…': column 4001: longer than 4000 characters"),
    ],
    ids=["combinator", "half a pair", "empty", "pseudo-class", "class", "path", "long"],
)
def test_a_wrong_selector_is_an_error_with_its_place(options, message):
    with pytest.raises(UsageError) as error:
        everything().selecting(**options)

    assert str(error.value) == message


def test_a_selector_that_nests_without_end_is_an_error():
    with pytest.raises(UsageError, match="column 132: nests deeper than 32"):
        everything().selecting(keep=":is(" * 900 + "p")


@pytest.mark.parametrize("name", ["density", "everything", "merge", "rules", "tree"])
def test_selectors_follow_any_labeler(name):
    cleaned = victorpy.load(name).selecting(keep="#main", drop=".ad").clean(PAGE)

    assert "bread\noil\n" in cleaned.text
    assert "lamps" not in cleaned.text


def test_selections_add_up_where_a_cleaner_is_given_several():
    assert everything().selecting(drop="nav").selecting(drop=".ad").clean(PAGE).text == (
        "The ferry\nIt leaves at seven today.\nbread\noil\n"
    )


def test_hostile_pages_and_selectors_end():
    page = segment("<p>a" * 50_000)

    for text in ("p:has(~ p b)", "p ~ " * 900 + "p", ":has(i) " * 400 + "p", "p:not(:has(+ i))"):
        assert page.core.selected(victorpy._core.Selector(text))


RULES = """\
example.org:
  keep: "#main"
  drop: [.ad, nav]
news.example.org:
  drop: ul
"*":
  drop:
  - .cookies
  - li:first-child
"""


@pytest.fixture
def rules(tmp_path):
    tmp_path.joinpath("rules.yaml").write_text(RULES)
    return tmp_path / "rules.yaml"


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://example.org/a", "The ferry\nIt leaves at seven today.\noil\n"),
        ("https://WWW.Example.org:8080/", "The ferry\nIt leaves at seven today.\noil\n"),
        ("https://news.example.org/", "The ferry\nIt leaves at seven today.\n"),
        ("https://notexample.org/", "Home\nThe ferry\nIt leaves at seven today.\nBuy lamps.\noil\n"),
        (None, "Home\nThe ferry\nIt leaves at seven today.\nBuy lamps.\noil\n"),
    ],
    ids=["the host", "www", "a subdomain", "another host", "no address"],
)
def test_rules_are_for_a_host_and_its_subdomains(rules, url, text):
    cleaned = everything().selecting(rules=rules).clean(PAGE, url)

    assert (cleaned.text, cleaned.reason) == (text, "")


def test_rules_of_a_host_that_match_nothing_are_reported_and_rules_for_all_are_not(rules):
    cleaned = everything().selecting(rules=rules).clean("<ul><li>a<li>b</ul>", "https://example.org/")

    assert cleaned.reason == "keep '#main' matches nothing; drop '.ad' matches nothing; drop 'nav' matches nothing"


@pytest.mark.parametrize("text", ["", "# nothing yet\n", "example.org: {}\n"])
def test_rules_without_selectors_change_nothing(rules, text):
    rules.write_text(text)

    assert everything().selecting(rules=rules).clean(PAGE).text == everything().clean(PAGE).text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"example.org:\n  keep:\n  - p\n  - 'p >'\n", ":4: example.org.keep: 'p >': column 4: expected a selector"),
        (b"example.org:\n  title: 'p >'\n", ":2: example.org.title: 'p >': column 4: expected a selector"),
        (b"example.org:\n  keeps: p\n", ":2: example.org.keeps: no such option; did you mean 'keep'?"),
        (b"https://example.org/:\n  keep: p\n", ":1: expected a host such as example.org, or '*' for all, got 'https"),
        (b"example.org:\n  keep: p\nwww.example.org:\n  drop: p\n", ":3: the host 'example.org' is given before"),
        (b"example.org: p\n", ":1: example.org: expected options, got 'p'"),
        (b"- p\n", ":1: expected options, got a list"),
        (b"example.org:\n  keep: #main\n", ":2: example.org.keep: expected a list, got nothing"),
        (b"example.org: [\n", "not valid YAML"),
        ("*:\n  keep: .é\n".encode("latin-1"), "is not UTF-8: byte 12 is 0xe9"),
        ("example.org:\n  keep: p\n".encode("utf-16"), "is not UTF-8: byte 0 is 0xff"),
    ],
    ids=["selector", "fact", "option", "host", "twice", "no section", "list", "a comment", "YAML", "latin-1", "utf-16"],
)
def test_a_wrong_rules_file_is_an_error_with_file_and_line(rules, text, message):
    rules.write_bytes(text)

    with pytest.raises(UsageError) as error:
        rules_of(rules)

    assert str(error.value).startswith(f"{rules}")
    assert message in str(error.value)


def test_a_missing_rules_file_is_an_error(tmp_path):
    with pytest.raises(UsageError, match=r"none\.yaml: no such file"):
        rules_of(tmp_path / "none.yaml")


def test_the_host_of_pages_without_an_address_can_be_given(rules):
    chosen = selection(rules=rules, host="example.org")

    assert "lamps" not in everything().selected_by(chosen).clean(PAGE).text


def test_a_selection_is_sent_to_other_processes(rules):
    chosen = selection("p", ["b"], rules)

    assert pickle.loads(pickle.dumps(chosen)) == chosen
    assert isinstance(chosen, Selection)


FACTS = (
    "<meta property=og:title content='The ferry | Harbour'><h1>The ferry  leaves</h1>"
    "<p class=by><a>Ann Lee</a> and <a>Bo Ek</a>, <time datetime=2024-05-06T07:00Z>Monday</time></p>"
)


@pytest.mark.parametrize(
    ("rule", "name", "value"),
    [
        ("title: h1", "title", "The ferry leaves"),
        ("title: meta[property]", "title", "The ferry | Harbour"),
        ("title: h2", "title", "The ferry"),
        ("author: .by a", "authors", ("Ann Lee", "Bo Ek")),
        ("date: time", "date_published", "2024-05-06T07:00Z"),
        ("date: h1", "date_published", "2024-05-06T07:00Z"),
    ],
    ids=["text", "attribute", "nothing", "several", "a date", "no date"],
)
def test_rules_select_the_facts_of_a_page(rules, rule, name, value):
    rules.write_text(f"example.org:\n  {rule}\n")

    cleaned = everything().selecting(rules=rules).clean(FACTS, "https://example.org/")

    assert getattr(cleaned.metadata, name) == value


def test_a_table_is_no_whole_where_selectors_decide():
    rows = "".join(f"<tr id=r{number}><td>Row {number}<td>{number}</tr>" for number in range(9))

    cleaned = everything().selecting(drop="#r3").clean(f"<table>{rows}</table>")

    assert "Row 2" in cleaned.markdown
    assert "Row 3" not in cleaned.markdown
