"""The known ways to clean a page, by name: labelers that nobody has to train, whose fields are their options."""

from collections.abc import Mapping

from victorpy.labelers import Labeler
from victorpy.labelers.bte import BTE
from victorpy.labelers.density import Density
from victorpy.labelers.everything import Everything

LABELERS: Mapping[str, type[Labeler]] = {
    "bte": BTE,
    "density": Density,
    "everything": Everything,
}
