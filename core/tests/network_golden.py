"""Writes network_golden.json and network_golden.npz: a small network at random, and what victorpy's numpy network makes
of a small page. Run it with a victorpy that has labelers.network, from this folder."""

import json
import re
from pathlib import Path

import numpy as np
from victorpy.labelers.network import Network, Words

from victorpy.features.vocabulary import known_words
from victorpy.features.wording import Wording

FEATURES = ("block.letters", "block.linked", "page.letters", "part.depth", "title.covers")
PIECES = ("block.letters", "block.letters", "title.covers", "page.letters", "part.depth")
KNOWN = ("related", "stories", "leave", "a", "comment", "οδος", "这是")
TEXTS = ("Related stories", "Leave a COMMENT!", "a/a|b", "Ὁ ΟΔΟΣ…", "这是：这是", "A long text. " * 6)
WIDE, INNER, NUMBERS, BLOCKS = 9, 5, 2, 21

random = np.random.default_rng(7)


def numbers(*shape: int) -> np.ndarray:
    return random.normal(0, 0.4, shape).astype(np.float32)


def words_of(text: str) -> list[str]:
    """In small letters, and an end behind them."""
    return [*re.sub(r"[.,:;!?()|/…]", " ", text.lower()).split(), "\0"]


def network() -> Network:
    layers = {}
    for layer in range(3):
        shapes = {
            "around": (3, WIDE, INNER),
            "page": (2, WIDE, INNER),
            "bias": (INNER,),
            "back": (INNER, WIDE),
            "back-bias": (WIDE,),
        }
        layers |= {f"{layer}-{name}": numbers(*shape) for name, shape in shapes.items()}
    seen, pieces = len(FEATURES), len(PIECES)
    weights = layers | {
        "means": 2 * np.abs(numbers(seen)),
        "scales": 1 + np.abs(numbers(seen)),
        "piece-middles": numbers(pieces),
        "piece-scales": 1 + np.abs(numbers(pieces)),
        "short": numbers(len(KNOWN), NUMBERS),
        "enter": numbers(seen + pieces + NUMBERS, WIDE),
        "enter-bias": numbers(WIDE),
        "spread": numbers(WIDE, WIDE),
        "spread-bias": numbers(WIDE),
        "leave": 4 * numbers(WIDE, 5),
        "leave-bias": numbers(5),
    }
    return Network(FEATURES, weights, text_words=KNOWN, bin_features=PIECES)


def main() -> None:
    made = network()
    assert made.fits
    texts = [TEXTS[number % len(TEXTS)] for number in range(BLOCKS)]
    lengths = np.array([len(text) for text in texts], np.int32)
    short = np.flatnonzero(lengths <= 60)
    wording = Wording([word for number in short for word in words_of(texts[number])], short)
    figures = np.exp(numbers(len(FEATURES), BLOCKS) * 5).astype(np.float32) - 1
    figures[2] = 300
    cases = []
    for blocks in (1, 2, 5, BLOCKS):
        is_in = short < blocks
        ends = int(is_in.sum())
        places = [place for place, word in enumerate(wording.words) if word == "\0"]
        words = Wording(wording.words[: places[ends - 1] + 1], short[is_in])
        chances = made.marginals(np.ascontiguousarray(figures[:, :blocks]), lengths[:blocks], Words(text=words))
        rounded = [[round(chance, 8) for chance in row] for row in chances.tolist()]
        cases.append({"blocks": blocks, "marginals": rounded})
    found = known_words(wording.words, made.known_text)
    golden = {"texts": texts, "words": found.words.tolist(), "figures": figures.tolist(), "cases": cases}
    Path("network_golden.json").write_text(json.dumps(golden, ensure_ascii=False) + "\n", encoding="utf-8")
    named = {"text-words": np.array(KNOWN), "pieces": np.array(PIECES), "features": np.array(FEATURES)}
    arrays = {f"network-{name}": array for name, array in (dict(made.weights) | named).items()}
    np.savez_compressed("network_golden.npz", **arrays)


main()
