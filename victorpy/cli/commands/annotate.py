"""victor annotate"""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from victorpy.annotation.anno_files import read
from victorpy.annotation.realignment import realigned
from victorpy.annotator import keys
from victorpy.annotator.controller import Controller, Settings
from victorpy.annotator.keys import Keys
from victorpy.annotator.page_queue import QueuedPage, queued_pages, resume_number
from victorpy.annotator.session import Labels
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FINE
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.config import Config
from victorpy.page.blocks import Page
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

if TYPE_CHECKING:
    from victorpy.annotator.training_task import TrainingTask

_RETRAINED = "retrained"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a page (HTML or .anno) and, if you like, its .anno file; or a folder of pages",
    )
    parser.add_argument("-o", "--output", metavar="PATH", help="folder for the .anno files (beside the pages)")
    parser.add_argument("-m", "--model", help="name or folder of a model that suggests labels")
    parser.add_argument(
        "--order",
        choices=("page", "uncertain"),
        default="page",
        metavar="ORDER",
        help="Tab goes to the next block (page) or to the least certain one (uncertain)",
    )
    parser.add_argument(
        "-c",
        "--config",
        help="name or file of the config that cuts pages and trains models (from the model, or else cleaneval)",
    )
    parser.add_argument("--annotator", default="", metavar="NAME", help="your name in the .anno files")
    parser.add_argument("--keys", metavar="FILE", help=f"a YAML file of keys ({keys.default_file()})")
    parser.add_argument(
        "--review",
        nargs=2,
        metavar=("A", "B"),
        help="choose between the labels of two annotators: .anno files, or folders of them",
    )


def run(options: argparse.Namespace) -> int:
    pages = _reviewed(options) if options.review else _entries(options.paths, options.output)
    check_terminal()
    model = model_folder.load(options.model) if options.model else None
    config = model.config if model and not options.config else configs.load(options.config or "cleaneval")
    settings = Settings(
        _keys(options.keys),
        config.markup,
        config.label_set,
        model,
        options.order,
        options.annotator,
        partial(_sides, Path(options.review[0]), Path(options.review[1])) if options.review else None,
        None if options.review else partial(_retraining, config, pages[0].anno.parent),
    )
    annotate(pages, settings)
    return FINE


def annotate(pages: Sequence[QueuedPage], settings: Settings) -> None:
    """Has a person label the pages, from where they were left."""
    from victorpy.annotator import app  # noqa: PLC0415 - prompt_toolkit is for this command alone

    with _messages_kept_back():
        controller = Controller(pages, settings, resume_number(pages))
        app.run(controller)
    for entry in controller.visited:
        if entry.anno.exists():
            print(f"{entry.anno}: {entry.labeled} of {entry.blocks} blocks labeled")


def check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "labels are given in a terminal, and this is none; `victor clean -f anno` makes files for an editor"
        )


@contextmanager
def _messages_kept_back() -> Iterator[None]:
    """They would be written across the screen."""
    root, kept = logging.getLogger(), _Kept()
    handlers, root.handlers = root.handlers, [kept]
    try:
        yield
    finally:
        root.handlers = handlers
        for record in kept.records:
            root.handle(record)


class _Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


def _keys(file: str | None) -> Keys:
    if file and not Path(file).exists():
        raise UsageError("no such file", file)
    path = Path(file) if file else keys.default_file()
    return keys.load(path) if path.exists() else keys.STANDARD


# What is labeled, and where the labels go


def _entries(paths: Sequence[str], output: str | None) -> list[QueuedPage]:
    if not 1 <= len(paths) <= 2:
        raise UsageError("a page, a page and its .anno file, or a folder of pages is wanted")
    source = Path(paths[0])
    if len(paths) == 1 and source.is_dir():
        return queued_pages(source, Path(output) if output else None)
    if len(paths) == 2 and (source.is_dir() or output):
        raise UsageError("the .anno file of a page is named, or a folder for them with -o", paths[1])
    return [_single(source, paths[1] if len(paths) == 2 else None, output)]


def _single(source: Path, anno: str | None, output: str | None) -> QueuedPage:
    is_annotation = source.suffix in ANNOTATION_SUFFIXES
    if not source.exists() and (is_annotation or not (anno and Path(anno).exists())):
        raise UsageError("no such file or folder", source)
    if is_annotation and not anno and not output:
        return QueuedPage(source.stem, None, source, "open", 0, 0)
    id = find_pages([str(source)])[0].id if source.exists() else source.stem
    beside = Path(output or source.parent, f"{id}.anno")
    if output and output.endswith(ANNOTATION_SUFFIXES):
        beside = Path(output)
    return QueuedPage(id, source, Path(anno) if anno else beside, "open", 0, 0)


def _reviewed(options: argparse.Namespace) -> list[QueuedPage]:
    """The pages that both annotators have, each with the file of what is decided."""
    one, two = map(Path, options.review)
    if options.paths:
        raise UsageError("a review is of two annotators' files, and of no other pages", options.paths[0])
    if not options.output:
        raise UsageError("--review needs -o: where the decided labels go")
    if one.is_dir() and two.is_dir():
        return _reviewed_folders(one, two, Path(options.output))
    for path in (one, two):
        _check_annotation(path)
    return [_single(one, None, options.output)]


def _check_annotation(path: Path) -> None:
    if path.suffix not in ANNOTATION_SUFFIXES:
        raise UsageError("not an .anno file", path)
    if not path.exists():
        raise UsageError("no such file", path)


def _reviewed_folders(one: Path, two: Path, output: Path) -> list[QueuedPage]:
    found = find_pages([str(one)], ANNOTATION_SUFFIXES)
    names = [Path(location.path).relative_to(one) for location in found]
    shared = [name for name in names if (two / name).exists()]
    if not shared:
        raise UsageError(f"no .anno file here has the name of one in {one}", two)
    annos = (
        {entry.anno: entry for entry in queued_pages(output)} if output.is_dir() and any(output.rglob("*.anno")) else {}
    )
    return [
        annos.get(output / name, QueuedPage(str(name.with_suffix("")), None, output / name, "open", 0, 0))._replace(
            source=one / name
        )
        for name in shared
    ]


def _sides(one: Path, two: Path, entry: QueuedPage, page: Page) -> tuple[Labels, Labels]:
    """What the two annotators gave each block."""
    if one.is_dir() and entry.source:
        two /= entry.source.relative_to(one)
        one = entry.source
    annotations = read(one), read(two)
    left, right = (tuple(realigned(given.texts, given.labels, page.texts)[0]) for given in annotations)
    return left, right


def _retraining(config: Config, folder: Path, files: Sequence[Path]) -> "TrainingTask":
    from victorpy.annotator.training_task import TrainingTask  # noqa: PLC0415 - heavy, and few sessions train

    return TrainingTask(files, config, folder / _RETRAINED)
