"""Configs and models of version 0.1 are read, with a warning for what a person wrote."""

from pathlib import Path

import pytest

from victorpy.errors import VictorError
from victorpy.models import model_folder
from victorpy.models.config import Config, read_text
from victorpy.models.core_networks import native
from victorpy.models.earlier_configs import current_option
from victorpy.models.learning_options import CRFOptions, TreeOptions
from victorpy.page.segment import segment

OLD_MODELS = Path(__file__).parent / "version-0.1"
PAGE = segment("<ul><li><a>Home</a></ul><h1>Letters</h1><p>The ferry leaves at seven, long before all are awake.</p>")


def read(text):
    return read_text(f"include: cleaneval\n{text}", "x.yaml")


def test_the_section_learner_is_read_as_crf(caplog):
    assert read("learner: {algorithm: ap, max-iterations: 5}").crf == CRFOptions("ap", c2=30, max_iterations=5)
    assert caplog.messages == [
        "x.yaml:2: the section 'learner' is now 'learner: crf' and 'crf'; the next version drops the old form"
    ]


def test_the_algorithm_tree_is_read_as_the_learner_tree(caplog):
    config = read("learner: {algorithm: tree, min-leaf: 5}")

    assert (config.learner, config.tree) == ("tree", TreeOptions(min_leaf=5))
    assert caplog.messages == [
        "x.yaml:2: the section 'learner' is now 'learner: tree' and 'tree'; the next version drops the old form"
    ]


def test_an_algorithm_of_the_crf_replaces_a_tree_below_it():
    assert read_text("include: tree\nlearner: {algorithm: lbfgs}", "x.yaml").learner == "crf"


def test_old_and_new_names_of_a_section_exclude_each_other():
    with pytest.raises(
        VictorError, match=r"^x\.yaml:2: learner: the old name of 'crf', which is given too: remove one"
    ):
        read("learner: {c2: 1}\ncrf: {c2: 2}")


def test_the_switch_of_a_network_has_a_new_name(caplog):
    network = "{learner: network, features: [position], curved: [position], pieces: 3, kinds: 2, nameless: 0.1}"
    config = read(f"network: {network}")

    assert (config.network.enabled, config.network.bins) == (True, 3)
    assert (config.network.label_loss_weight, config.network.vocabulary_dropout) == (2, 0.1)
    assert [message.partition(";")[0] for message in caplog.messages] == [
        "x.yaml:2: network.learner is now called 'enabled'",
        "x.yaml:2: network.curved is now called 'piecewise'",
        "x.yaml:2: network.pieces is now called 'bins'",
        "x.yaml:2: network.kinds is now called 'label-loss-weight'",
        "x.yaml:2: network.nameless is now called 'vocabulary-dropout'",
    ]


def test_a_network_that_was_off_stays_off():
    assert not read("network: {learner: none}").network.enabled


def test_an_old_config_may_build_on_a_new_one():
    assert read("learner: {c2: 7}").crf == CRFOptions(c2=7, max_iterations=200)


def test_a_scorer_without_trees_is_ignored_with_a_warning(caplog):
    assert read("scorer: {learner: none, trees: 5}") == read("")
    assert caplog.messages == ["x.yaml:2: scorer has no effect any more: remove it"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("learner.c2", "crf.c2"),
        ("learner.min-leaf", "tree.min-leaf"),
        ("decoding.least-probability", "decoding.min-probability"),
        ("crf.c2", "crf.c2"),
        ("buckets", "buckets"),
    ],
)
def test_a_single_option_has_a_current_name(old, new):
    assert current_option(Config, old) == new


@pytest.mark.parametrize(
    ("name", "labels", "last"),
    [("network", ["other", "c", "p"], 0.9999863975959172), ("tree", ["other", "c", "p"], 0.9769230769230769)],
)
def test_a_model_of_version_0_1_labels_as_it_did(name, labels, last, caplog):
    labeling = model_folder.load(str(OLD_MODELS / name)).labeling(PAGE)

    assert labeling.labels == labels
    assert labeling.probabilities[-1] == last
    assert not caplog.messages


def test_the_core_reads_the_card_of_version_0_1_as_the_whole_model_does():
    folder = str(OLD_MODELS / "network")

    assert native(folder) is None  # because a feature is not the core's
    assert native("web").decoding == model_folder.load("web").config.decoding
