"""The written pages of annotations/written: pages of our own whose source says which text is content in which scope.

An element's attribute `k="KIND:SCOPES"` marks the text in it, up to elements with marks of their own. KIND is the
label, h, p or l; SCOPES are the letters of the scopes in which the text is content. An empty mark makes text noise
again. annotations/written/README.md has the guidelines.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from field_marks import Fields, comment_marks

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import VictorError
from victorpy.labelers.markup_kinds import continuations
from victorpy.page.blocks import Label, Page
from victorpy.page.markup import Markup
from victorpy.page.segment import segment

FOLDER = Path(__file__).parent.parent / "annotations" / "written"

SCOPES = {"P": "page", "C": "corpus", "A": "article", "D": "discussion"}

_MARK = re.compile(r"""\s+k=(?:"[^"]*"|'[^']*')""")
_CONTENT = re.compile(f"[hpl]:[{''.join(SCOPES)}]+")
_NOISE = ""


class WrittenPage(NamedTuple):
    """A page without its marks, and the mark that holds for each block."""

    page: Page
    marks: Sequence[str]

    def labels(self, scope: str) -> list[Label]:
        """The labels for a scope, given by its letter."""
        return [self._label(block, scope) for block in range(len(self.marks))]

    def _label(self, block: int, scope: str) -> Label:
        kind, _, scopes = self.marks[block].partition(":")
        if scope not in scopes:
            return Label.OTHER
        continues = continuations(self.page)[block] and self.marks[block] == self.marks[block - 1]
        return Label.CONTINUATION if continues else Label(kind)

    def annotated(self) -> Iterator[AnnotatedPage]:
        """The page with the labels of its scopes; scopes with the same labels share one."""
        by_scope = {scope: self.labels(letter) for letter, scope in SCOPES.items()}
        by_scope["auto"] = by_scope["page"]
        ordered = sorted(by_scope.items(), key=lambda pair: pair[1])
        for labels, scopes in groupby(ordered, key=lambda pair: pair[1]):
            yield AnnotatedPage(self.page, labels, scopes=tuple(scope for scope, _ in scopes), fields=self.fields())

    def fields(self) -> Fields:
        """The comments below an article: what people said of it and is no part of it. In threads all are posts."""
        article, discussion = self.labels("A"), self.labels("D")
        return comment_marks(article, discussion) if any(label.is_content for label in article) else {}


def read(path: Path, markup: Markup) -> WrittenPage:
    """The page of a file; marks that are neither content nor noise are an error."""
    source = path.read_text("utf-8")
    marked = segment(source, path.stem, markup=markup)
    marks = _nearest_marks(marked, path)
    page = segment(_MARK.sub("", source), path.stem, markup=markup)
    if page.texts != marked.texts:
        raise VictorError("the page has other blocks without its marks", path)
    return WrittenPage(page, marks)


def _nearest_marks(page: Page, path: Path) -> list[str]:
    """The mark of the nearest marked element around each block."""
    own, parents, around = page.core.attributes("k"), page.elements.parents.tolist(), list[str]()
    for mark, parent in zip(own, parents, strict=True):
        if mark and not _CONTENT.fullmatch(mark):
            raise VictorError(f'k="{mark}": expected a kind and scopes, such as "p:{"".join(SCOPES)}"', path)
        around.append((around[parent] if around else _NOISE) if mark is None else mark)
    runs = page.runs
    elements = dict(zip(reversed(runs.block.tolist()), reversed(runs.element.tolist()), strict=True))
    return [around[elements[block]] for block in range(len(page))]


def written_pages(markup: Markup, folder: Path = FOLDER) -> Iterator[WrittenPage]:
    return (read(path, markup) for path in sorted(folder.glob("*.html")))
