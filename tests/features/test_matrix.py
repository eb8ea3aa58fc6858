import numpy as np

from victorpy.features import FEATURES
from victorpy.features.core_columns import OF_TAGS_AND_TEXT
from victorpy.features.table import matrix
from victorpy.page.segment import segment

HTML = "<nav><a>one</a></nav><h1>two</h1><p>three and four.<p>five"


def test_a_matrix_has_the_values_of_each_feature_in_the_order_asked_for():
    names = ("block.letters", "page.letters", "position", "page.blocks", "bullet", *reversed(OF_TAGS_AND_TEXT))
    page = segment(HTML)

    found = matrix(page, names)

    assert found.dtype == np.float32
    for name, row in zip(names, found, strict=True):
        assert row.tolist() == FEATURES[name](page).astype(np.float32).tolist(), name


def test_a_page_without_text_has_a_matrix_without_columns():
    assert matrix(segment(""), OF_TAGS_AND_TEXT).shape == (len(OF_TAGS_AND_TEXT), 0)
