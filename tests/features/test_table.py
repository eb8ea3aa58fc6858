import pickle

import numpy as np
import pytest

from victorpy.errors import VictorError
from victorpy.features import FEATURES, features
from victorpy.page.blocks import Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

MODES = ["victor", "block", "line"]
EXPRESSIONS = {"year": [r"\b\d{4}\b"]}
NAMES = [*FEATURES, "container.p", "container.class-list", "split.br", "split.class-inline", "regexp.year"]

HTML = """
<h1>Of <i>cats</i></h1>
<div><p>Cats sleep. In 2012, <a href="x">they</a> slept more than <b>ever</b>!<p>Cats sleep.</div>
<table><tr><td>1.<td>😀 — ½ 猫は眠る。<td>•</table><pre>  a
  b</pre><ul><li>one<br>two<br><br>three</ul>"""


@pytest.fixture(params=MODES)
def markup(request: pytest.FixtureRequest) -> Markup:
    return Markup(mode=request.param)


def columns(page: Page) -> dict[str, np.ndarray]:
    return {name: feature(page) for name, feature in features(NAMES, EXPRESSIONS).items()}


@pytest.mark.parametrize(
    "html",
    ["", "<p>", "<p>\u200b \u200b", "one", "<title>x</title><p>", "<ul>" * 50 + "<h1>" + "<li><a>–" * 50, HTML],
    ids=["nothing", "no text", "nothing to be seen", "one block", "title without text", "deep", "page"],
)
def test_every_feature_has_one_finite_number_for_each_block(html, markup):
    page = segment(html, markup=markup)

    for name, column in columns(page).items():
        assert column.shape == (len(page),), name
        assert np.isfinite(column).all(), name


def test_columns_do_not_depend_on_which_was_asked_for_first(markup):
    names = NAMES[::-1]
    other_order = {
        name: feature(segment(HTML, markup=markup)) for name, feature in features(names, EXPRESSIONS).items()
    }

    for name, column in columns(segment(HTML, markup=markup)).items():
        assert column.tolist() == other_order[name].tolist(), name


def test_features_come_in_the_order_asked_for():
    assert list(features(["position", "split.p", "bullet"])) == ["position", "split.p", "bullet"]


def test_features_survive_pickling():
    page = segment(HTML)
    survivors = pickle.loads(pickle.dumps(features(NAMES, EXPRESSIONS)))

    for name, column in columns(page).items():
        assert survivors[name](page).tolist() == column.tolist()


def test_a_feature_added_to_the_table_can_be_asked_for(monkeypatch):
    monkeypatch.setitem(FEATURES, "length", lambda page: page.lengths)

    assert features(["length"])["length"](segment("<p>four<p>two")).tolist() == [4, 3]


def test_tags_that_only_the_config_knows_can_be_asked_for():
    markup = Markup(class_list=("ul", "x-list"))
    page = segment("<x-list>one</x-list><p>two", markup=markup)

    assert features(["container.x-list"], markup=markup)["container.x-list"](page).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("positon", "no such feature 'positon'; did you mean 'position'?"),
        ("container.class-hedaer", "no such feature 'container.class-hedaer'; did you mean 'container.class-header'?"),
        ("split.brr", "no such feature 'split.brr'; did you mean 'split.br'?"),
        ("regexp.yaer", "no such feature 'regexp.yaer'; did you mean 'regexp.year'?"),
        ("@@@", "no such feature '@@@'"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_known_one(name, message):
    with pytest.raises(VictorError) as error:
        features([name], EXPRESSIONS)

    assert str(error.value) == message
