import sys
from dataclasses import replace

import numpy as np
import pytest

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import UsageError, VictorError
from victorpy.models import model_folder
from victorpy.models.adapting import REGULARIZATION, adapted
from victorpy.models.training import annotated_pages
from victorpy.page.blocks import LABELS, Label
from victorpy.page.segment import segment

EASY = 1e-3


@pytest.fixture(scope="module")
def known(network_model):
    return model_folder.load(str(network_model))


@pytest.fixture(scope="module")
def old_pages(known, annotations):
    return list(annotated_pages(sorted(annotations.glob("*.anno")), known.config))


def timetable(number):
    """A page whose content is what other sites have as a menu: short, and of links alone."""
    names = ("Harbour", "Old bridge", "Lighthouse", "Mill", "Quarry", "Chapel")
    stops = "".join(f'<p><a href="/{number}/{place}">{names[(number + place) % 6]}</a></p>' for place in range(5))
    page = segment(f"{stops}<p>Our office is closed on Sundays, as it always was, and nobody answers.</p>")
    return AnnotatedPage(page, [*[Label.PARAGRAPH] * 5, Label.OTHER])


def right(model, pages):
    same = [
        ours is theirs for page, labels, *_ in pages for ours, theirs in zip(model.label(page), labels, strict=True)
    ]
    return sum(same) / len(same)


def test_a_model_learns_the_pages_it_is_adapted_to(known, caplog):
    caplog.set_level("INFO")

    new = adapted(known, map(timetable, range(3)), regularization=EASY)

    unseen = [timetable(number) for number in range(10, 14)]
    assert right(known, unseen) < 0.7
    assert right(new, unseen) > 0.8
    assert "held-out pages: loss" in caplog.text


def test_a_pulled_model_goes_on_labeling_as_before(known, old_pages):
    new = adapted(known, map(timetable, range(5)), regularization=1e6)

    assert [new.label(page) for page, *_ in old_pages] == [known.label(page) for page, *_ in old_pages]


def test_what_harms_pages_that_are_left_out_is_not_learned(known, old_pages, caplog):
    page, labels, *_ = old_pages[0]
    turned = [Label.PARAGRAPH if label is Label.OTHER else Label.OTHER for label in labels]

    new = adapted(known, [AnnotatedPage(page, turned), *old_pages[1:6]], regularization=EASY)

    assert "no step labels held-out pages better for certain" in caplog.text
    assert new.card.adapted_from[0].interpolation == 0
    assert [new.label(page) for page, *_ in old_pages] == [known.label(page) for page, *_ in old_pages]


def test_only_the_network_learns(known):
    new = adapted(known, [timetable(0)])

    assert new.template_model is known.template_model
    assert new.config == known.config
    assert not np.array_equal(new.network.weights["leave"], known.network.weights["leave"])


@pytest.mark.parametrize(("count", "is_warned"), [(1, True), (5, False)], ids=["one page", "some pages"])
def test_what_few_pages_teach_is_not_to_be_relied_on(known, caplog, count, is_warned):
    adapted(known, map(timetable, range(count)))

    assert ("may not represent a site" in caplog.text) is is_warned


def test_no_jax_is_needed(known, monkeypatch):
    monkeypatch.setitem(sys.modules, "jax", None)

    adapted(known, [timetable(0)])


def test_the_same_pages_give_the_same_model(known, tmp_path):
    for name in ("one", "two"):
        model_folder.save(adapted(known, map(timetable, range(2))), tmp_path / name)

    for name in ("model.yaml", "weights.npz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_card_says_which_models_and_pages_it_comes_from(known, tmp_path):
    model_folder.save(adapted(known, [timetable(0)], "timetables", "CC-BY"), tmp_path / "first")
    first = model_folder.load(str(tmp_path / "first"))
    model_folder.save(adapted(first, [timetable(1)], regularization=2), tmp_path / "second")

    card = model_folder.load(str(tmp_path / "second")).card

    assert [(origin.model, origin.digest, origin.regularization) for origin in card.adapted_from] == [
        (known.name, known.digest, REGULARIZATION),
        ("first", first.digest, 2),
    ]
    assert card.adapted_from[0].data == known.card.data
    assert (card.adapted_from[1].data.source, card.adapted_from[1].data.licence) == ("timetables", "CC-BY")
    assert (card.data.pages, card.data.blocks) == (1, 6)
    assert len({card.data.digest, first.card.data.digest, known.card.data.digest}) == 3


def test_an_adapted_model_does_not_decode_by_what_has_not_learned(known):
    with pytest.raises(UsageError, match="cannot decode by viterbi"):
        adapted(known, [timetable(0)]).decoding_by(method="viterbi")
    with pytest.raises(UsageError, match="decodes by viterbi cannot be adapted"):
        adapted(known.decoding_by(method="viterbi"), [timetable(0)])


def only(label):
    page, labels, *_ = timetable(0)
    return AnnotatedPage(page, [given if given is label else None for given in labels])


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "nothing to learn from"),
        ([only(None)], "nothing to learn from: no block of these pages has a label"),
        ([only(Label.OTHER)], "every labeled block of these pages is 'other'"),
        ([only(Label.PARAGRAPH)], "every labeled block of these pages is 'p'"),
        (
            [timetable(0)._replace(labels=[Label.HEADER, *[Label.PARAGRAPH] * 4, None])],
            "no block of these pages is 'other'",
        ),
    ],
    ids=["no page", "no label", "noise alone", "one kind of content", "content alone"],
)
def test_pages_that_tell_nothing_apart_are_refused(known, pages, message):
    with pytest.raises(VictorError, match=message):
        adapted(known, pages)


def test_a_label_that_the_model_never_gives_is_refused(known, old_pages):
    bias = known.network.weights["leave-bias"].copy()
    bias[LABELS.index(Label.LIST)] = -1e4
    limited = replace(known, network=replace(known.network, weights={**known.network.weights, "leave-bias": bias}))

    with pytest.raises(VictorError, match="'l' is a label that this model never gives"):
        adapted(limited, old_pages)


def test_a_model_without_a_network_is_told_with_what_to_do(model):
    with pytest.raises(UsageError, match=r"small: a model without a network cannot be adapted: train one .* -c CONFIG"):
        adapted(model_folder.load(str(model)), [timetable(0)])
