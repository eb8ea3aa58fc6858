"""What a model has learned, told by tables."""

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import VictorError
from victorpy.models import config, model_folder
from victorpy.models.inspection import (
    OUTSIDE,
    information_gain,
    mutual_information,
    silent,
    strongest,
    transitions,
    unlearned,
    weights,
)
from victorpy.models.training import annotated_pages, train
from victorpy.page.blocks import LABELS, Label
from victorpy.page.segment import segment

LINKS = "<ul><li><a href='/'>Home</a></li></ul>"


@pytest.fixture(scope="module")
def small(model):
    return model_folder.load(str(model))


@pytest.fixture(scope="module")
def pages(annotations, small):
    return list(annotated_pages(sorted(annotations.glob("*.anno")), small.config))


def labeled(html: str, *labels: Label | None) -> AnnotatedPage:
    return AnnotatedPage(segment(html, "x"), labels)


def weight(table, template, value, label):
    """What the table tells; a weight that it leaves out is 0."""
    found = table[(table["template"] == template) & (table["value"] == value) & (table["label"] == label)]
    return found["weight"].sum()


def test_weights_are_what_the_model_adds_up(small):
    codes, row = np.zeros((len(small.columns.names), 1), np.uint8), small.columns.names.index("container.a")
    without = small.template_model.scores(codes)[0]
    codes[row] = 1

    gained = small.template_model.scores(codes)[0] - without

    table = weights(small)
    for label, gain in zip(LABELS, gained, strict=True):
        outside, inside = (weight(table, "container.a[0]", value, label.value) for value in "01")
        assert gain == pytest.approx(inside - outside)


def test_values_are_told_by_the_names_of_their_buckets(small):
    table = weights(small)

    assert weight(table, "container.class-list[0]", "1", "l") > 0
    assert set(table[table["template"] == "container.p[-1]"]["value"]) == {"0", "1", OUTSIDE}
    assert set(table[table["template"] == "sentence-end[-1] container.p[0]"]["value"]) <= {
        f"{end}, {inside}" for end in ("0", "1", OUTSIDE) for inside in "01"
    }
    assert (table["weight"] != 0).all()


def test_the_strongest_weights_speak_for_or_against_a_label(small):
    table = weights(small)
    best = strongest(table, 1)
    of_header = table[table["label"] == "h"]["weight"]

    assert best[best["label"] == "h"]["weight"].tolist() == [of_header.max(), of_header.min()]
    assert best["label"].tolist() == [label.value for label in LABELS for _ in range(2)]


def test_no_weight_is_told_twice(small):
    table = weights(small)

    assert len(strongest(table, len(table))) == len(table) == len(table.drop_duplicates())


def test_transitions_go_from_row_to_column(small):
    table = transitions(small)

    assert table.loc["p", "c"] == small.template_model.transitions[0, 3]
    assert (table.index.name, list(table.index), list(table)) == (
        "from",
        list(table),
        [label.value for label in LABELS],
    )


def test_what_training_pages_have_but_once_is_not_learned(small_config):
    settings = config.load(small_config)
    page = labeled("<h1>One</h1><p>We counted the boats in the harbour.", Label.HEADER, Label.PARAGRAPH)

    table = unlearned(train([page], settings))

    assert table["always"].to_dict() == {"container.a": "0", "container.class-list": "0"}


def test_every_feature_of_the_small_model_is_learned(small):
    assert unlearned(small).empty


def test_a_feature_that_no_template_names_is_not_learned(small_config):
    settings = config.load(small_config)
    folder = small_config.with_name("fewer.yaml")
    folder.write_text("include: ./small.yaml\ntemplate: ./fewer.tpl\n")
    folder.with_name("fewer.tpl").write_text("container.p[0]\n")
    page = labeled("<h1>One</h1><p>two", Label.HEADER, Label.PARAGRAPH)

    table = unlearned(train([page], config.load(folder)))

    assert set(table.index) == set(settings.features) - {"container.p"}
    assert set(table["always"]) == {"none"}


def test_a_feature_that_no_page_changes_is_silent(small):
    pages = [labeled("<h1>One</h1><p>two", None, None), labeled("<p>two<p>three", None, None)]

    assert silent(small.columns, pages)["always"].to_dict() == {
        "container.a": "0",
        "container.class-list": "0",
        "token.alpha-abs": "1",
        "sentence-end": "0",
    }


def test_what_differs_between_pages_only_is_not_silent(small):
    pages = [labeled(f"<p>two{LINKS}", None, None), labeled("<h1>One word.</h1>", None)]

    assert silent(small.columns, pages).empty


def test_information_gain_is_that_of_scikit_learn(small, pages):
    codes = np.concatenate([small.columns.codes(page) for page, *_ in pages], axis=1)
    labels = [label.value for page in pages for label in page.labels]
    noise = [label == "other" for label in labels]

    table = information_gain(small.columns, pages)

    for name, of_feature in zip(small.columns.names, codes, strict=True):
        assert table["gain"][name] == pytest.approx(mutual_info_score(labels, of_feature) / np.log(2), abs=1e-12)
        assert table["content_gain"][name] == pytest.approx(mutual_info_score(noise, of_feature) / np.log(2), abs=1e-12)
    bits = entropy(np.unique(labels, return_counts=True)[1], base=2)
    assert table["gain_share"].to_numpy() == pytest.approx(table["gain"].to_numpy() / bits)
    assert table["gain"].is_monotonic_decreasing


@pytest.mark.parametrize(("codes", "outcomes"), [(2, 2), (255, 5), (3, 7), (1, 5)])
def test_mutual_information_is_that_of_scikit_learn(codes, outcomes):
    random = np.random.default_rng(0)
    some = random.integers(0, codes, 400).astype(np.uint8)
    others = (some + random.integers(0, 3, 400)) % outcomes

    assert mutual_information(some, others) == pytest.approx(mutual_info_score(some, others) / np.log(2), abs=1e-12)


def test_blocks_without_a_label_tell_nothing(small):
    whole = labeled("<h1>One</h1><p>two", Label.HEADER, Label.PARAGRAPH)
    part = labeled("<h1>One</h1><p>two" + LINKS, Label.HEADER, Label.PARAGRAPH, None)

    one, other = (information_gain(small.columns, [page])["gain"] for page in (whole, part))

    assert one["container.p"] == other["container.p"] == 1.0
    assert one["container.a"] == other["container.a"] == 0.0


def test_where_all_have_one_label_there_is_nothing_to_gain(small):
    table = information_gain(small.columns, [labeled("<h1>One</h1><p>two", Label.OTHER, Label.OTHER)])

    assert table["gain"].eq(0).all()
    assert table["gain_share"].isna().all()


@pytest.mark.parametrize("pages", [[], [labeled("<p>one", None)], [labeled("")]], ids=["none", "unlabeled", "empty"])
def test_gain_needs_a_label(small, pages):
    with pytest.raises(VictorError, match="no block of these pages has a label"):
        information_gain(small.columns, pages)
