"""How far the blocks of a page surprise a language model."""

from victorpy.blocks import Page, once_per_page
from victorpy.language.model import LanguageModel, Surprise


@once_per_page
def block_surprise(page: Page, model: LanguageModel) -> Surprise:
    return model.surprise(page.texts)
