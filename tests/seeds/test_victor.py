"""Victor: what its document says of configs, tables, features and blocks, each by its chapter."""

import pytest

import victorpy
from victorpy.errors import VictorError
from victorpy.features import features
from victorpy.models import config
from victorpy.models.config import templates_of
from victorpy.models.original_configs import converted
from victorpy.models.templates import parse
from victorpy.page.markup import Markup
from victorpy.page.metadata import with_found
from victorpy.page.segment import segment

BASE = """\
# the original's format
tag-delete: script style
tag-delete: object
inline: b i
class-inline: $inline {em,strong}
crf-features: container.{p,a} token.alpha-abs
feature-token.alpha-abs-values: 0 1 5
feature-token.alpha-abs-values: 20
feature-position-scale: 4
template: small
"""


@pytest.fixture
def conf(folder):
    folder.joinpath("templates").mkdir()
    folder.joinpath("templates/small.tpl").write_text("container.p[0]\nB\n")
    folder.joinpath("base.conf").write_text(BASE)

    def write(text, name="old.conf"):
        folder.joinpath(name).write_text(text)
        return folder / name

    return write


# 2.3, figure 2.2

SIGWAC = """\
<html><head><title>ACL SIGWAC's home page</title></head><body> <table><tr><td><a href="index.html">Home</a><br><a
href="members.html">Members</a><br><a href="events.html">Events</a><br><a href="list.html">Mailing list</a></td>
<td><h1>SIGWAC</h1> <p>SIGWAC is the Special Interest Group of the <a href="http://www.aclweb.org/">Association for
Computational Linguistics (ACL)</a> on Web as Corpus</p> <p>Its objectives are</p> <ul><li>to promote interest in the
use of the web as a source of linguistic data, and as an object of study in its own right;</li> <li>to provide members
of the ACL with a special interest in the web-as-corpus with a means of exchanging news of recent research developments
and other matters of interest;</li> <li>to sponsor meetings and workshops on the web as corpus that appear to be timely
and worthwhile.</li></ul> <p>More info on</p><ul><li><a href="a.html">Officers</a></li><li><a
href="b.html">Constitution</a></li></ul> <hr><a
href="mailto:x@example.org">webmaster</a></td></tr></table></body></html>
"""
CLEANED = [
    "h SIGWAC",
    "p SIGWAC is the Special Interest Group of the Association for Computational Linguistics (ACL) on Web as Corpus",
    "p Its objectives are",
    "l to promote interest in the use of the web as a source of linguistic data, and as an object of study in its own"
    " right;",
    "l to provide members of the ACL with a special interest in the web-as-corpus with a means of exchanging news of"
    " recent research developments and other matters of interest;",
    "l to sponsor meetings and workshops on the web as corpus that appear to be timely and worthwhile.",
    "p More info on",
]


def test_the_page_of_sigwac_is_cleaned_as_the_document_shows():
    cleaned = victorpy.load("cleaneval").clean(SIGWAC)

    assert [f"{passage.label} {passage.text}" for passage in cleaned.passages] == CLEANED


# 2.2, Configuration


def test_a_config_of_the_original_is_read(conf):
    found = config.load(conf("include: base\ncrf-features: position\n"))

    assert found.markup.tag_delete == ("script", "style", "object")
    assert found.markup.class_inline == ("b", "i", "em", "strong")
    assert found.features == ("container.p", "container.a", "token.alpha-abs", "position")
    assert found.buckets["token.alpha-abs"].values == (0, 1, 5, 20)
    assert found.buckets["position"].scale == 4
    assert [str(template[0]) for template in templates_of(found).unigrams] == ["container.p[0]"]


def test_two_lines_of_an_array_are_one(conf):
    assert converted(conf("tag-delete: a\ntag-delete: b\n")) == converted(conf("tag-delete: a b\n"))


def test_undef_empties_a_variable(conf):
    assert config.load(conf("include: base\nundef: tag-delete\ntag-delete: b\n")).markup.tag_delete == ("b",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\ntag-delet: a\n", "old.conf:2: unknown variable 'tag-delet'; did you mean 'tag-delete'?"),
        ("include: old\n", "old.conf:1: include: includes itself: old.conf → old.conf"),
        ("include: other\n", "other.conf:1: include: includes itself: old.conf → other.conf → old.conf"),
        ("include: none\n", "none.conf: no such file"),
        ("tag-delete: a\nundef: tag-delet\n", "old.conf:2: undef: no variable 'tag-delet'; did you mean 'tag-delete'?"),
        ("tag-delete: $tags\n", "old.conf:1: no variable 'tags' before this line"),
        ("crf-features: container.p\ncrf-features: bulet\n", "old.conf:2: crf-features: no such feature 'bulet'"),
        ("feature-position-scale: many\n", "old.conf:1: feature-position-scale: expected a number, got 'many'"),
        ("= 3\n", "old.conf:1: expected 'variable: value', got '= 3'"),
    ],
)
def test_what_is_wrong_in_a_config_is_named_with_file_and_line(conf, text, message):
    conf("include: old\n", "other.conf")

    with pytest.raises(VictorError) as error:
        config.load(conf(text))

    assert message in str(error.value)
    assert "Traceback" not in str(error.value)


