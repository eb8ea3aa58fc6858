import textwrap

import numpy as np
import pytest

from victorpy.features.shallow import NAMES, shallow, text_density
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

BLOCKS = Markup(mode="block")
SENTENCE = "The ferry leaves at seven, long before the island is awake and anybody has told Anna of the bridge."


def test_figures_of_a_block():
    page = segment("<p>The <a href=/>Ferry</a> leaves. At <a href=/>seven</a>.", markup=BLOCKS)

    figures = dict(zip(NAMES, shallow(page)[:, 0].tolist(), strict=True))

    assert figures == pytest.approx(
        {
            "shallow.words": 5,
            "shallow.link-density": 0.4,
            "shallow.text-density": 5,
            "shallow.word-length": 4.2,
            "shallow.capitals": 0.6,
            "shallow.full-stops": 2,
        }
    )


@pytest.mark.parametrize("times", [1, 2, 7])
def test_text_density_counts_the_tokens_of_full_lines(times):
    text = " ".join([SENTENCE] * times)
    full = textwrap.wrap(text, 80)[:-1]

    density = text_density(segment(f"<p>one<p>{text}<p>two words", markup=BLOCKS))

    assert density.tolist() == pytest.approx([1, np.mean([len(line.split()) for line in full]), 2])


def test_a_word_longer_than_a_line_fills_one():
    density = text_density(segment(f"<p>{'x' * 200} y", markup=BLOCKS))

    assert density.tolist() == [1]
