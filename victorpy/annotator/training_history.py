"""The scores of earlier trainings, in a file beside the model."""

from pathlib import Path
from typing import NamedTuple

from victorpy.errors import VictorError
from victorpy.foundation.files import read_text, write_text

MODEL, HISTORY = "model", "scores.tsv"

_HEAD = "pages\tblocks\tword_f1\tbefore"


class PastScore(NamedTuple):
    """The score of an earlier training, with the number of pages and blocks labeled then."""

    pages: int
    blocks: int
    word_f1: float
    before: float | None = None


def read_history(path: Path) -> list[PastScore]:
    if not path.exists():
        return []
    try:
        rows = [line.split("\t") for line in read_text(path).splitlines()[1:]]
        return [
            PastScore(int(pages), int(blocks), float(score), *map(float, filter(None, before)))
            for pages, blocks, score, *before in rows
        ]
    except ValueError as error:
        raise VictorError("not a history of scores: remove the file to start a new one", path) from error


def append(past: PastScore, path: Path) -> None:
    """Append the score, or replace the last one if pages and blocks are the same."""
    known = read_history(path)
    kept = known[:-1] if known and known[-1][:2] == past[:2] else known
    lines = [_HEAD, *("\t".join("" if value is None else str(value) for value in row) for row in (*kept, past))]
    write_text(path, "".join(f"{line}\n" for line in lines))
