"""A labeled page to correct by hand and to train on."""

from victorpy.annotation.anno_files import annotation_of, dumps
from victorpy.output.cleaned import Cleaned


def anno(cleaned: Cleaned) -> str:
    return dumps(annotation_of(cleaned.page, cleaned.source, cleaned.detailed_labels))
