import hashlib
import io
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.arrays import packed as packed_plain
from victorpy.models import model_folder
from victorpy.models.training import annotated_pages
from victorpy.page.segment import segment

PAGE = segment("<ul><li><a>Home</a></ul><h1>Letters</h1><p>The ferry leaves at seven, long before all are awake.</p>")


@pytest.fixture
def copy(model, tmp_path):
    """A model that may be damaged."""
    return shutil.copytree(model, tmp_path / "copy")


def loaded(folder):
    return model_folder.load(str(folder))


def replace_in_card(folder, old, new):
    card = folder / "model.yaml"
    text = card.read_text()
    assert old in text
    card.write_text(text.replace(old, new, 1))


def rewrite_weights(folder, content):
    """Other weights, whose digest stands in the card as if they belonged there."""
    old = hashlib.sha256((folder / "weights.npz").read_bytes()).hexdigest()
    folder.joinpath("weights.npz").write_bytes(content)
    replace_in_card(folder, old, hashlib.sha256(content).hexdigest())


def packed(**arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def test_a_model_says_the_same_after_saving(model, copy, tmp_path):
    first = loaded(model)
    model_folder.save(first, tmp_path / "again")
    again = loaded(tmp_path / "again")

    assert again.labeling(PAGE) == first.labeling(PAGE)
    assert again.card == first.card
    assert again.digest == first.digest == loaded(copy).digest


def test_a_model_is_two_readable_files(model):
    card = yaml.safe_load(model.joinpath("model.yaml").read_text())
    arrays = dict(np.load(model / "weights.npz", allow_pickle=False))

    assert sorted(path.name for path in model.iterdir()) == ["model.yaml", "weights.npz"]
    assert next(iter(card)) == "victorpy-model"
    assert set(arrays) == {"singles", "transitions", "conjunction0"}
    assert "position[0]" in card["templates"]


def test_scores_are_written_into_the_card_alone(copy):
    before, weights = loaded(copy), copy.joinpath("weights.npz").read_bytes()

    model_folder.write_scores(copy, {"harbour pages: word F1": 91.25})

    assert loaded(copy).card == replace(before.card, scores={"harbour pages: word F1": 91.25})
    assert copy.joinpath("weights.npz").read_bytes() == weights


def test_the_digest_tells_models_apart(model, copy):
    replace_in_card(copy, "summary: ''", "summary: mine")

    assert loaded(copy).digest != loaded(model).digest


def test_a_page_without_blocks_has_no_labels(model):
    labeling = loaded(model).labeling(segment(""))

    assert (labeling.labels, labeling.probabilities) == ([], [])


def test_decoding_otherwise_leaves_the_model_as_it_is(model):
    first = loaded(model)
    before = first.labeling(PAGE)

    everything = first.decoding_by(bias=100.0)

    assert all(label.is_content for label in everything.label(PAGE))
    assert first.labeling(PAGE) == before


def test_a_name_is_looked_for_in_models(model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(model, "models/mine")

    assert model_folder.load("mine").name == "mine"
    with pytest.raises(UsageError, match=r"no model 'mime' .*; did you mean 'mine'\?"):
        model_folder.load("mime")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "victorpy-model: 3",
            "victorpy-model: 4",
            r"model\.yaml:1: a model of format 4, and this victorpy reads up to 3",
        ),
        ("victorpy-model: 3", "model: 3", r"model\.yaml:1: not a model card"),
        ("data:", "data: [", r"model\.yaml:\d+: not valid YAML"),
        ("summary:", "sumary:", r"model\.yaml:2: sumary: no such option; did you mean 'summary'\?"),
        ("  pages: 6", "  pages: six", r"model\.yaml:4: data\.pages: expected a whole number, got 'six'"),
        ("  position[0]", "  positoin[0]", r"model\.yaml: templates:\d+: no such feature 'positoin'"),
        ("position: {scale: 20}", "position: {scale: 30}", r"weights\.npz: .*their shapes do not match"),
    ],
    ids=["newer", "no card", "YAML", "option", "number", "template", "buckets"],
)
def test_a_broken_card_is_named_with_its_line(copy, old, new, message):
    replace_in_card(copy, old, new)

    with pytest.raises(VictorError, match=message):
        loaded(copy)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"<html>"], ids=["empty", "bytes", "html"])
def test_a_card_that_is_none_is_named(copy, content):
    copy.joinpath("model.yaml").write_bytes(content)

    with pytest.raises(VictorError, match=r"model\.yaml"):
        loaded(copy)


def test_weights_that_were_changed_are_refused(copy):
    weights = copy / "weights.npz"
    weights.write_bytes(weights.read_bytes()[:-10])

    with pytest.raises(VictorError, match=r"weights\.npz: the weights do not match model\.yaml beside them"):
        loaded(copy)


def test_weights_that_are_not_there_are_named(copy):
    copy.joinpath("weights.npz").unlink()

    with pytest.raises(VictorError, match=r"weights\.npz: cannot be read: No such file"):
        loaded(copy)


