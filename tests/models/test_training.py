from dataclasses import replace

import pytest

from victorpy.annotation.anno_files import AnnotatedPage, loads, read, write
from victorpy.errors import VictorError
from victorpy.models import config, model_folder
from victorpy.models.explanation import explain
from victorpy.models.inspection import transitions, weights
from victorpy.models.learning_options import TreeOptions
from victorpy.models.training import annotated_pages, train
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import cleaner


@pytest.fixture(scope="module")
def settings(small_config):
    return config.load(small_config)


@pytest.fixture(scope="module")
def pages(annotations, settings):
    return list(annotated_pages(sorted(annotations.glob("*.anno")), settings))


def test_what_was_learned_labels_the_pages_it_was_learned_from(pages, settings):
    model = train(pages, settings)

    same = [one is other for page, labels, *_ in pages for one, other in zip(model.label(page), labels, strict=True)]
    assert sum(same) / len(same) > 0.9


def test_learning_twice_gives_the_same_weights(pages, settings):
    first, second = train(pages, settings), train(iter(pages), settings)

    assert (first.template_model.singles == second.template_model.singles).all()
    assert first.card == second.card


def test_blocks_without_a_label_are_not_learned_from(pages, settings):
    unlabeled = [
        AnnotatedPage(page, [None if label is Label.OTHER else label for label in labels]) for page, labels, *_ in pages
    ]

    card = train(unlabeled, settings).card

    assert card.data.blocks == 42
    assert card.data.labels["other"].blocks == 0


def test_the_digest_is_that_of_texts_and_labels(pages, settings):
    def digest(pages):
        return train(pages, settings).card.data.digest

    relabeled = [AnnotatedPage(page, [Label.PARAGRAPH, *labels[1:]]) for page, labels, *_ in pages]

    assert digest(pages) == digest(list(pages))
    assert len({digest(pages), digest(pages[:-1]), digest(relabeled)}) == 3


def test_features_that_are_switched_off_are_in_no_template(pages, settings):
    model = train(pages, replace(settings, without=("container.*",)))

    assert model.columns.names == ("token.alpha-abs", "sentence-end", "position")
    assert "container" not in model.card.templates


@pytest.mark.parametrize(
    ("labels", "message"),
    [(None, "no block of these pages has a label"), (Label.OTHER, "every labeled block of these pages is 'other'")],
)
def test_without_two_labels_there_is_nothing_to_learn(pages, settings, labels, message):
    with pytest.raises(VictorError, match=message):
        train([AnnotatedPage(page, [labels] * len(page)) for page, *_ in pages], settings)


def test_without_pages_there_is_nothing_to_learn(settings):
    with pytest.raises(VictorError, match="nothing to learn from"):
        train([], settings)


def test_pages_without_text_are_no_trouble(pages, settings, tmp_path, annotations):
    empty = replace(read(annotations / "part-0.anno"), html="", texts=(), labels=())
    write(empty, tmp_path / "empty.anno")

    model = train([*pages, *annotated_pages([tmp_path / "empty.anno"], settings)], settings)

    assert model.card.data.pages == 7


def test_annotations_are_cut_as_the_config_says(annotations, settings, caplog):
    blocks = replace(settings, markup=replace(settings.markup, mode="block"))

    with caplog.at_level("INFO", "victorpy"):
        ((page, labels, *_),) = annotated_pages([annotations / "part-0.anno"], blocks)

    assert [str(label) for label in labels] == ["other", "other", "h", "p", "p", "l", "l", "other"]
    assert len(page) == 8
    assert "part-0.anno: blocks: 7 kept, 1 merged from several" in caplog.text


# Fields of posts


def blog_page(number):
    """Two posts with their dates, and a comment on each."""
    texts = [
        f"<h2>Title number {number}{letter}</h2><p>May {day}, 2024</p><p>{'Nobody had told the baker. ' * day}</p>"
        for letter, day in (("a", 3), ("b", 9))
    ]
    comment = "<ul><li>So true!</ul>"
    page = segment("<h1>Harbour blog</h1>" + "".join(text + comment for text in texts), markup=BLOCKS)
    post = [Label.TITLE, Label.DATE, Label.PARAGRAPH, Label.COMMENT]
    return AnnotatedPage(page, [Label.OTHER, *post, *post])


@pytest.fixture(scope="module")
def blog_model():
    return train(map(blog_page, range(6)), config.load("blog"))


def test_fields_are_learned_and_posts_made_of_them(blog_model):
    page, labels, *_ = blog_page(7)

    labeling = blog_model.labeling(page)

    assert labeling.detailed == labels
    assert labeling.labels == [label.base for label in labels]
    assert [post[:4] for post in labeling.posts] == [
        ("Title number 7a", "May 3, 2024", "", ""),
        ("Title number 7b", "May 9, 2024", "", ""),
    ]


@pytest.mark.parametrize("method", ["viterbi", "likeliest", "expected-f1", "threshold"])
def test_however_one_decodes_a_field_is_one_of_its_base(blog_model, method):
    labeling = blog_model.decoding_by(method=method).labeling(blog_page(7).page)

    assert [label.base for label in labeling.detailed] == labeling.labels


def test_a_model_with_fields_is_the_same_after_loading(blog_model, tmp_path):
    model_folder.save(blog_model, tmp_path / "mine")
    page = blog_page(7).page

    again = model_folder.load(str(tmp_path / "mine"))

    assert again.labeling(page) == blog_model.labeling(page)
    assert again.marginals(page).shape == (len(page), 5)
    assert (again.detailed_marginals(page) == blog_model.detailed_marginals(page)).all()
    assert again.card.data.labels["title"].blocks == 12


def test_a_config_without_fields_learns_their_bases():
    model = train(map(blog_page, range(6)), replace(config.load("blog"), labels=()))

    labeling = model.labeling(blog_page(7).page)

    assert labeling.labels[1] is Label.HEADER
    assert labeling.posts is labeling.detailed is None


def test_a_tree_learns_fields_too():
    settings = config.load("blog")

    model = train(map(blog_page, range(6)), replace(settings, learner="tree", tree=TreeOptions(min_leaf=1)))

    assert model.labeling(blog_page(7).page).detailed == blog_page(7).labels


def test_weights_and_reasons_are_told_for_fields(blog_model):
    page = blog_page(7).page

    assert "title" in set(weights(blog_model)["label"])
    assert list(transitions(blog_model).columns) == [label.value for label in blog_model.labels]
    assert explain(blog_model, page, 1).label is Label.TITLE


def test_an_annotation_of_what_was_cleaned_has_the_fields(blog_model):
    html = "<h1>Harbour blog</h1><h2>Title number 8</h2><p>May 3, 2024</p><p>Nobody had told the baker. Nobody.</p>"

    cleaned = cleaner(blog_model).clean(html)

    assert loads(FORMATS["anno"](cleaned)).labels[:3] == (Label.OTHER, Label.TITLE, Label.DATE)
    assert cleaned.labels[:3] == [Label.OTHER, Label.HEADER, Label.OTHER]


@pytest.mark.process
def test_beside_a_network_the_crf_labels_fields(network_config):
    pytest.importorskip("jax")
    pytest.importorskip("optax")
    settings = replace(config.load(network_config), labels=("title", "date"))

    model = train(map(blog_page, range(6)), settings)
    labeling, chances = model.labeling(blog_page(7).page), model.detailed_marginals(blog_page(7).page)

    assert chances.shape == (9, 7)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    assert [label.base for label in labeling.detailed_labels] == labeling.labels
