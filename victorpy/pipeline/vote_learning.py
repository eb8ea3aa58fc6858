"""Learn the weights of labelers that vote from annotated files."""

from collections.abc import Sequence
from pathlib import Path

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.foundation.progress import shown
from victorpy.labelers.merge import Merge, learned
from victorpy.pipeline.cleaner import untrained
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages


def merged(merge: Merge, names: Sequence[str]) -> Merge:
    """The same labeler with weights learned from .anno files and folders of them."""
    markup = untrained(merge).markup
    files = find_pages(names, ANNOTATION_SUFFIXES)
    pages = (labeled_page(read(Path(file.path)), markup)[:2] for file in shown(files, len(files), "pages"))
    return learned(merge, pages)
