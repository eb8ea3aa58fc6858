"""Pages of the same thing over and over: whatever takes time or memory by the square of its length shows."""

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from fuzzing import pages
from fuzzing.mutation import LONGEST, chance_of
from fuzzing.promises import promise
from fuzzing.reading import Target, chances, cleaner_of
from victorpy.annotation import anno_files, gold_texts
from victorpy.annotation.alignment import project
from victorpy.annotator.block_source import source_of
from victorpy.features import FEATURES
from victorpy.features.table import matrix
from victorpy.labelers.registry import LABELERS
from victorpy.labelers.site import Site, SiteAgainst
from victorpy.models import config
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label
from victorpy.page.encoding import decode
from victorpy.page.markup import BLOCKS
from victorpy.page.passages import passages
from victorpy.page.segment import segment

# A format that is so much longer than its page is so for hostile pages only.
_LONGEST_OUTPUT = 100


def repeated(chance: Random) -> str:
    """A unit or two, each filling half of the page, between this and that."""
    pieces = [pages.piece(chance)[:500] for _ in range(chance.choice((0, 1, 2)))]
    units = ["".join(pages.part(chance) for _ in range(chance.choice((1, 1, 2, 3)))) for _ in range(2)]
    room = LONGEST - 2_000
    if chance.random() < 0.5:
        return "".join((*pieces, units[0] * (room // max(len(units[0]), 1)), *pieces))
    halves = (unit * (room // 2 // max(len(unit), 1)) for unit in units)
    return "".join((*pieces[:1], *halves, *pieces[1:]))


def _cleaned(html: str) -> Cleaned:
    return cleaner_of("everything").clean(html, "https://x.example/")


def _written(format: str, html: str) -> None:
    promise(len(FORMATS[format](_cleaned(html))) < _LONGEST_OUTPUT * LONGEST, f"{format}: far too long")


def _label(name: str, html: str) -> None:
    LABELERS[name]().labeling(segment(html, "x.example/y", markup=BLOCKS))


def _against(html: str) -> None:
    page, other = (segment(text, markup=BLOCKS) for text in (html, html[len(html) // 3 :]))
    SiteAgainst(Site(least_alike=0, starts_at_target=False), (other,)).labeling(page)


def _realigned(html: str) -> None:
    page, other = (segment(text) for text in (html, html[len(html) // 3 :]))
    found = anno_files.annotation_of(other, html, [Label.PARAGRAPH] * len(other))
    str(anno_files.labeled_page(anno_files.loads(anno_files.dumps(found)), page.markup)[2])


def _shown(html: str) -> None:
    page = segment(html)
    if len(page):
        source_of(page, html, len(page) - 1)


def _projected(kind: str, html: str) -> None:
    project(segment(html), gold_texts.GOLD_FORMATS[kind](html[len(html) // 3 :]))


@cache
def _steps() -> Mapping[str, Callable[[str], Any]]:
    steps: dict[str, Callable[[str], Any]] = {
        "against": _against,
        "cleaneval": lambda html: cleaner_of("cleaneval").clean(html),
        "decode": lambda html: decode(html.encode("latin-1", "replace")),
        "features": lambda html: matrix(segment(html, markup=BLOCKS), tuple(FEATURES), config.load("base").regexp),
        "passages": lambda html: passages(page := segment(html), [Label.CONTINUATION] * len(page)),
        "realigned": _realigned,
        "shown": _shown,
        "web": lambda html: cleaner_of("web").clean(html),
    }
    steps |= {f"labeler {name}": lambda html, name=name: _label(name, html) for name in LABELERS}
    steps |= {f"format {name}": lambda html, name=name: _written(name, html) for name in FORMATS}
    return steps | {f"gold {name}": lambda html, name=name: _projected(name, html) for name in gold_texts.GOLD_FORMATS}


def _check(data: bytes) -> None:
    chance = chance_of(data)
    name = chance.choice(sorted(_steps()))
    _steps()[name](repeated(chance))


REPEATED: dict[str, Target] = {"repeated": Target(_check, chances, is_chance=True)}
