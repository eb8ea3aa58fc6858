"""The known ways to clean a page, by name: labelers that nobody has to train, whose fields are their options."""

from collections.abc import Mapping

from victorpy.labelers import Labeler
from victorpy.labelers.everything import Everything

LABELERS: Mapping[str, type[Labeler]] = {
    "everything": Everything,
}
