import pytest

from victorpy.errors import VictorError
from victorpy.features import features
from victorpy.features.language.folders import save
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape
from victorpy.page.segment import segment

PAGE = segment("<p>The baker waits for the ferry.<p>Zqx | vvk<p>")


def column(name):
    return features([name])[name](PAGE).tolist()


def test_what_surprises_has_a_greater_figure():
    sentence, noise = column("perplexity")

    assert 1 < sentence < noise


def test_a_column_may_ask_a_model_of_ones_own(folder):
    save(learn(["the baker waits for the ferry"], NgramShape("words", 1)), folder / "language-models" / "mine")

    assert column("perplexity.mine") != column("perplexity")


def test_a_column_of_a_missing_model_is_reported(folder):
    with pytest.raises(VictorError, match=r"no such feature 'perplexity\.mine'"):
        column("perplexity.mine")
