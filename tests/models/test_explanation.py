"""Explanations are exact: they add up to what the model computes."""

from pathlib import Path

import numpy as np
import pytest

from victorpy.errors import UsageError
from victorpy.models import config, model_folder
from victorpy.models.chain import best_path, marginals
from victorpy.models.decoding import decoded
from victorpy.models.explanation import explain, strongest_contributions
from victorpy.models.flips import flips
from victorpy.models.inspection import weights
from victorpy.models.network_influence import figures
from victorpy.models.training import annotated_pages, train
from victorpy.page.blocks import LABELS
from victorpy.page.segment import segment

EXAMPLES = Path(__file__).parents[2] / "examples"

# A conjunction too large for a dense table, and rows far outside of the page.
SPARSE = """\
include: base
buckets: {char.alpha-rel: {scale: 100}, char.white-rel: {scale: 100}, position: {scale: 100}}
features: [char.alpha-rel, char.white-rel, position, container.p, sentence-end]
template: ./sparse.tpl
crf: {max-iterations: 30}
"""
SPARSE_TEMPLATE = """\
container.p[{-3,0,2}]
char.alpha-rel[0] char.white-rel[-1] position[1]
container.p[0] sentence-end[-2]
B
"""
NAMES = [label.value for label in LABELS]

# Blocks such as the models know, in such places that they are in doubt.
IN_DOUBT = (
    "<p>Home <a href='/'>About us</a><div>The ferry</div><h1><a href='/'>Harbour</a></h1>"
    "<ul><li>oil.</li></ul><p>We counted the boats in the harbour"
)


@pytest.fixture(scope="module")
def trained(model, annotations, tmp_path_factory):
    folder = tmp_path_factory.mktemp("configs")
    folder.joinpath("sparse.yaml").write_text(SPARSE)
    folder.joinpath("sparse.tpl").write_text(SPARSE_TEMPLATE)
    settings = config.load(folder / "sparse.yaml")
    sparse = train(annotated_pages(sorted(annotations.glob("*.anno")), settings), settings)
    return {"small": model_folder.load(str(model)), "sparse": sparse}


@pytest.fixture(params=["small", "sparse"])
def labeler(request, trained):
    return trained[request.param]


@pytest.fixture(scope="module")
def page(annotations, trained):
    return next(annotated_pages([annotations / "part-0.anno"], trained["small"].config)).page


@pytest.fixture(scope="module")
def doubtful():
    return segment(IN_DOUBT, "doubtful")


def test_the_sparse_model_is_one(trained):
    assert any(conjunction.keys is not None for conjunction in trained["sparse"].template_model.conjunctions)


def test_contributions_add_up_to_the_scores_of_the_model(labeler, page):
    scores = labeler.template_model.scores(labeler.columns.codes(page))

    for block in range(len(page)):
        found = explain(labeler, page, block)
        assert found.contributions[NAMES].sum().to_numpy() == pytest.approx(scores[block], abs=1e-12)
        assert (found.labels["score"].to_numpy() == scores[block]).all()
        assert len(found.contributions) == len(labeler.template_model.layout.templates.unigrams)


def test_contributions_are_the_weights_of_the_model(labeler, page):
    known = weights(labeler).pivot(index=["template", "value"], columns="label", values="weight").fillna(0.0)

    for block in range(len(page)):
        contributions = explain(labeler, page, block).contributions[NAMES]
        told = known.reindex(contributions.index, columns=NAMES).fillna(0.0)
        assert (told.to_numpy() == contributions.to_numpy()).all()


def test_score_before_and_behind_make_the_probability(labeler, page):
    chances = labeler.marginals(page)

    for block in range(len(page)):
        table = explain(labeler, page, block).labels
        together = np.exp(table[["score", "before", "behind"]].sum(axis=1).to_numpy())
        assert together / together.sum() == pytest.approx(chances[block], abs=1e-12)
        assert (table["probability"].to_numpy() == chances[block]).all()
        assert table[["before", "behind"]].max().tolist() == [0, 0]


def test_nothing_stands_before_the_first_block_or_behind_the_last(labeler, page):
    first, last = explain(labeler, page, 0), explain(labeler, page, len(page) - 1)

    assert first.labels["before"].eq(0).all()
    assert last.labels["behind"].eq(0).all()
    assert [*first.neighbours.index.get_level_values("neighbour")] == ["behind"]
    assert [*last.neighbours.index.get_level_values("neighbour")] == ["before"]


def test_a_page_of_one_block_has_no_neighbours(labeler):
    found = explain(labeler, segment("<p>The ferry leaves at seven."), 0)

    assert found.neighbours.empty
    assert found.labels["total"].equals(found.labels["score"].rename("total"))


def test_neighbours_are_those_of_the_page_as_it_is_labeled(labeler, page):
    labels, moves = labeler.label(page), labeler.template_model.transitions
    found = explain(labeler, page, 4)

    assert found.neighbours.index.tolist() == [("before", 3, labels[3].value), ("behind", 5, labels[5].value)]
    assert (found.neighbours.iloc[0][NAMES] == moves[LABELS.index(labels[3])]).all()
    assert (found.neighbours.iloc[1][NAMES] == moves[:, LABELS.index(labels[5])]).all()


def test_the_margin_is_between_the_label_and_the_likeliest_of_the_others(labeler, page):
    for block, label in enumerate(labeler.label(page)):
        found = explain(labeler, page, block)
        others = found.labels["probability"].drop(label.value)

        assert (found.text, found.label) == (page.texts[block], label)
        assert others[found.rival.value] == others.max()
        for table in (found.contributions, found.neighbours):
            assert table["margin"].equals((table[label.value] - table[found.rival.value]).rename("margin"))


