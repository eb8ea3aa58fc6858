"""The perplexity of a block as a feature."""

import numpy as np

from victorpy.features.feature_rows import Table
from victorpy.page.blocks import Page


def perplexity(model: str, page: Page) -> Table:
    """The perplexity of each block; 0 for a block without words or characters."""
    # Imported here, because few configs need it and it would slow every start.
    from victorpy.features.language.block_surprise import block_surprise  # noqa: PLC0415
    from victorpy.features.language.folders import load  # noqa: PLC0415

    perplexities = block_surprise(page, load(model)).perplexities().astype(np.float32)
    np.nan_to_num(perplexities, copy=False)
    return perplexities
