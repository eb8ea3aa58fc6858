"""The losses of the blocks of a page under a language model, computed once per page."""

from victorpy.features.language.ngrams import LanguageModel, Surprise
from victorpy.page.blocks import Page, once_per_page


@once_per_page
def block_surprise(page: Page, model: LanguageModel) -> Surprise:
    return model.surprise(page.texts)
