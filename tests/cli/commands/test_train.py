import io
import sys
from pathlib import Path

import pytest
import yaml

from victorpy.models import model_folder


@pytest.fixture
def train(victor, small_config):
    return lambda *words: victor("train", "--config", small_config, *words)


@pytest.mark.process
def test_a_model_is_learned_and_found_again_by_its_name(train, victor, folder, page, annotations):
    trained, cleaned = train(annotations, "--model", "mine"), victor("clean", "--model", "mine", page)

    assert (trained.status, trained.out) == (0, f"models{'/'}mine\n")
    assert sorted(path.name for path in folder.joinpath("models/mine").iterdir()) == ["model.yaml", "weights.npz"]
    assert cleaned.status == 0
    assert "<h> Letters from the harbour, part 7" in cleaned.out


def test_the_card_says_where_the_model_is_from(train, folder, annotations):
    train(annotations, "-m", "out/mine", "--source", "our own pages", "--licence", "CC0")

    card = yaml.safe_load(folder.joinpath("out/mine/model.yaml").read_text())
    assert {name: card["data"][name] for name in ("pages", "blocks", "source", "licence")} == {
        "pages": 6,
        "blocks": 60,
        "source": "our own pages",
        "licence": "CC0",
    }
    assert {label: share["blocks"] for label, share in card["data"]["labels"].items()} == {
        "p": 12,
        "h": 6,
        "l": 12,
        "c": 12,
        "other": 18,
    }
    assert card["data"]["labels"]["other"]["percent"] == 30
    assert card["config"]["crf"]["max-iterations"] == 30
    assert len(card["weights"]) == len(card["data"]["digest"]) == 64
    assert set(card["made-by"]) >= {"victorpy", "python", "lxml", "numpy", "python-crfsuite"}


def test_the_same_pages_give_the_same_model(train, folder, annotations):
    for name in ("one", "two"):
        train(annotations, "-m", name)

    for name in ("model.yaml", "weights.npz"):
        assert folder.joinpath("models/one", name).read_bytes() == folder.joinpath("models/two", name).read_bytes()


def test_without_a_config_the_default_model_is_adapted(victor, folder, annotations):
    ran = victor("train", annotations / "part-0.anno", "-m", "mine")

    assert ran.status == 0
    assert "adapting web, the default model; -c CONFIG or -l LEARNER trains a new one" in ran.err
    assert model_folder.load("mine").card.adapted_from[0].model == "web"


def test_a_model_can_be_adapted_to_pages(victor, folder, page, annotations, network_model):
    adapted = victor("train", "--from", network_model, annotations / "part-0.anno", "-m", "mine", "--source", "mine")

    card = yaml.safe_load(folder.joinpath("models/mine/model.yaml").read_text())
    assert (adapted.status, adapted.out) == (0, "models/mine\n")
    assert (card["data"]["pages"], card["data"]["source"]) == (1, "mine")
    (origin,) = card["adapted-from"]
    assert (origin["model"], origin["data"]["pages"]) == ("network", 6)
    assert victor("clean", "-m", "mine", page).status == 0


def test_pages_that_were_cut_otherwise_are_cut_as_the_model_does(victor, folder, network_model):
    Path("blocks.anno").write_text(
        "#victorpy-anno 1\n#segmenter: 2 block\n"
        "h\tLetters\np\tThe ferry leaves at seven, and early.\nother\tImprint\n"
        "#html\n<h1>Letters</h1><p>The ferry leaves <b>at seven</b>, and early.</p><p>Imprint</p>"
    )

    ran = victor("train", "--from", network_model, "blocks.anno", "-m", "mine")

    assert ran.status == 0
    assert "blocks.anno: " in ran.err
    assert model_folder.load("mine").card.data.labels["other"].blocks == 1


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_adapted_is_told_before_anything_is_learned(victor, annotations, model, network_model):
    for words, message in (
        (("--from", model), "a model without a network cannot be adapted"),
        (("--from", "nope"), "no model 'nope'"),
        (("--from", network_model, "-c", "base"), "not allowed with argument"),
        (("--from", network_model, "--learner", "crf"), "--learner needs --config"),
    ):
        ran = victor("train", annotations, "-m", "mine", *words)

        assert ran.status == 2
        assert message in ran.err
    assert not list(Path().iterdir())


