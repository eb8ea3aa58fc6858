"""victor learn labeler"""

import argparse
from pathlib import Path
from typing import get_args

from victorpy.cli.commands.train import folder_of
from victorpy.errors import UsageError
from victorpy.features.language.folders import save
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable
from victorpy.foundation.yaml_options import dump
from victorpy.labelers.survey import Setting
from victorpy.models.survey_learning import Lessons, clean_and_dirty_models
from victorpy.output.destination import write_text_to
from victorpy.pipeline.survey_lessons import TAUGHT, lessons_in

_TWO_MODELS = "stupidos"
_NAMES = sorted([*TAUGHT, _TWO_MODELS])


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("labeler", choices=_NAMES, metavar="LABELER", help=", ".join(_NAMES))
    parser.add_argument("--on", nargs="+", required=True, metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="OUTPUT",
        help="a .yaml file (-: standard output); of stupidos NAME for the language models NAME-clean and NAME-dirty",
    )
    parser.add_argument(
        "--setting", default="best", choices=get_args(Setting), metavar="NAME", help="best or letter (best)"
    )
    parser.add_argument("--source", default="", metavar="TEXT", help="source of the pages, for the card")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the pages, for the card")


def run(options: argparse.Namespace) -> int:
    learn = _learn_two if options.labeler == _TWO_MODELS else _learn_one
    _check_output(options)
    learn(lessons_in(options.on, options.source, options.licence), options)
    return FINE


def _check_output(options: argparse.Namespace) -> None:
    """Reports a wrong output before anything is learned."""
    if options.labeler == _TWO_MODELS:
        return
    if options.output != "-":
        if not options.output.endswith(".yaml"):
            raise UsageError(f"--output: expected a .yaml file or -, got '{options.output}'")
        check_writable(Path(options.output).parent)


def _learn_one(lessons: Lessons, options: argparse.Namespace) -> None:
    write_text_to(options.output, dump(TAUGHT[options.labeler](lessons, options.setting, "")))


def _learn_two(lessons: Lessons, options: argparse.Namespace) -> None:
    for model, kind in zip(clean_and_dirty_models(lessons), ("clean", "dirty"), strict=True):
        folder = folder_of("language-models", f"{options.output}-{kind}")
        check_writable(folder)
        save(model, folder)
        print(folder)
