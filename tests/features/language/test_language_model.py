"""Language models: what they say, and how they are kept."""

import hashlib
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from victorpy.errors import UsageError, VictorError
from victorpy.features.language.folders import load, save
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape, checked_limit

TEXTS = [
    "the ferry leaves at seven\nthe baker leaves at nine\nthe ferry is late",
    "nobody waits for the ferry\nthe baker waits for nobody\nat seven the island is awake",
]
SHAPES = [
    NgramShape("words", order, smoothing, least)
    for order, smoothing, least in product((1, 2, 3), ("kneser-ney", "witten-bell"), (1, 2))
]
VOCABULARY = sorted({word for text in TEXTS for word in text.split()})


@pytest.fixture
def saved(folder):
    save(learn(TEXTS, NgramShape()), folder / "mine")
    return folder / "mine"


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.order} {shape.smoothing} {shape.min_count}")
@pytest.mark.parametrize("before", ["", "the ", "the ferry ", "nobody knows "])
def test_probabilities_of_all_words_add_up_to_one(shape, before):
    model = learn(TEXTS, shape)
    known = model.surprise([before.strip()]).losses[0]

    losses = model.surprise([before + word for word in (*VOCABULARY, "xyzzy")]).losses - known

    assert np.exp(-losses).sum() == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("shape", [NgramShape(), NgramShape("characters", 4), NgramShape("words", 3, "witten-bell", 2)])
def test_it_does_not_matter_in_which_pieces_text_is_read(shape):
    lines = "\n".join(TEXTS).split("\n")

    at_once, by_lines = learn(["\n".join(lines)], shape), learn(lines, shape)

    assert at_once.card == by_lines.card
    for one, other in zip(at_once.tables, by_lines.tables, strict=True):
        assert np.array_equal(one.keys, other.keys)
        assert np.array_equal(one.chances, other.chances)


@pytest.mark.parametrize("shape", [NgramShape(), NgramShape("characters", 4), NgramShape("characters", 5, min_count=2)])
def test_what_is_like_the_texts_surprises_less(shape):
    model = learn(TEXTS * 3, shape)

    assert model.perplexity("the baker is late") < model.perplexity("late is baker the") < model.perplexity("Qz | 1%")


def test_other_scripts_are_learned_like_any():
    model = learn(["渡轮七点出发\n没有人等待渡轮", "паром уходит в семь"], NgramShape("characters", 3))

    assert model.perplexity("渡轮出发") < model.perplexity("发轮出渡")
    assert model.surprise(["паром", "渡轮", "ferry"]).unknown.tolist() == [0, 0, 5]


def test_markers_of_cleaned_texts_are_no_text():
    marked = learn(["URL: https://x.example/\n<p> the ferry\n<h> Late"], NgramShape())

    assert marked.card.data.symbols == 3


def test_of_nothing_there_is_no_perplexity():
    model = learn(TEXTS, NgramShape())

    assert np.isnan(model.surprise(["", "* * *"]).perplexities()).all()
    assert model.surprise([]).losses.shape == (0,)
    assert np.isnan(model.perplexity(""))


def test_a_huge_text_is_as_surprising_as_its_parts():
    model = learn(TEXTS, NgramShape("characters", 3))
    text = "the ferry leaves at seven. "

    assert model.perplexity(text * 30_000) == pytest.approx(model.perplexity(text * 100), rel=0.02)


def test_it_says_the_same_after_it_was_saved(saved):
    texts = ["the ferry is late", "nobody knows", ""]
    before, after = learn(TEXTS, NgramShape()), load(str(saved))

    assert after.name == "mine"
    assert before.surprise(texts).losses.tolist() == after.surprise(texts).losses.tolist()


def test_the_same_texts_make_the_same_files(saved, folder):
    save(learn(TEXTS, NgramShape()), folder / "again")

    for name in ("lm.yaml", "ngrams.npz"):
        assert (saved / name).read_bytes() == (folder / "again" / name).read_bytes()


def test_nothing_in_it_needs_pickle(saved):
    with np.load(saved / "ngrams.npz", allow_pickle=False) as file:
        assert {array.dtype.kind for array in dict(file).values()} == {"u", "f"}


def test_no_text_makes_no_model():
    with pytest.raises(UsageError, match="no words in these texts"):
        learn(["* * *\n\n"], NgramShape())


def change(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


SPOILT = {
    "another version": (lambda path: change(path / "lm.yaml", "model: 1", "model: 9"), "of format 9.*reads format 1"),
    "another card": (lambda path: change(path / "lm.yaml", "victorpy-", "my-"), "not a language model's card"),
    "an unknown option": (lambda path: change(path / "lm.yaml", "limit:", "limt:"), r"lm.yaml:\d+: limt: no such"),
    "other n-grams": (lambda path: (path / "ngrams.npz").write_bytes(b"x"), "the n-grams do not match"),
    "no n-grams": (lambda path: (path / "ngrams.npz").unlink(), "cannot be read"),
    "no card": (lambda path: (path / "lm.yaml").unlink(), "not a language model: .*'victor lm train' makes one"),
    "a model": (
        lambda path: (path / "lm.yaml").rename(path / "model.yaml"),
        "a model that labels pages, not a language",
    ),
}


@pytest.mark.parametrize(("spoil", "message"), SPOILT.values(), ids=SPOILT)
def test_a_broken_language_model_is_reported(saved, spoil, message):
    spoil(saved)

    with pytest.raises(VictorError, match=message):
        load(str(saved))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("keys1", lambda array: array.astype(float)),
        ("keys2", lambda array: array[:-1]),
        ("chances1", lambda array: array * np.nan),
        ("rests1", lambda array: array[:, None]),
    ],
)
def test_n_grams_of_another_kind_are_named(saved, name, change):
    with np.load(saved / "ngrams.npz") as file:
        arrays = dict(file)
    before = hashlib.sha256((saved / "ngrams.npz").read_bytes()).hexdigest()
    np.savez(saved / "ngrams.npz", **(arrays | {name: change(arrays[name])}))
    after = hashlib.sha256((saved / "ngrams.npz").read_bytes()).hexdigest()
    saved.joinpath("lm.yaml").write_text(saved.joinpath("lm.yaml").read_text().replace(before, after))

    with pytest.raises(VictorError, match=r"ngrams\.npz: not the n-grams of a language model"):
        load(str(saved))


def test_an_unknown_name_is_reported_with_the_known_names(saved):
    with pytest.raises(UsageError, match=r"no language-model 'udrh'.*did you mean 'udhr'"):
        load("udrh")


def test_a_limit_for_words_is_none_for_characters():
    model = learn(TEXTS, NgramShape("characters", 3))

    assert checked_limit(model, None) == 40
    assert checked_limit(model, 30) == 30
    with pytest.raises(UsageError, match=r"it counts characters .3 at a time.*its own limit is 40"):
        checked_limit(model, 8000)


@pytest.mark.parametrize("changes", [{"order": 0}, {"order": 99}, {"min_count": 0}])
def test_impossible_shapes_are_refused(changes):
    with pytest.raises(VictorError, match="expected"):
        NgramShape(**changes)


def test_the_shipped_model_separates_sentences_from_noise():
    model = load("udhr")

    for sentence in ("Nobody had told the baker.", "Никто ничего не сказал пекарю.", "Niemand wartet auf die Fähre."):
        assert model.perplexity(sentence) < model.card.limit < model.perplexity("12°C | FAQ » RSS · Webshop-XL")