def test_commands_take_it_and_convert_writes_it_as_ours(conf, victor, page, folder):
    path = conf("include: base\n")
    folder.joinpath("new.yaml").write_text(victor("convert", path).out)

    old, new = (victor("features", page, "--csv", "-c", name) for name in ("old.conf", "new.yaml"))

    assert old.status == 0
    assert old == new
    assert old.out.splitlines()[0] == "block,container.p,container.a,token.alpha-abs,text"


# 3.5, the template and the table of CRF++


def test_a_template_of_crfpp_names_columns():
    text = "# unigrams\nU00:%x[-1,1]\nU01:%x[0,1]/%x[0,2]\n\nB\n"

    found = parse(text, "x.tpl", ["container.p", "bullet"], ["container.p", "bullet"])

    assert str(found) == "container.p[-1]\ncontainer.p[0] bullet[0]\nB\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("U00:%x[0,3]", "x.tpl:2: %x[0,3]: no column 3; there are columns 1 to 2"),
        ("U00:%x[0,0]", "x.tpl:2: %x[0,0]: column 0 is the number of the block"),
        ("U00:%x[0]", "x.tpl:2: expected references such as %x[-1,3], got '%x[0]'"),
        ("B01:%x[0,1]", "x.tpl:2: a B template with a column"),
    ],
)
def test_a_column_that_is_not_there_is_named_with_its_line(line, message):
    with pytest.raises(VictorError) as error:
        parse(f"U00:%x[0,1]\n{line}\n", "x.tpl", ["bullet", "position"], ["bullet", "position"])

    assert message in str(error.value)


def test_the_table_of_crfpp_has_number_features_and_tag(victor, annotations, conf):
    [first, *_] = sorted(annotations.glob("*.anno"))

    ran = victor("features", first, "--crfpp", "-c", conf("include: base\n"))

    rows = [line.split(" ") for line in ran.out.splitlines()]
    assert ran.status == 0
    numbers = [int(row[0]) for row in rows]
    # Blocks without a label are left out.
    assert numbers == sorted({*numbers})
    assert {len(row) for row in rows} == {5}
    assert {row[-1] for row in rows} <= {"p", "h", "l", "c", "other"}
    assert "#victorpy-anno" not in victor("features", first).out


def test_a_page_without_labels_has_no_tag(victor, page):
    rows = victor("features", page, "--crfpp", "--only", "container.p", "bullet", "-c", "cleaneval").out.splitlines()

    assert {len(row.split(" ")) for row in rows} == {3}


# 4.2, counts of characters


def test_characters_are_counted_absolutely():
    page = segment("<p>Room 12, floor_3 +")
    names = ["alpha", "num", "punct", "white", "other"]

    found = {name: features([f"char.{name}-abs"])[f"char.{name}-abs"](page).tolist() for name in names}

    assert sum(count for [count] in found.values()) == page.lengths[0]
    assert (found["alpha"], found["num"], found["white"]) == ([9], [3], [3])


# 3.2, lines of <pre>


def test_lines_of_pre_are_split_by_line_breaks():
    page = segment("<pre>one\ntwo</pre>", markup=Markup(pre_lines_split=True))

    assert features(["split.br"])["split.br"](page).tolist() == [0, 1]


def test_the_experiments_count_lines_of_pre_and_shipped_models_do_not():
    assert [config.load(name).markup.pre_lines_split for name in ("exp-1", "exp-3")] == [True, True]
    assert [config.load(name).markup.pre_lines_split for name in ("cleaneval", "web", "tree")] == [False] * 3


# 4.2, groups of div


def test_div_groups_of_the_document():
    page = segment("<div> a <div> b c </div> d <div> e f </div> g </div>")

    groups = [block.div_group for block in page.blocks]

    assert page.texts == ["a", "b c", "d", "e f", "g"]
    assert groups[0] == groups[2] == groups[4]
    assert len({groups[0], groups[1], groups[3]}) == 3


