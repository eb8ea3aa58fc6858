"""What numpy said of our own pages, before the core took its columns, network and decoding over."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from victorpy import _core
from victorpy.annotation.anno_files import read
from victorpy.features.core_columns import OF_TAGS_AND_TEXT, core_rows
from victorpy.models.config import load
from victorpy.models.decoding import Decoding, decoded
from victorpy.page.encoding import decode
from victorpy.page.segment import segment

ROOT = Path(__file__).parents[1]
GOLDEN = Path(__file__).parent / "golden"
FACTS = json.loads((GOLDEN / "pages.json").read_text("utf-8"))
DECODING = Decoding(prior_characters=300, min_probability=0.1, bias=-0.1, repeat_probability=0.95)


@pytest.fixture(scope="module")
def columns():
    return np.load(GOLDEN / "columns.npz")


@pytest.fixture(scope="module", params=_core.KERNELS)
def network(request):
    return _core.Network((GOLDEN / "network.npz").read_bytes(), kernel=request.param)


def html(name):
    path = ROOT / name
    if path.suffix == ".anno":
        return read(path).html
    if path.suffix == ".case":
        return path.read_text("utf-8").split("=== page\n")[1].split("=== blocks")[0]
    return decode(path.read_bytes()).text


def page(name):
    return segment(html(name), name, markup=load("web").markup)


@pytest.mark.parametrize("name", FACTS)
def test_a_page_is_cut_and_seen_as_before(name, columns):
    found, facts = page(name), FACTS[name]

    texts = hashlib.sha256("\n".join(found.texts).encode()).hexdigest()
    assert (len(found), len(found.elements.tags), found.title) == (facts["blocks"], facts["elements"], facts["title"])
    assert texts == facts["texts"]
    golden = columns[f"{name}/columns"]
    assert columns["names"].tolist() == list(OF_TAGS_AND_TEXT)
    np.testing.assert_allclose(core_rows(found, OF_TAGS_AND_TEXT), golden, rtol=2e-5, atol=1e-6)


@pytest.mark.slow
def test_every_kernel_labels_as_numpy_did(network, columns):
    for name, facts in FACTS.items():
        found = page(name)
        chances = network.marginals(found.core)
        labels, _ = decoded(found, chances, DECODING)
        np.testing.assert_allclose(np.frombuffer(chances).reshape(-1, 5), columns[f"{name}/chances"], atol=1e-5)
        assert "".join(label[0] for label in labels) == facts["labels"], name
