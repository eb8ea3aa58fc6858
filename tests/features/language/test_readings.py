import pytest

from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape
from victorpy.features.language.readings import kept_blocks, readings
from victorpy.features.language.sentences import sentences

TEXTS = ["the ferry leaves at seven.\nnobody waits for the ferry."] * 5


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("He said: “Go.” She went.", ["He said: “Go.”", "She went."]),
        ("Version 3.11 is here", ["Version 3.11 is here"]),
        ("渡轮出发。没有人等待！", ["渡轮出发。", "没有人等待！"]),
        ("क्या? हाँ। ठीक", ["क्या?", "हाँ।", "ठीक"]),
        ("  ", []),
    ],
)
def test_texts_are_cut_after_the_end_of_a_sentence(text, found):
    assert sentences(text) == found


def test_a_row_of_dots_is_one_sentence():
    assert sentences("." * 100_000 + "x") == ["." * 100_000 + "x"]


def test_what_surprises_is_left_out_sentence_by_sentence():
    model = learn(TEXTS, NgramShape("characters", 4))
    blocks = ["The ferry leaves. Zqx vvk! Nobody waits.", "—", "Xkq jjz"]

    assert list(kept_blocks(readings(blocks, model, "sentence"), 20)) == ["The ferry leaves. Nobody waits."]


def test_a_page_is_the_sum_of_its_blocks():
    model = learn(TEXTS, NgramShape())
    blocks = readings(["the ferry", "nobody zzz"], model)

    (page,) = readings(["the ferry", "nobody zzz"], model, "page")

    assert (page.symbols, page.unknown) == (4, 1)
    assert min(block.perplexity for block in blocks) < page.perplexity < max(block.perplexity for block in blocks)
