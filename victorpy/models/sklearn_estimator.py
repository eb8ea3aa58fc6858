"""Training and labeling as a scikit-learn estimator."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.models.config import Config, load
from victorpy.models.model_folder import Model
from victorpy.models.training import train
from victorpy.page.blocks import LABELS, Label, Page
from victorpy.page.segment import segment


class PageLabeler(BaseEstimator):  # type: ignore[misc]
    """Label the blocks of pages. `config` is a config or its name; other arguments change options of its CRF.

    Pages are `Page`s or HTML, which the config cuts into blocks.
    """

    def __init__(
        self,
        config: str | Config = "cleaneval",
        c1: float | None = None,
        c2: float | None = None,
        max_iterations: int | None = None,
    ):
        self.config = config
        self.c1 = c1
        self.c2 = c2
        self.max_iterations = max_iterations

    def fit(self, pages: Sequence[Page | str | bytes], labels: Sequence[Sequence[Label | str | None]]) -> Self:
        """Train on one label per block, or None for a block without a label."""
        config = self._config()
        annotated = [
            AnnotatedPage(_page(page, config), [None if label is None else Label(label) for label in of_page])
            for page, of_page in zip(pages, labels, strict=True)
        ]
        self.model_: Model = train(annotated, config)
        self.classes_ = [label.value for label in LABELS]
        return self

    def predict(self, pages: Sequence[Page | str | bytes]) -> list[list[str]]:
        """The label of every block of every page."""
        return [[label.value for label in self._fitted.label(page)] for page in self._pages(pages)]

    def predict_marginals(self, pages: Sequence[Page | str | bytes]) -> list[list[dict[str, float]]]:
        """The probability of every label of every block."""
        tables = (self._fitted.marginals(page) for page in self._pages(pages))
        return [[dict(zip(self.classes_, row, strict=True)) for row in table.tolist()] for table in tables]

    def score(self, pages: Sequence[Page | str | bytes], labels: Sequence[Sequence[Label | str | None]]) -> float:
        """The share of labeled blocks with the right label."""
        pairs = [
            (ours, str(theirs))
            for page, of_page in zip(self.predict(pages), labels, strict=True)
            for ours, theirs in zip(page, of_page, strict=True)
            if theirs is not None
        ]
        return sum(ours == theirs for ours, theirs in pairs) / len(pairs) if pairs else 0.0

    @property
    def _fitted(self) -> Model:
        check_is_fitted(self, "model_")
        return self.model_

    def _pages(self, pages: Sequence[Page | str | bytes]) -> list[Page]:
        return [_page(page, self._fitted.config) for page in pages]

    def _config(self) -> Config:
        config = load(self.config) if isinstance(self.config, str) else self.config
        given = {"c1": self.c1, "c2": self.c2, "max_iterations": self.max_iterations}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return replace(config, crf=replace(config.crf, **changes))


def _page(page: Page | str | bytes, config: Config) -> Page:
    return page if isinstance(page, Page) else segment(page, markup=config.markup)