def test_weights_that_only_pickle_could_keep_are_not_written():
    with pytest.raises(ValueError, match="not plain arrays: words"):
        packed_plain({"words": np.array([{}])})


def test_a_file_among_the_weights_that_holds_no_array_is_told(copy):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("singles.npy", b"no array")
    rewrite_weights(copy, file.getvalue())

    with pytest.raises(VictorError, match=r"weights\.npz: not the weights of a model: the magic string is not correct"):
        loaded(copy)


@pytest.mark.parametrize(
    ("name", "times", "message"),
    [
        ("more.npy", 1, "'more.npy' does not belong there"),
        ("conjunction7.npy", 1, "'conjunction7.npy' does not belong there"),
        ("singles.npy", 2, "'singles.npy' is there twice"),
        ("keys0.npy", 1, "it would unpack to 1,0[0-9]{2},[0-9]{3} bytes, more than 1,000,000"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_weights_are_refused_before_they_are_unpacked(copy, monkeypatch, name, times, message):
    monkeypatch.setattr("victorpy.foundation.arrays.MAX_UNPACKED", 1_000_000)
    monkeypatch.setattr("victorpy.foundation.arrays.array_in", lambda *_: pytest.fail("it was unpacked"))
    file = io.BytesIO((copy / "weights.npz").read_bytes())
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        for _ in range(times - (name in archive.namelist())):
            archive.writestr(name, bytes(1_000_000))
    rewrite_weights(copy, file.getvalue())

    with pytest.raises(VictorError, match=message):
        loaded(copy)


def test_arrays_that_could_not_be_read_again_are_not_written(monkeypatch):
    monkeypatch.setattr("victorpy.foundation.arrays.MAX_UNPACKED", 100)

    with pytest.raises(VictorError, match="the arrays take 104 bytes, and only 100 could be read again"):
        packed_plain({"words": np.zeros(13)})


def an_array():
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    return file.getvalue()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("singles", lambda array: array.astype("S4")),
        ("singles", lambda array: array.astype(np.float16)),
        ("singles", lambda array: array * np.nan),
        ("transitions", lambda array: array.astype(np.float32)),
        ("transitions", lambda array: array.astype(complex)),
        ("transitions", lambda array: np.zeros(())),
    ],
    ids=["text", "half the precision", "no numbers", "single precision", "complex numbers", "a single number"],
)
def test_weights_of_another_kind_are_named(copy, name, change):
    with np.load(copy / "weights.npz") as file:
        arrays = dict(file)
    rewrite_weights(copy, packed(**(arrays | {name: change(arrays[name])})))

    with pytest.raises(VictorError, match=r"weights\.npz: not the weights of a model"):
        loaded(copy)


@pytest.mark.parametrize("name", ["features", "words", "text-words", "pieces", "scopes", "fields"])
def test_what_a_network_knows_by_name_are_texts(tmp_path, name):
    copy = shutil.copytree(Path(__file__).parents[2] / "models" / "web", tmp_path / "copy")
    with np.load(copy / "weights.npz") as file:
        arrays = dict(file)
    rewrite_weights(copy, packed(**(arrays | {f"network-{name}": np.arange(3)})))

    with pytest.raises(VictorError, match=r"weights\.npz: not the weights of a model: expected lists of texts"):
        loaded(copy)


def test_weights_may_be_kept_column_by_column(tmp_path):
    web = Path(__file__).parents[2] / "models" / "web"
    copy = shutil.copytree(web, tmp_path / "copy")
    with np.load(copy / "weights.npz") as file:
        arrays = {name: np.asfortranarray(array) for name, array in file.items()}
    rewrite_weights(copy, packed(**arrays))
    page = segment("<nav>Home</nav><p>" + "Long words of an article. " * 20, markup=loaded(web).config.markup)

    assert loaded(copy).label(page) == loaded(web).label(page)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04 and no more",
        packed(singles=np.zeros(3)).replace(b"\x14\0", b"\xff\0"),
        an_array(),
        packed(),
        packed(singles=np.zeros((3, 5)), transitions=np.zeros((5, 5)), conjunction0=np.zeros((3, 5))),
        packed(singles=np.array([{}], object), transitions=np.zeros((5, 5))),
    ],
    ids=["empty", "cut off", "a zip of the future", "one array", "no arrays", "shapes", "pickle"],
)
def test_weights_that_are_none_are_named(copy, content):
    rewrite_weights(copy, content)

    with pytest.raises(VictorError, match=r"weights\.npz: not the weights of a model"):
        loaded(copy)


def test_blocks_of_another_segmenter_are_warned_of(copy, caplog):
    replace_in_card(copy, "\nsegmenter: 2\n", "\nsegmenter: 99\n")

    loaded(copy)

    assert "trained on blocks of segmenter 99" in caplog.text