def test_single_files_and_folders_can_be_named_once_or_twice(train, folder, annotations):
    train(annotations / "part-0.anno", annotations, annotations / "part-0.anno", "-m", "mine")

    assert model_folder.load("mine").card.data.pages == 6


def test_learning_says_how_far_it_is(train, folder, annotations):
    ran = train(annotations, "-m", "mine")

    assert "6 pages, 60 labeled blocks" in ran.err
    assert "of at most 30: loss" in ran.err
    assert train(annotations, "-m", "mine", "--quiet", "--replace") == (0, ran.out, "")


def test_a_new_model_replaces_the_old_one(train, folder, annotations):
    train(annotations / "part-0.anno", "-m", "mine")
    train(annotations, "-m", "mine", "--replace")

    assert model_folder.load("mine").card.data.pages == 6


BROKEN = {
    "no page": (lambda text: text.partition("#html")[0], "no line '#html'"),
    "label": (
        lambda text: text.replace("\nh\t", "\nheader\t"),
        ":10: expected a label (p, h, l, c, other, title, date, author, comment, -), got 'header'",
    ),
    "tab": (lambda text: text.replace("\nh\t", "\nh "), ":10: expected a tab between a label and its text"),
    "newer": (lambda text: text.replace("-anno 1", "-anno 2", 1), ":1: format version 2 is newer"),
    "empty": (lambda text: "", ":1: not an annotation"),
    "web page": (lambda text: "<html><p>x", ":1: not an annotation"),
    "segmenter": (lambda text: text.replace("#segmenter: 2 victor", "#segmenter: old"), "'#segmenter: old'"),
    "unlabeled": (lambda text: relabeled(text, "-"), "no block of these pages has a label"),
    "one label": (lambda text: relabeled(text, "p"), "every labeled block of these pages is 'p'"),
}


def relabeled(text, label):
    return "\n".join(f"{label}\t{line.partition(chr(9))[2]}" if "\t" in line else line for line in text.split("\n"))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_annotation_is_named_and_no_model_written(train, folder, annotations, name):
    broken, message = BROKEN[name]
    folder.joinpath("x.anno").write_text(broken(annotations.joinpath("part-0.anno").read_text()))

    ran = train("x.anno", "-m", "mine")

    assert ran.status in {1, 2}
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert not folder.joinpath("models/mine/model.yaml").exists()


def test_an_annotation_that_is_not_utf_8_is_named_with_the_line(train, folder, annotations):
    folder.joinpath("x.anno").write_bytes(
        annotations.joinpath("part-0.anno").read_bytes().replace(b"\nh\t", b"\nh\t\xff")
    )

    ran = train("x.anno", "-m", "mine")

    assert (ran.status, ran.err) == (1, "victor: x.anno:10: not UTF-8\n")


