"""A page as a report shows it: cleaned, beside its gold or what another system keeps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from victorpy.annotation import text_scores
from victorpy.annotation.alignment import project
from victorpy.annotation.anno_files import Annotation, labeled_page
from victorpy.annotation.gold_texts import GOLD_FORMATS, likely_format
from victorpy.annotation.text_scores import Score
from victorpy.foundation.files import read_text
from victorpy.foundation.processes import Limits
from victorpy.models.model_folder import Model
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.page.blocks import Label
from victorpy.page.passages import passages
from victorpy.page.plain_text import html_of
from victorpy.pipeline.cleaner import Cleaner
from victorpy.reporting.block_marks import Mark, kept_blocks, kept_by_other, marks_of
from victorpy.reporting.label_reasons import LabelReason, label_reason, most_doubtful
from victorpy.sources import RawPage

_LIMITS = Limits(seconds=60.0)


@dataclass(frozen=True, kw_only=True)
class ReportedPage:
    """`theirs` is the gold text, or the text of the other system. `problem` says why a page could not be read."""

    id: str
    path: str
    cleaned: Cleaned | None = None
    marks: Sequence[Mark] = ()
    theirs: str | None = None
    score: Score | None = None
    gold: Sequence[Label | None] | None = None
    reasons: Mapping[int, LabelReason] = field(default_factory=dict)
    problem: str = ""

    @property
    def text(self) -> str:
        return cleaneval(self.cleaned) if self.cleaned else ""

    @property
    def status(self) -> str:
        return self.cleaned.status if self.cleaned else "unreadable"

    @property
    def figure(self) -> float | None:
        """What pages are sorted by: the F1 of their words or, without a second side, the confidence."""
        if self.score:
            return self.score.f1
        return self.cleaned.confidence if self.cleaned else None


@dataclass(frozen=True, kw_only=True)
class Reporter:
    """Makes reported pages. `gold` is a folder of texts ID.txt, `other` another system, and `explains` the number of
    blocks of a page that `model` explains."""

    cleaner: Cleaner
    model: Model | None = None
    other: Cleaner | None = None
    gold: Path | None = None
    explains: int = 0

    def of_raw(self, page: RawPage) -> ReportedPage:
        if page.data is None:
            return ReportedPage(id=page.id, path=page.path, problem=page.problem)
        html = html_of(page.data, page.charset) if page.is_text else page.data
        cleaned = self.cleaner.clean(html, page.url, page.id, page.charset, is_xml=page.is_xml, limits=_LIMITS)
        gold = self._gold_text(page.id)
        if gold is None:
            return self._of_two(page.path, cleaned, html)
        labels = project(cleaned.page, GOLD_FORMATS[likely_format(gold)](gold)).labels
        return self._with_gold(page.path, cleaned, labels, gold)

    def of_annotation(self, annotation: Annotation, path: str) -> ReportedPage:
        cleaned = self.cleaner.clean(annotation.html, annotation.url, annotation.id or Path(path).stem, limits=_LIMITS)
        if self.other:
            return self._of_two(path, cleaned, annotation.html)
        page, labels, _ = labeled_page(annotation, self.cleaner.markup)
        found = passages(page, [label or Label.OTHER for label in labels])
        gold = "".join(f"<{passage.label}> {passage.text}\n" for passage in found)
        return self._with_gold(path, cleaned, labels if len(page) == len(cleaned.labels) else None, gold)

    def _gold_text(self, id: str) -> str | None:
        path = self.gold and self.gold / f"{id}.txt"
        return read_text(path) if path and path.exists() else None

    def _with_gold(self, path: str, cleaned: Cleaned, labels: Sequence[Label | None] | None, gold: str) -> ReportedPage:
        keeps = None if labels is None else [None if label is None else label.is_content for label in labels]
        return self._reported(path, cleaned, keeps, gold, labels)

    def _of_two(self, path: str, cleaned: Cleaned, html: bytes | str) -> ReportedPage:
        if not self.other:
            return self._reported(path, cleaned, None, None)
        other = self.other.clean(html, cleaned.url, cleaned.page.id, limits=_LIMITS)
        return self._reported(path, cleaned, kept_by_other(cleaned.page, other), cleaneval(other))

    def _reported(
        self,
        path: str,
        cleaned: Cleaned,
        theirs: Sequence[bool | None] | None,
        text: str | None,
        gold: Sequence[Label | None] | None = None,
    ) -> ReportedPage:
        marks = marks_of(kept_blocks(cleaned), theirs)
        return ReportedPage(
            id=cleaned.page.id,
            path=path,
            cleaned=cleaned,
            marks=marks,
            theirs=text,
            score=None if text is None else text_scores.words(cleaneval(cleaned), text),
            gold=gold,
            reasons=dict(self._reasons(cleaned, marks)),
        )

    def _reasons(self, cleaned: Cleaned, marks: Sequence[Mark]) -> Iterator[tuple[int, LabelReason]]:
        if self.model is None or not self.explains:
            return
        first = (number for number, mark in enumerate(marks) if mark in {"extra", "missed"})
        for block in most_doubtful(cleaned.probabilities, first, self.explains):
            yield block, label_reason(self.model, cleaned.page, block)
