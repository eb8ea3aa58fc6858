"""Options that several commands share."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from victorpy.errors import UsageError, VictorError

BIASES = {"precision": -1.0, "recall": 1.0}


def add_decoding(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--decode", choices=("viterbi", "expected-f1"), help="how labels are chosen (as the model's config says)"
    )
    parser.add_argument(
        "--bias",
        type=_bias,
        metavar="precision|recall|NUMBER",
        help="keep less (precision, -1) or more (recall, 1) than the model would",
    )


def decoding_changes(options: argparse.Namespace) -> dict[str, Any]:
    """What the options change of a model's decoding."""
    changes = {"method": options.decode, "bias": options.bias}
    return {name: value for name, value in changes.items() if value is not None}


def _bias(word: str) -> float:
    try:
        bias = BIASES[word] if word in BIASES else float(word)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{word}' is neither precision nor recall nor a number") from None
    if not -100 <= bias <= 100:
        raise argparse.ArgumentTypeError(f"{word} is not between -100 and 100")
    return bias


def jobs_number(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"'{word}' is no number of processes; 1 or more is wanted")
    return int(word)


def single_page(name: str) -> str:
    """The text of the one page that an option names."""
    from victorpy.decode import decode  # noqa: PLC0415
    from victorpy.sources import find_pages, read_page  # noqa: PLC0415

    pages = find_pages([name])
    if len(pages) != 1:
        raise UsageError(f"a folder of {len(pages)} pages, where one page is wanted", name)
    page = read_page(pages[0])
    if page.data is None:
        raise VictorError(page.problem, name)
    return decode(page.data).text


def annotation_files(names: Sequence[str]) -> list[Path]:
    """The .anno files that are named, or lie in the folders that are named."""
    files = [path for name in names for path in _annotations_in(Path(name))]
    return list(dict.fromkeys(files))


def _annotations_in(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError("no such file or folder", path)
    found = sorted(path.rglob("*.anno"))
    if not found:
        raise UsageError("no .anno file in this folder", path)
    return found
