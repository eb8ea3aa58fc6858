"""victor annotate"""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from victorpy.annotator import keys
from victorpy.annotator.chosen_pages import labels_of_both, pages_to_label, pages_to_review
from victorpy.annotator.controller import Controller, Settings
from victorpy.annotator.keys import Keys
from victorpy.annotator.page_queue import QueuedPage, resume_number
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.terminal import escaped_line
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.config import Config
from victorpy.models.defaults import DEFAULT_MODEL

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
    parser.add_argument("-m", "--model", help="name or folder of a model that suggests labels, and that t adapts")
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
        help=f"name or file of the config that cuts pages; t trains by it instead of adapting ({DEFAULT_MODEL})",
    )
    parser.add_argument("--annotator", default="", metavar="NAME", help="your name in the .anno files")
    parser.add_argument("--keys", metavar="FILE", help="a YAML file of keys (~/.config/victorpy/keys.yaml)")
    parser.add_argument(
        "--review",
        nargs=2,
        metavar=("A", "B"),
        help="choose between the labels of two annotators: .anno files, or folders of them",
    )


def run(options: argparse.Namespace) -> int:
    pages = _pages(options)
    check_terminal()
    model = model_folder.load(options.model) if options.model else None
    config = model.config if model and not options.config else configs.load(options.config or DEFAULT_MODEL)
    settings = Settings(
        _keys(options.keys),
        config.markup,
        config.label_set,
        model,
        options.order,
        options.annotator,
        partial(labels_of_both, Path(options.review[0]), Path(options.review[1])) if options.review else None,
        None if options.review else partial(_training, options, config, pages[0].anno.parent / _RETRAINED),
    )
    annotate(pages, settings)
    return FINE


def _pages(options: argparse.Namespace) -> list[QueuedPage]:
    if not options.review:
        return pages_to_label(options.paths, options.output)
    if options.paths:
        raise UsageError("--review takes no other pages", options.paths[0])
    if not options.output:
        raise UsageError("--review needs -o for the .anno files with the chosen labels")
    one, two = map(Path, options.review)
    return pages_to_review(one, two, Path(options.output))


def annotate(pages: Sequence[QueuedPage], settings: Settings) -> None:
    """Let a person label the pages, from the first unfinished one on."""
    from victorpy.annotator import app  # noqa: PLC0415 - only this command needs prompt_toolkit

    with _delayed_messages():
        controller = Controller(pages, settings, resume_number(pages))
        app.run(controller)
    for entry in controller.visited:
        if entry.anno.exists():
            print(f"{escaped_line(str(entry.anno))}: {entry.labeled} of {entry.blocks} blocks labeled")


def check_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("needs a terminal; to label in an editor, write .anno files with victor clean -f anno")


@contextmanager
def _delayed_messages() -> Iterator[None]:
    """Hold log messages back: they would appear in the middle of the screen."""
    root, kept = logging.getLogger(), _DelayingHandler()
    handlers, root.handlers = root.handlers, [kept]
    try:
        yield
    finally:
        root.handlers = handlers
        for record in kept.records:
            root.handle(record)


class _DelayingHandler(logging.Handler):
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


def _training(options: argparse.Namespace, config: Config, folder: Path, files: Sequence[Path]) -> "TrainingTask":
    from victorpy.annotator.training_task import TrainingTask  # noqa: PLC0415 - slow to import, and few sessions train

    origin = "" if options.config else options.model or DEFAULT_MODEL
    return TrainingTask(files, config, folder, origin)
