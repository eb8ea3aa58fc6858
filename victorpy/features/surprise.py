"""How far a block surprises a language model."""

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page


def perplexity(model: str, page: Page) -> Table:
    """0 where there is nothing that could surprise."""
    # Here, because few configs ask for it, and every start would wait.
    from victorpy.features.language.block_surprise import block_surprise  # noqa: PLC0415
    from victorpy.features.language.folders import load  # noqa: PLC0415

    perplexities = block_surprise(page, load(model)).perplexities().astype(np.float32)
    np.nan_to_num(perplexities, copy=False)
    return perplexities