def test_what_is_not_shown_is_summed(labeler, page):
    contributions = explain(labeler, page, 2).contributions

    short = strongest_contributions(contributions, 2)

    assert short.iloc[0]["margin"] == max(contributions["margin"], key=abs)
    assert [name for name, _ in short.index[2:]] == [f"{len(contributions) - 2} others", "sum"]
    assert short.iloc[:3].sum().to_numpy() == pytest.approx(short.iloc[3].to_numpy())
    assert len(strongest_contributions(contributions, 500)) == len(contributions) + 1


def labels_by_hand(labeler, codes, page):
    """The labels and marginals of these codes, by the functions that a model is made of."""
    scores, decoding = labeler.template_model.scores(codes), labeler.config.decoding
    chances = marginals(scores, labeler.template_model.transitions)
    if decoding.method == "viterbi":
        return [LABELS[code] for code in best_path(scores, labeler.template_model.transitions)], chances
    if decoding.method == "likeliest":
        return [LABELS[code] for code in chances.argmax(axis=1)], chances
    return decoded(page, chances.tobytes(), decoding)[0], chances


@pytest.mark.slow
@pytest.mark.parametrize("method", ["viterbi", "likeliest", "expected-f1"])
def test_flips_are_all_single_changes_that_change_the_label(labeler, doubtful, method):
    labeler = labeler.decoding_by(method=method)
    codes, labels, columns = labeler.columns.codes(doubtful), labeler.label(doubtful), labeler.columns
    expected, told = {}, {}

    for block in range(0, len(doubtful), 2):
        for row, (name, bucketing) in enumerate(zip(columns.names, columns.bucketings, strict=True)):
            for code, instead in enumerate(bucketing.names()):
                changed = codes.copy()
                changed[row, block] = code
                found, chances = labels_by_hand(labeler, changed, doubtful)
                if found[block] is not labels[block]:
                    steps, chance = abs(code - int(codes[row, block])), chances[block, LABELS.index(found[block])]
                    expected[block, name, instead] = (steps, found[block].value, pytest.approx(chance))
        for flip in flips(labeler, doubtful, block).itertuples():
            told[block, flip.feature, flip.instead] = (flip.steps, flip.label, flip.probability)

    assert told == expected
    assert told


def test_the_nearest_flip_comes_first(trained, doubtful):
    tables = [flips(trained["small"], doubtful, block) for block in range(len(doubtful))]

    for table in tables:
        order = list(zip(table["steps"], -table["probability"], strict=True))
        assert order == sorted(order)
    assert max(map(len, tables)) > 1


def test_a_flip_says_what_the_block_has_now(trained, doubtful):
    labeler = trained["small"]
    codes, columns = labeler.columns.codes(doubtful), labeler.columns

    for flip in flips(labeler, doubtful, 3).itertuples():
        row = columns.names.index(flip.feature)
        assert flip.value == list(columns.bucketings[row].names())[codes[row, 3]] != flip.instead


def test_where_nothing_is_kept_nothing_flips(trained, doubtful):
    labeler = trained["small"].decoding_by(bias=-100.0)

    assert not flips(trained["small"], doubtful, 3).empty
    assert flips(labeler, doubtful, 3).empty


@pytest.mark.parametrize(
    ("html", "block", "message"),
    [
        ("<p>one<p>two", 2, "x: no block 2 in this page: its blocks are 0 to 1"),
        ("<p>one<p>two", -1, "x: no block -1 in this page"),
        ("", 0, "x: no block 0 in this page: it has no text"),
    ],
    ids=["behind", "before", "empty"],
)
@pytest.mark.parametrize("function", [explain, flips])
def test_a_block_that_is_not_there_is_told(trained, html, block, message, function):
    with pytest.raises(UsageError, match=message):
        function(trained["small"], segment(html, "x"), block)


def test_figures_say_what_they_do_to_the_networks_probability(network_model, annotations):
    model = model_folder.load(str(network_model))
    page = next(annotated_pages([annotations / "part-0.anno"], model.config)).page

    found = figures(model, page, 0)

    of_words = [name for name in found.index if name.startswith("word.")]
    assert set(found.index) - set(of_words) == set(model.network.features)
    assert set(of_words) == {"word.main", "word.menu"}
    assert found["change"].abs().is_monotonic_decreasing
    assert found["change"].abs().max() > 0
    assert found["probability"].between(0, 1).all()
    assert explain(model, page, 0).network == pytest.approx((found["probability"] - found["change"]).iloc[0])


def test_an_explanation_says_which_scopes_suit_the_page():
    web = model_folder.load("web")
    page = segment((EXAMPLES / "news-en.html").read_bytes(), "x", markup=web.config.markup)

    shares = explain(web, page, 0).scopes

    assert list(shares) == sorted(shares, key=shares.get, reverse=True)
    assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    assert next(iter(shares)) == "article"
    assert explain(web.decoding_by(scope="page"), page, 0).scopes is None


def test_a_model_without_a_network_has_no_figures(labeler, page):
    assert figures(labeler, page, 2).empty


def test_what_is_dropped_as_a_repetition_names_the_block_that_it_repeats(trained):
    told = "<p>We counted the boats in the harbour, and there were more than last year."
    page = segment(told + "<p>Home" + told, markup=trained["small"].config.markup)
    plain, once = (trained["small"].decoding_by(repeat_probability=least) for least in (0.0, 1.0))
    first, last = 0, len(page) - 1
    assert all(plain.labeling(page).labels[block].is_content for block in (first, last))

    assert [explain(once, page, block).repeats for block in (first, last)] == [None, first]
    assert explain(plain, page, last).repeats is None
    assert explain(once.decoding_by(method="threshold", threshold=1.0), page, last).repeats is None