# 4.2, abbreviations


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("cs", "např. v r. 2007, kdy p. Novák a dr. Marek přišli. Druhá věta je tu.", 2),
        ("cs-CZ", "Přišel p. Novák. Odešel.", 2),
        ("de", "Es war z. B. am 3. bzw. 4. Tag. Dann kam Dr. Weiß.", 4),
        ("en", "Mr. Smith met Dr. J. Brown. They left.", 2),
        ("xx", "Mr. Smith came.", 2),
        ("en", "It was made by Acme Inc.", 1),
        ("en", 'He said "no." Then he left!', 2),
    ],
)
def test_the_full_stop_of_an_abbreviation_ends_no_sentence(language, text, count):
    page = segment(f"<html lang={language}><p>{text}")

    assert features(["sentence.count-abbreviated"])["sentence.count-abbreviated"](page).tolist() == [count]


# 4.2, "to be able to also detect quotes of parts of the original text"


def test_quotes_of_parts_are_found():
    post = "The ferry leaves at seven, long before the island is awake."
    page = segment(f"<p>{post}<p>He wrote: long before the island is awake<p>Nobody knows where it goes.<p>one two")

    earlier, later = (features([f"similar.{name}"])[f"similar.{name}"](page).tolist() for name in ("earlier", "later"))

    # The quote has six runs of three words, and the post nine; four are the same.
    assert earlier == pytest.approx([0, 4 / 6, 0, 0])
    assert later == pytest.approx([4 / 9, 0, 0, 0])


# 7.1, features from CSS


def css(html, *names):
    page = segment(html)
    found = {name: features([f"css.{name}"])[f"css.{name}"](page).tolist() for name in names}
    return {name: [round(value, 2) for value in values] for name, values in found.items()}


def test_sheets_and_inline_styles_say_size_weight_and_visibility():
    html = (
        "<style>.big {font-size: 32px; font-weight: 700} .hid, #x {display: none} p {font-size: 0.5em}"
        " @media print { .big { display: none } } /* .big {display: none} */ a:hover {display: none}</style>"
        "<p class=big>one<p class=hid>two<p id=x>three<p style='font-weight:bold; visibility: hidden'>four"
        "<div style='float:left'><span style='font-size:200%'>five</span></div>"
    )

    found = css(html, "size", "is-bold", "is-hidden", "is-set-apart")

    assert found["size"] == [2, 0.5, 0.5, 0.5, 2]
    assert found["is-bold"] == [1, 0, 0, 1, 0]
    assert found["is-hidden"] == [0, 1, 1, 1, 0]
    assert found["is-set-apart"] == [0, 0, 0, 0, 1]


def test_a_page_without_styles_has_the_usual_ones():
    assert css("<p>one", "size", "is-bold", "is-hidden") == {"size": [1], "is-bold": [0], "is-hidden": [0]}
    assert css("", "size") == {"size": []}


@pytest.mark.parametrize("style", ["<style>}{:;@{", "<style>p{font-size:1.2.3.px}", "<style>" + "p{" * 50])
def test_broken_styles_are_no_trouble(style):
    assert css(f"{style}</style><p style='::;;'>one", "size") == {"size": [1]}


# 7.1, content management systems


@pytest.mark.parametrize(
    ("html", "name", "are_content"),
    [
        ("<meta name=Generator content='MediaWiki 1.9'><div id=mw-content-text>one</div>two", "MediaWiki", [1, 0]),
        ("<link href=/wp-content/a.css><p>menu<div class=entry-content><p>one</div>", "WordPress", [0, 1]),
        ("<meta name=generator content=mine><p>one", None, [0]),
        ("<p>one", None, [0]),
    ],
)
def test_content_management_systems_are_recognised(html, name, are_content):
    page = segment(html)

    assert features(["cms.is-content"])["cms.is-content"](page).tolist() == are_content
    assert features(["cms.system"])["cms.system"](page).astype(bool).tolist() == [name is not None] * len(page)
    assert with_found(page.metadata, page.core).cms == name


@pytest.mark.parametrize(
    "html",
    [
        "<a href=https://blog.example/wp-content/a.pdf>one</a>",
        "<img src=https://blog.example/wp-content/a.png>one",
        "<p>Files lie in /wp-content/ and /sites/default/",
        "<pre>&lt;meta name=generator content=WordPress></pre>",
    ],
    ids=["a link", "a picture", "text", "a quoted tag"],
)
def test_other_sites_and_texts_say_nothing_of_the_system(html):
    page = segment(html)

    assert with_found(page.metadata, page.core).cms is None


def test_of_several_systems_the_one_with_most_markers_made_the_page():
    page = segment("<link href=/wp-content/a.css><link href=/sites/all/b.css><script src=/misc/drupal.js></script>one")

    found = with_found(page.metadata, page.core)

    assert (found.cms, found.evidence["cms"]) == ("Drupal", "marker /sites/all/")
