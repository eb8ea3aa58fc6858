"""The list of the pages of a report: a table with the worst first, filters, and plots."""

from collections.abc import Iterator, Sequence
from html import escape
from statistics import fmean
from typing import NamedTuple

from victorpy.output.escapes import in_one_line
from victorpy.reporting.page_views import Sides, mark_count, percent
from victorpy.reporting.reported_pages import ReportedPage
from victorpy.reporting.svg_plots import Point, histogram, scatter

# More points than this hide one another.
_MOST_POINTS = 1_500


class IndexRow(NamedTuple):
    """What the list says of a page; `score` holds F1, precision and recall."""

    number: int
    id: str
    title: str
    status: str
    figure: float | None
    score: tuple[float, float, float] | None
    confidence: float | None
    words: int
    wrong: int


def row_of(page: ReportedPage, number: int) -> IndexRow:
    cleaned = page.cleaned
    return IndexRow(
        number=number,
        id=in_one_line(page.id),
        title=in_one_line((cleaned and (cleaned.metadata.title or cleaned.title)) or ""),
        status=page.status,
        figure=page.figure,
        score=page.score and (page.score.f1, page.score.precision, page.score.recall),
        confidence=cleaned.confidence if cleaned else None,
        words=len(cleaned.text.split()) if cleaned else 0,
        wrong=mark_count(page, "extra", "missed"),
    )


def worst_first(rows: Sequence[IndexRow]) -> list[IndexRow]:
    """Pages without a figure come last."""
    return sorted(rows, key=lambda row: (row.figure is None, row.figure or 0.0, row.number))


def index_view(rows: Sequence[IndexRow], sides: Sides) -> str:
    ordered = worst_first(rows)
    has_scores = any(row.score for row in rows)
    name = f"word F1 with {sides.theirs}" if has_scores else "confidence"
    return (
        f'<section id="index" aria-labelledby="all"><h2 id="all" tabindex="-1">Pages, the worst first</h2>'
        f"{_summary(ordered, name)}{_plots(ordered, name, has_scores=has_scores)}{_filters(ordered)}"
        f"{_table(ordered, has_scores=has_scores)}</section>"
    )


def _summary(rows: Sequence[IndexRow], name: str) -> str:
    figures = [row.figure for row in rows if row.figure is not None]
    facts = {"pages": f"{len(rows):,}", **_statuses(rows)}
    if figures:
        facts |= {f"mean {name}": percent(fmean(figures)), "lowest": percent(min(figures))}
    cards = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())
    return f'<dl class="cards">{cards}</dl>'


def _statuses(rows: Sequence[IndexRow]) -> dict[str, str]:
    found = sorted({row.status for row in rows})
    return {status: f"{sum(row.status == status for row in rows):,}" for status in found}


def _plots(rows: Sequence[IndexRow], name: str, *, has_scores: bool) -> str:
    figures = [row.figure for row in rows if row.figure is not None]
    if len(figures) < 3:
        return ""
    plots = [histogram(figures, name)]
    points = [*_points(rows)][:_MOST_POINTS]
    if has_scores and points:
        plots.append(scatter(points, "does the model know when it is wrong?", "confidence", name))
    return f'<div class="plots">{"".join(plots)}</div>'


def _points(rows: Sequence[IndexRow]) -> Iterator[Point]:
    for row in rows:
        if row.score and row.confidence is not None:
            yield Point(row.confidence, row.score[0], row.number, row.title or row.id)


def _filters(rows: Sequence[IndexRow]) -> str:
    statuses = "".join(f"<option>{escape(status)}</option>" for status in _statuses(rows))
    return (
        '<form class="filters" role="search" hidden>'
        '<label>Find <input type="search" id="find" placeholder="title or name"></label>'
        f'<label>Status <select id="status"><option value="">all</option>{statuses}</select></label>'
        '<label>At most <input type="number" id="most" min="0" max="100" value="100"> %</label>'
        '<output id="shown"></output></form>'
    )


def _table(rows: Sequence[IndexRow], *, has_scores: bool) -> str:
    names = [
        "page",
        "status",
        *(("F1", "precision", "recall", "wrong blocks") if has_scores else ()),
        "confidence",
        "words",
    ]
    heads = "".join(f'<th scope="col"{_sorted(name, has_scores=has_scores)}>{name}</th>' for name in names)
    body = "".join(_row(row, has_scores=has_scores) for row in rows)
    return (
        '<div class="scroll" role="region" aria-label="Table of pages" tabindex="0"><table class="pages">'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _sorted(name: str, *, has_scores: bool) -> str:
    return ' aria-sort="ascending"' if name == ("F1" if has_scores else "confidence") else ""


def _row(row: IndexRow, *, has_scores: bool) -> str:
    name = f"{escape(row.title or row.id)}"
    about = f'<span class="id">{escape(row.id)}</span>' if row.title else ""
    scores = [*(percent(value) for value in row.score or (None,) * 3), f"{row.wrong:,}"] if has_scores else []
    cells = "".join(f"<td>{value}</td>" for value in [*scores, percent(row.confidence), f"{row.words:,}"])
    figure = "" if row.figure is None else f"{row.figure:.4f}"
    return (
        f'<tr data-figure="{figure}" data-status="{row.status}"><th scope="row">'
        f'<a href="#page-{row.number}" dir="auto">{name}</a>{about}</th><td>{row.status}</td>{cells}</tr>'
    )