def test_a_model_that_cannot_be_written_is_the_users_trouble(model, tmp_path):
    tmp_path.joinpath("file").touch()

    with pytest.raises(VictorError, match="/file is a file, not a folder"):
        model_folder.save(loaded(model), tmp_path / "file" / "model")


def test_a_label_that_was_never_seen_stays_out_after_saving(model, tmp_path):
    trained = loaded(model)

    model_folder.save(
        replace(trained, template_model=replace(trained.template_model, unseen=(1, 2))), tmp_path / "without"
    )

    assert loaded(tmp_path / "without").template_model.unseen == (1, 2)
    assert not loaded(tmp_path / "without").marginals(PAGE)[:, [1, 2]].any()


def test_models_of_the_first_format_still_load(copy):
    replace_in_card(copy, "victorpy-model: 3", "victorpy-model: 1")
    replace_in_card(copy, "  decoding:\n", "  scorer:\n    learner: none\n    trees: 200\n  decoding:\n")

    assert loaded(copy).labeling(PAGE).probabilities


def test_a_model_with_boosted_trees_is_refused(copy):
    replace_in_card(copy, "  decoding:\n", "  scorer:\n    learner: trees\n  decoding:\n")

    with pytest.raises(VictorError, match=r"config\.scorer\.learner: victorpy no longer has boosted trees"):
        loaded(copy)


def test_a_model_with_a_network_says_the_same_after_saving(network_model, tmp_path):
    first = loaded(network_model)
    model_folder.save(first, tmp_path / "again")

    assert loaded(tmp_path / "again").labeling(PAGE) == first.labeling(PAGE)
    for name in ("model.yaml", "weights.npz"):
        assert tmp_path.joinpath("again", name).read_bytes() == network_model.joinpath(name).read_bytes()


def test_pieces_of_ranges_are_saved_with_a_network(network_model, tmp_path):
    first = loaded(network_model)
    weights = first.network.weights
    more = {
        "enter": np.insert(weights["enter"], len(first.network.features), [[0.5], [-2]], axis=0).astype(np.float32),
        "piece-middles": np.array([-0.5, 0.5], np.float32),
        "piece-scales": np.ones(2, np.float32),
    }
    pieced = replace(
        first, network=replace(first.network, weights={**weights, **more}, bin_features=("container.a",) * 2)
    )
    model_folder.save(pieced, tmp_path / "pieced")

    again = loaded(tmp_path / "pieced")

    assert again.network.bin_features == ("container.a",) * 2
    assert np.array_equal(again.marginals(PAGE), pieced.marginals(PAGE))
    assert not np.array_equal(again.marginals(PAGE), first.marginals(PAGE))


def test_a_network_labels_what_it_was_trained_on(network_model, annotations):
    model = loaded(network_model)
    pages = annotated_pages(sorted(annotations.glob("*.anno")), model.config)

    same = [one is other for page, labels, *_ in pages for one, other in zip(model.label(page), labels, strict=True)]

    assert sum(same) >= 0.9 * len(same)


def test_a_network_with_all_of_the_share_leaves_nothing_to_the_crf(network_model):
    model = loaded(network_model)
    crf_of_noise = replace(model.template_model, unseen=(0, 1, 2, 3))

    assert replace(model, template_model=crf_of_noise).labeling(PAGE) == model.labeling(PAGE)


def test_a_network_with_half_of_the_share_meets_the_crf_halfway(network_model):
    model = loaded(network_model)
    halfway = replace(model, config=replace(model.config, network=replace(model.config.network, share=0.5)))

    mean = (model.template_marginals(PAGE) + model.network_marginals(PAGE)) / 2

    assert halfway.marginals(PAGE) == pytest.approx(mean)


def test_the_likeliest_path_is_the_crfs_alone_beside_a_network(network_model):
    model = loaded(network_model).decoding_by(method="viterbi")

    assert model.label(PAGE) == replace(model, network=None).label(PAGE)


@pytest.mark.parametrize(
    "changes",
    [
        {"network-enter": np.zeros((2, 2), np.float32)},
        {"network-leave": np.full((8, 5), np.nan, np.float32)},
        {"network-features": np.array(["nothing.such"] * 5)},
        {"network-0-around": None},
        {"network-features": None},
        {"network-words": None},
        {"network-words": np.array(["menu"])},
        {"network-far": np.zeros((1, 3), np.float32)},
        {"network-pieces": np.array(["container.a"])},
    ],
    ids=["shape", "number", "features", "layer", "missing", "no-words", "other-words", "far", "pieces"],
)
def test_a_network_that_is_none_is_named(network_model, tmp_path, changes):
    copy = shutil.copytree(network_model, tmp_path / "copy")
    arrays = dict(np.load(copy / "weights.npz")) | changes
    rewrite_weights(copy, packed(**{name: array for name, array in arrays.items() if array is not None}))

    with pytest.raises(VictorError, match=r"weights\.npz: not the weights of a model"):
        loaded(copy)
