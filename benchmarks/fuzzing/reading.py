"""What all targets share: where they write what is to be read, and what it means that a reader refuses it."""

import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from fuzzing import pages
from fuzzing.mutation import Fragments, chance_of, markup
from fuzzing.promises import promise
from victorpy.annotation import anno_files
from victorpy.errors import VictorError
from victorpy.page.segment import segment
from victorpy.pipeline import cleaner

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(tempfile.mkdtemp(prefix="victorpy-fuzz-"))

# Between the files of an input that stands for several.
SEPARATOR = b"\n=====\n"


class Target(NamedTuple):
    """`check` raises for whatever should not be; what the reader refuses as it should, it keeps to itself.

    Targets of one `kind` share what was found to reach new code.
    """

    check: Callable[[bytes], None]
    seeds: Callable[[], list[bytes]]
    fragments: Fragments = markup
    kind: str = ""
    # Random bytes of which something is built; there is no sense in tearing them.
    is_chance: bool = False


def clear() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)


def written(name: str, data: bytes) -> Path:
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def refused(read: Callable[[], Any], *, has_place: bool = True) -> Any:
    """What was read, or None where it was refused as it should be."""
    try:
        return read()
    except VictorError as error:
        is_placed = error.place is not None or str(FOLDER) in str(error) or "PLACE" in str(error)
        promise(is_placed or not has_place, f"an error without a place: {error}")
        return None


def as_text(data: bytes) -> str:
    """Seldom with half surrogates, as other programs may hand them over."""
    text = data.decode("utf-8", "replace")
    return text.replace("x", "\ud800") if chance_of(data).random() < 0.1 else text


def files(folder: str, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / folder).glob(pattern))]


def chances() -> list[bytes]:
    return [bytes([number]) * 4 for number in range(8)]


def page_seeds() -> list[bytes]:
    chance = Random(1)
    own = [*files("examples", "*.html"), *files("tests/blogs", "*.html"), *_cases()]
    labeled = [anno_files.read(path).html.encode() for path in sorted((ROOT / "annotations").glob("*.anno"))]
    made = [pages.encoded(chance, pages.page(chance)) for _ in range(60)]
    return [page for page in (*own, *labeled, *made) if len(page) <= 1 << 16]


def _cases() -> list[bytes]:
    return [case.partition(b"=== page\n")[2].partition(b"\n=== ")[0] for case in files("tests/cases", "*.case")]


@cache
def small_page() -> Any:
    return segment((ROOT / "examples" / "news-en.html").read_bytes()[:4_000])


cleaner_of = cache(cleaner.load)
