"""A labeled page to correct by hand and to train on."""

from victorpy.annotations import annotation_of, dumps
from victorpy.cleaned import Cleaned


def anno(cleaned: Cleaned) -> str:
    if cleaned.page.texts and not cleaned.html:
        raise ValueError("an annotation holds the page itself: keep it in Cleaned.html")
    return dumps(annotation_of(cleaned.page, cleaned.html, cleaned.told))