CONFIGS = {
    "no features": ("features: []", "small.yaml:2: features: expected at least one feature"),
    "all switched off": ("without: ['*']", "small.yaml:2: without: expected at least one feature"),
    "unknown option": ("lerner: {c2: 1}", "small.yaml:2: lerner: no such option; did you mean 'learner'?"),
    "wrong type": ("crf: {c2: much}", "small.yaml:2: crf.c2: expected a number, got 'much'"),
    "out of range": ("crf: {c2: -1}", "small.yaml:2: crf.c2: expected at least 0, got -1"),
    "no steps": ("crf: {max-iterations: 0}", "small.yaml:2: crf.max-iterations: expected at least 1, got 0"),
    "broken YAML": ("features: [", "small.yaml:3: not valid YAML"),
    "no template": ("template: nowhere", "small.yaml:2: template: no template 'nowhere'"),
    "template file": ("template: ./gone.tpl", "gone.tpl: no such template"),
    "broken template": ("template: ./broken.tpl", "broken.tpl:2: no such feature 'positoin'; did you mean 'position'?"),
    "empty template": ("template: ./empty.tpl", "empty.tpl: expected at least one template"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_a_broken_config_is_named_with_its_line(victor, folder, annotations, name):
    lines, message = CONFIGS[name]
    folder.joinpath("small.yaml").write_text(f"include: base\n{lines}\n")
    folder.joinpath("broken.tpl").write_text("position[0]\npositoin[0]\n")
    folder.joinpath("empty.tpl").write_text("# nothing\n")

    ran = victor("train", annotations, "--config", "./small.yaml", "--model", "mine")

    assert (ran.status, ran.out) == (1, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert not folder.joinpath("models").exists()


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("gone.anno", "-m", "mine"), 2, "gone.anno: no such file or folder"),
        (("nothing", "-m", "mine"), 2, "nothing: no pages in this folder"),
        (("{annotations}", "-m", "mine", "-c", "nope"), 2, "no config 'nope'"),
        (("{annotations}", "-m", ""), 2, "name the model"),
        (("{annotations}", "-m", "./file"), 2, "file: a file, not a folder, has this name"),
        (("{annotations}", "-m", "file/mine"), 1, "cannot be written"),
        (("{annotations}",), 2, "the following arguments are required: -m/--model"),
        (("-m", "mine"), 2, "the following arguments are required: FILE"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("folder")
def test_wrong_usage_is_told_before_anything_is_learned(train, annotations, words, status, message):
    Path("nothing").mkdir()
    Path("file").touch()

    ran = train(*(word.format(annotations=annotations) for word in words))

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert sorted(path.name for path in Path().iterdir()) == ["file", "nothing"]


@pytest.mark.process
def test_a_decision_tree_is_learned_saved_and_cleans(victor, folder, annotations, page):
    ran = victor("train", "-m", "mine", "--learner", "tree", annotations)
    cleaned = victor("clean", "-m", "mine", page)

    assert ran.status == 0
    assert "levels" in ran.err
    assert cleaned.status == 0
    assert "<p>" in cleaned.out
    assert "learner: tree" in Path("models/mine/model.yaml").read_text()


@pytest.mark.process
def test_a_tree_may_ask_for_the_features_of_another_config(victor, folder, small_config, annotations, page):
    assert victor("train", "-m", "mine", "-c", small_config, "--learner", "tree", annotations).status == 0
    assert victor("clean", "-m", "mine", page).status == 0


def test_a_tree_has_no_weights_to_inspect_or_explain(victor, folder, annotations, page):
    victor("train", "-m", "mine", "--learner", "tree", annotations)

    for ran in (victor("explain", "mine"), victor("explain", "-m", "mine", page, "--block", "1")):
        assert ran.status == 2
        assert "mine: this model is a decision tree" in ran.err


# A name that is taken


@pytest.fixture
def taken(train, folder, annotations):
    """A model named `mine`, and its card."""
    train(annotations, "-m", "mine")
    return folder / "models/mine/model.yaml"


def test_a_model_is_not_replaced_unless_one_says_so(train, taken, annotations):
    before = taken.read_bytes()

    ran = train(annotations / "part-0.anno", "-m", "mine")

    assert (ran.status, taken.read_bytes()) == (2, before)
    assert "models/mine: a model has this name: --replace replaces it" in ran.err


def test_a_model_is_replaced_if_one_says_so(train, taken, annotations):
    assert train(annotations / "part-0.anno", "-m", "mine", "--replace").status == 0
    assert model_folder.load("mine").card.data.pages == 1


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("answer", "pages"), [("y\n", 1), ("yes\n", 1), ("n\n", 6), ("\n", 6), ("", 6)])
@pytest.mark.usefixtures("taken")
def test_on_a_terminal_one_is_asked(train, annotations, monkeypatch, answer, pages):
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stderr", said := Terminal())

    train(annotations / "part-0.anno", "-m", "mine")

    assert "models/mine: replace this model? [y/N] " in said.getvalue()
    assert model_folder.load("mine").card.data.pages == pages
