"""Teaches learned labelers of the survey from annotated files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from victorpy.annotation.anno_files import AnnotatedPage, labeled_page, read
from victorpy.foundation.progress import shown
from victorpy.labelers.survey import Setting
from victorpy.models.survey_learning import Lessons, block_tree_model, target_node_model
from victorpy.page.markup import BLOCKS
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

# The labelers whose model is one file of YAML.
TAUGHT: Mapping[str, Callable[[Lessons, Setting, str], Any]] = {
    "fiasco": target_node_model,
    "hofmann": block_tree_model,
}


def lessons_in(names: Sequence[str], source: str = "", licence: str = "") -> Lessons:
    """The pages of .anno files and folders of them, cut as labelers cut pages."""
    files = find_pages(names, ANNOTATION_SUFFIXES)
    pages = (labeled_page(read(Path(file.path)), BLOCKS)[:2] for file in shown(files, len(files), "pages"))
    return Lessons([AnnotatedPage(page, labels) for page, labels in pages], source, licence)
