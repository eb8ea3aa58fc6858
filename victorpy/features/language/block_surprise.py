"""How far the blocks of a page surprise a language model."""

from victorpy.features.language.ngrams import LanguageModel, Surprise
from victorpy.page.blocks import Page, once_per_page


@once_per_page
def block_surprise(page: Page, model: LanguageModel) -> Surprise:
    return model.surprise(page.texts)
