"""Texts that are known again."""

import random
import subprocess
import sys
from array import array
from pathlib import Path
from random import Random

import numpy as np
import pytest

import victorpy
from victorpy.pipeline.deduplication.chains import Chains
from victorpy.pipeline.deduplication.known_texts import Bands, KnownTexts, Match
from victorpy.pipeline.deduplication.signatures import SIZE, shingles, signature, similarities

WORDS = [f"{first}{last}" for first in "bdfghklmnp" for last in ["abe", "ide", "oru", "uma"]]


def text(seed, words=400):
    return " ".join(Random(seed).choices(WORDS, k=words))


def altered(words, share, seed=0):
    """The words, of which a share, chosen at random, are others."""
    random = Random(seed)
    return " ".join(f"new{random.random()}" if random.random() < share else word for word in words.split())


def share_of_shingles(first, second):
    first, second = (set(shingles(words.split())) for words in (first, second))
    return len(first & second) / len(first | second)


def test_the_same_text_is_known_again_whatever_its_white_space_and_case():
    known = KnownTexts()

    assert known.match("The ferry leaves at seven.") is None
    assert known.match("Nobody had told the baker.") is None
    assert known.match(" the FERRY\nleaves  at seven.") == Match(0)
    assert known.match("The ferry leaves at eight.") is None
    assert len(known) == 3


def test_a_text_that_is_nearly_the_same_is_known_again_with_how_similar_it_is():
    known = KnownTexts(0.8)
    known.match(text(1))
    known.match(text(2))
    near = altered(text(2), 0.01)

    match = known.match(near)

    assert match.number == 1
    assert match.similarity == pytest.approx(share_of_shingles(text(2), near), abs=0.08)


def test_a_near_duplicate_is_not_remembered():
    known = KnownTexts(0.8)
    known.match(text(1))
    chain = text(1)
    for step in range(1, 30):
        chain = altered(chain, 0.02, step)
        known.match(chain)

    assert 2 <= len(known) < 30  # far from the first one, and near to what was dropped


@pytest.mark.slow
@pytest.mark.parametrize(("alteration", "least", "most"), [(0.01, 0.97, 1.0), (0.1, 0.0, 0.01), (1.0, 0.0, 0.0)])
def test_what_is_found_depends_on_how_much_was_altered(alteration, least, most):
    known = KnownTexts(0.8)
    for seed in range(200):
        known.match(text(seed))

    found = sum(known.match(altered(text(seed), alteration, seed)) is not None for seed in range(200))

    assert least <= found / 200 <= most


@pytest.mark.parametrize("content", ["", "!!! ...", "\ud800", "a", "雨が降る。"], ids=ascii)
def test_any_text_can_be_met(content):
    known = KnownTexts(0.8)

    assert known.match(content) is None
    assert known.match(content) == Match(0)


def test_text_without_blanks_has_shingles_too():
    signatures = [signature(text) for text in ("雨" + "一二三四五六七八九十" * 9, "晴" + "一二三四五六七八九十" * 9)]

    assert 0.5 < similarities(signatures[0], np.frombuffer(signatures[1], np.uint8).reshape(1, SIZE))[0] < 1


@pytest.mark.process
def test_signatures_are_the_same_in_every_process():
    program = f"from {signature.__module__} import signature; print(signature('one two three four five six').hex())"
    runs = [
        subprocess.run(
            [sys.executable, "-P", "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(victorpy.__file__).parents[1])},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert runs[0] == runs[1] == signature("one two three four five six").hex() + "\n"


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.8, 0.9, 1.0])
def test_bands_fit_into_a_signature_and_find_what_is_as_similar_as_asked(threshold):
    bands = Bands.of(threshold)

    assert bands.number * bands.values <= SIZE
    assert 1 - (1 - threshold**bands.values) ** bands.number > 0.97


@pytest.mark.slow
def test_chains_stay_what_they_are_when_there_are_more_of_them():
    rng = random.Random(3)
    keys = array("Q", (rng.choice((rng.getrandbits(64), rng.getrandbits(3))) for _ in range(5000)))
    chains = Chains()
    for key in keys:
        if chains.is_full:
            done = np.frombuffer(keys, np.uint64)[: len(chains)]
            chains.widen([done[:700], done[700:]])
        chains.add(key)

    for key in set(keys):
        under = [entry for entry in chains.entries(key) if keys[entry] == key]
        assert under == [entry for entry in reversed(range(5000)) if keys[entry] == key]
