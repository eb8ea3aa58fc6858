"""victor compare"""

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from victorpy.cli.commands.evaluate import cleaned_texts, labeled_pages
from victorpy.cli.validation_options import (
    add_plot,
    add_printing,
    add_validation,
    annotated_files,
    bootstrap_of,
    check_plot,
    facts_of,
    gold_texts_of,
    print_table,
    validation_of,
)
from victorpy.errors import UsageError
from victorpy.evaluation.comparison import compare
from victorpy.evaluation.scoring import FIGURES, Texts, folder_texts, read_kinds, scores_table, table_of_texts, texts_in
from victorpy.evaluation.validation import annotated_texts, page_ids
from victorpy.foundation.digests import data_digest
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import read_text
from victorpy.foundation.resources import available, find
from victorpy.labelers.registry import LABELERS
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.config import Config, config_digest, labeler
from victorpy.models.core_networks import CARD
from victorpy.page.markup import Markup
from victorpy.pipeline.cleaner import Cleaner, cleaner, untrained
from victorpy.sources import ANNOTATION_SUFFIXES


class System(NamedTuple):
    """What is compared: where its scores come from, the markup it knows, if any, and a digest of what it is."""

    scores: Callable[["Pages"], pd.DataFrame]
    markup: Markup | None
    digest: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "systems",
        nargs="*",
        metavar="SYSTEM",
        help="a model, a labeler or a folder of cleaned texts; the first is the yardstick",
    )
    parser.add_argument("--xval", nargs="+", default=(), metavar="CONFIG", help="and these configs, cross-validated")
    parser.add_argument(
        "--on", nargs="+", default=(), metavar="INPUT", help="annotated pages (.anno), or with --gold HTML pages"
    )
    parser.add_argument("--by", choices=("kind",), help="compare on each kind as well")
    parser.add_argument(
        "--figure", nargs="+", choices=FIGURES, default=["word_f1"], metavar="NAME", help="as in evaluate (word_f1)"
    )
    add_validation(parser)
    add_printing(parser)
    add_plot(parser)


def run(options: argparse.Namespace) -> int:
    check_plot(options)
    systems = _systems(options)
    pages = Pages(options, [system.markup for system in systems.values()])
    tables = {name: system.scores(pages) for name, system in systems.items()}
    results = {figure: compare(tables, figure, options.by, bootstrap_of(options)) for figure in options.figure}
    digests = {name: system.digest for name, system in systems.items()}
    print_table(pd.concat(results, names=["figure"]), options, facts_of(options, pages.digest, systems=digests))
    if options.plot:
        from victorpy.evaluation import plots  # noqa: PLC0415

        plots.save(plots.comparison(results[options.figure[0]], options.figure[0]), Path(options.plot))
    return FINE


def _systems(options: argparse.Namespace) -> dict[str, System]:
    names = [*options.systems, *options.xval]
    if len(names) < 2:
        raise UsageError("two systems or more are wanted: models, folders of texts, or configs (--xval)")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise UsageError(f"'{twice[0]}' is named twice")
    found = {name: _found(name) for name in options.systems}
    return found | {name: _validated(configs.load(name)) for name in options.xval}


def _found(name: str) -> System:
    """Of one name a model goes before a labeler, and both before a folder; a config names a labeler and its options."""
    if Path(name).suffix == ".yaml" or (name in LABELERS and name not in available("models")):
        return _untrained(name)
    return _model(name) if _is_model(name) else _folder(Path(name))


def _is_model(name: str) -> bool:
    return name in available("models") or not Path(name).is_dir() or Path(name, CARD).exists()


def _model(name: str) -> System:
    if not Path(name).exists():
        find("models", name)  # says what is meant, if nothing has this name
    model = model_folder.load(name)
    return System(lambda pages: pages.labeled_by(cleaner(model), name), model.config.markup, f"sha256:{model.digest}")


def _untrained(name: str) -> System:
    found = untrained(labeler(name))
    return System(lambda pages: pages.labeled_by(found, name), found.markup, found.model)


def _folder(folder: Path) -> System:
    digest = data_digest(texts_in(folder).values())
    return System(lambda pages: pages.printed_in(folder), None, digest)


def _validated(config: Config) -> System:
    return System(lambda pages: pages.validated(config), config.markup, config_digest(config))


class Pages:
    """What systems are compared on: annotated pages, or HTML pages and gold texts, or gold texts alone."""

    def __init__(self, options: argparse.Namespace, markups: Sequence[Markup | None]):
        self.options = options
        self.gold = Path(options.gold) if options.gold else None
        if not (self.gold or options.on):
            raise UsageError("--on: annotated pages are wanted, or with --gold a folder of gold texts")
        if options.by and not options.kinds:
            raise UsageError("--by kind: a table of the kinds of the pages is wanted (--kinds)")
        self.is_annotated = not self.gold or bool(options.xval) or _holds_annotations(options.on)
        self.is_cut_alike = None not in markups and all(markup == markups[0] for markup in markups)

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        return read_kinds(Path(self.options.kinds)) if self.options.kinds else {}

    @cached_property
    def files(self) -> tuple[Path, ...]:
        return annotated_files(self.options.on)

    @cached_property
    def texts(self) -> dict[str, str]:
        """What annotated pages should print: where nobody wrote it, and systems cut differently, all are held to the
        page as it was annotated."""
        return gold_texts_of(self.options, self.files) or ({} if self.is_cut_alike else annotated_texts(self.files))

    @property
    def digest(self) -> str:
        gold = list(texts_in(self.gold).values()) if self.gold else []
        return data_digest([*(self.files if self.is_annotated else ()), *gold])

    def labeled_by(self, cleaner: Cleaner, name: str) -> pd.DataFrame:
        if self.gold and not self.is_annotated:
            return self._cleaned_by(cleaner, self.gold, name)
        pages = labeled_pages(cleaner, self.options.on, self.kinds)
        labeled = [page._replace(id=id) for id, page in zip(page_ids(self.files), pages, strict=True)]
        if self.texts:
            labeled = [page._replace(gold_text=self.texts[page.id]) for page in labeled]
        return scores_table(labeled, self.options.jobs, self.options.figure)

    def _cleaned_by(self, cleaner: Cleaner, gold: Path, name: str) -> pd.DataFrame:
        if not self.options.on:
            raise UsageError(f"--on: '{name}' wants the HTML pages of the gold texts")
        return self._of_texts(cleaned_texts(cleaner, self.options.on, gold, self.kinds))

    def printed_in(self, folder: Path) -> pd.DataFrame:
        if self.gold and not self.is_annotated:
            return self._of_texts(folder_texts(folder, self.gold, self.kinds))
        printed = texts_in(folder)
        if not printed.keys() & self.texts.keys():
            first = next(iter(self.texts))
            raise UsageError(f"none of these texts has the name of an annotated page, such as {first}", folder)
        texts = (
            Texts(id, read_text(printed[id]) if id in printed else "", gold, self.kinds.get(id, ""))
            for id, gold in self.texts.items()
        )
        return self._of_texts(texts)

    def _of_texts(self, texts: Iterable[Texts]) -> pd.DataFrame:
        return table_of_texts(texts, self.options.jobs, self.options.figure)

    def validated(self, config: Config) -> pd.DataFrame:
        return validation_of(self.options, self.files, self.texts).scores(config)


def _holds_annotations(names: Sequence[str]) -> bool:
    ending = ANNOTATION_SUFFIXES[0]
    return any(name.endswith(ending) or any(Path(name).rglob(f"*{ending}")) for name in names)
