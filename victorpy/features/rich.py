"""What boosted trees see of a block: raw figures of its text, of the parts around it, of its page."""

from victorpy.features import around, blocks, containers, densest, inside, paths, wholes
from victorpy.features.rows import Row, rows

GROUPS: dict[str, dict[str, Row]] = {
    "block": rows(blocks.NAMES, blocks.own),
    "part": rows(containers.NAMES, containers.containers),
    "inside": rows(inside.NAMES, inside.inside),
    "page": rows(wholes.NAMES, wholes.wholes),
    "core": rows(densest.NAMES, densest.core),
    "around": rows(around.NAMES, around.around),
    "path": rows(paths.NAMES, paths.paths),
}
RICH: tuple[str, ...] = tuple(name for group in GROUPS.values() for name in group)
