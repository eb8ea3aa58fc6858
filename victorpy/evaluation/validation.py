"""Scores of configs by cross-validation over the same folds, kept in a folder: what is unchanged is not done again."""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pandas as pd

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.annotation.page_groups import Membership
from victorpy.errors import VictorError
from victorpy.evaluation.experiment import cross_validate
from victorpy.evaluation.predictions import with_gold_texts
from victorpy.evaluation.scoring import Labeled, scores_table, texts_of
from victorpy.foundation.digests import data_digest, versions
from victorpy.foundation.files import read_text, write_text
from victorpy.models.config import Config, config_digest
from victorpy.page.blocks import Label
from victorpy.page.markup import Markup

log = logging.getLogger("victorpy")

_TEXTS = ("kind", "group")
_DIGITS = 16


@dataclass(frozen=True)
class Validation:
    """What the scores of several configs have in common: pages and folds.

    `gold_texts` say by the ids of the pages what should be printed; where there are none, the gold labels do.
    """

    files: tuple[Path, ...]
    count: int = 6
    seed: int = 0
    jobs: int = 2
    folder: Path | None = None
    members: Mapping[str, Membership] = field(default_factory=dict)
    gold_texts: Mapping[str, str] = field(default_factory=dict)

    def scores(self, config: Config) -> pd.DataFrame:
        """A row per page, from the folder if the same was scored before."""
        if not self.folder:
            return self._scored(config, None)
        home = self.folder / self.name_of(config)
        kept = home / self.scores_file
        if kept.exists():
            log.info("%s: scored before", home)
            return read_scores(kept)
        table = self._scored(config, home)
        write_text(kept, table.to_csv())
        return table

    def _scored(self, config: Config, home: Path | None) -> pd.DataFrame:
        found = cross_validate(self.files, config, self.count, self.seed, self.jobs, home, self.members)
        return scores_table((with_gold_texts(found, self.gold_texts) if self.gold_texts else found).pages, self.jobs)

    def name_of(self, config: Config) -> str:
        """Of the folder inside the folder: a digest of all that its predictions depend on."""
        common = (self.data, self.count, self.seed, sorted(self.members.items()), versions())
        return _digest(config_digest(config), *common)

    @cached_property
    def scores_file(self) -> str:
        """Its name says what else the scores depend on: what should be printed, and the libraries that compare."""
        return f"scores-{_digest(sorted(self.gold_texts.items()), versions())}.csv"

    @cached_property
    def data(self) -> str:
        return data_digest(self.files)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def read_scores(path: Path) -> pd.DataFrame:
    """A table of scores as it was written, to the last digit."""
    table = pd.read_csv(StringIO(read_text(path)), dtype=str, keep_default_na=False).set_index("id")
    kinds = scores_table([]).dtypes
    numbers = [name for name in kinds.index if name not in _TEXTS]
    if list(table.columns) != list(kinds.index):
        raise VictorError("the table of scores has other columns than today's: remove it, and it is made again", path)
    columns = {name: pd.Series(_numbers(table[name]), table.index, kinds[name]) for name in numbers}
    return table.assign(**columns)


def _numbers(column: "pd.Series[str]") -> list[float]:
    """Read by Python: the quick reader of pandas is off in the last digit."""
    return [float(cell or "nan") for cell in column]


def page_ids(files: Iterable[Path]) -> list[str]:
    """The ids that cross-validation gives the pages of these files."""
    seen = Counter[str]()
    ids = []
    for path in files:
        id = read(path).id or path.stem
        seen[id] += 1
        ids.append(id if seen[id] == 1 else f"{id}-{seen[id]}")
    return ids


def annotated_texts(files: Sequence[Path]) -> dict[str, str]:
    """What the labels print of each page, cut into blocks as it was when it was annotated."""
    return {id: _annotated_text(path) for id, path in zip(page_ids(files), files, strict=True)}


def _annotated_text(path: Path) -> str:
    annotation = read(path)
    page, labels, _ = labeled_page(annotation, Markup(mode=annotation.mode))
    return texts_of(Labeled(page.id, page, labels, [Label.OTHER] * len(page))).gold
