"""A labeled page to correct by hand and to train on."""

from victorpy.annotations import annotation_of, dumps
from victorpy.cleaned import Cleaned


def anno(cleaned: Cleaned) -> str:
    return dumps(annotation_of(cleaned.page, cleaned.html, cleaned.told))
