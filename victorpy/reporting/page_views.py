"""One page of a report: facts, the page as it looks, its blocks, the difference, the text and the metadata."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from victorpy.output.cleaned import Cleaned, LabeledBlock
from victorpy.output.escapes import in_one_line, printable
from victorpy.reporting.block_marks import Legend, Mark
from victorpy.reporting.label_reasons import Figure, LabelReason, Weight
from victorpy.reporting.page_looks import look
from victorpy.reporting.reported_pages import ReportedPage
from victorpy.reporting.text_differences import difference_html

# Blocks beyond this number are counted, not listed.
_MOST_BLOCKS = 20_000


class Sides(NamedTuple):
    """The names of what is shown: of our system, and of what it is compared with, if there is anything."""

    ours: str
    theirs: str
    legend: Legend


class PageView(NamedTuple):
    """The HTML of a page, and that of its frame, which stands apart because it is large."""

    body: str
    look: str


def page_view(page: ReportedPage, sides: Sides) -> PageView:
    if page.cleaned is None:
        return PageView(f"{_heading(page)}<p>{_text(page.problem)}</p>", "")
    parts = [
        _section("blocks", "Blocks", _blocks(page, page.cleaned, sides.legend)),
        *([_section("diff", f"Difference to {sides.theirs}", _difference(page, sides))] if page.theirs else []),
        _section("text", "Text", f'<pre tabindex="0">{_text(page.cleaned.markdown)}</pre>'),
        _section("facts", "Metadata", _metadata(page.cleaned)),
    ]
    panel = f'<div class="panel">{"".join(parts)}</div>'
    frame = f'<section class="look"><h3>The page</h3>{_key(page, sides.legend)}<div class="frame"></div></section>'
    name = page.cleaned.title or page.id
    body = f'{_heading(page)}{_facts(page, sides)}<div class="columns">{frame}{panel}</div>'
    return PageView(body, look(page.cleaned, page.marks, in_one_line(name)))


def _text(text: str) -> str:
    return escape(printable(text), quote=False)


def _line(text: str) -> str:
    return escape(in_one_line(text))


def _section(name: str, title: str, content: str) -> str:
    return f'<section class="part {name}"><h3>{_line(title)}</h3>{content}</section>'


def _heading(page: ReportedPage) -> str:
    title = (page.cleaned and (page.cleaned.metadata.title or page.cleaned.title)) or page.id
    url = page.cleaned and page.cleaned.url
    where = f"{page.path} · {url}" if url else page.path
    return f'<h2 tabindex="-1">{_line(title)}</h2><p class="where">{_line(where)}</p>'


def _facts(page: ReportedPage, sides: Sides) -> str:
    cleaned = page.cleaned
    assert cleaned
    kept = sum(mark in {"kept", "extra"} for mark in page.marks)
    facts = {
        "status": f"{cleaned.status}: {cleaned.reason}" if cleaned.reason else cleaned.status,
        "blocks kept": f"{kept} of {len(page.marks)}",
        "words kept": f"{len(cleaned.text.split()):,}",
        "confidence": percent(cleaned.confidence),
    }
    if page.score:
        facts |= {
            f"word F1 with {sides.theirs}": percent(page.score.f1),
            "precision": percent(page.score.precision),
            "recall": percent(page.score.recall),
        }
    return "".join(
        [
            '<dl class="cards">',
            *(f"<div><dt>{_line(n)}</dt><dd>{_line(v)}</dd></div>" for n, v in facts.items()),
            "</dl>",
        ]
    )


def percent(share: float | None) -> str:
    return "–" if share is None or share != share else f"{100 * share:.1f} %"  # noqa: PLR0124


def _key(page: ReportedPage, legend: Legend) -> str:
    """What the marks mean, with the number of blocks of each."""
    named = legend._asdict()
    items = (
        f'<li class="{mark}"><span aria-hidden="true"></span>{_line(words)} ({page.marks.count(mark)})</li>'
        for mark, words in named.items()
        if words
    )
    return f'<ul class="key" aria-label="Marks">{"".join(items)}</ul>'


def _blocks(page: ReportedPage, cleaned: Cleaned, legend: Legend) -> str:
    rest = len(page.marks) - _MOST_BLOCKS
    items = "".join(_items(page, cleaned, legend))
    more = f"<p>{rest:,} more blocks are not listed.</p>" if rest > 0 else ""
    return f'{_choices(legend)}<ol class="blocks">{items}</ol>{more}'


def _choices(legend: Legend) -> str:
    """Buttons that show the blocks of one mark only; the script makes them work."""
    buttons = (
        f'<button data-show="{mark}">{_line(words)}</button>' for mark, words in legend._asdict().items() if words
    )
    return (
        '<div class="choices" role="group" aria-label="Blocks to show" hidden>'
        f'<button data-show="" aria-pressed="true">all</button>{"".join(buttons)}</div>'
    )


def _items(page: ReportedPage, cleaned: Cleaned, legend: Legend) -> Iterator[str]:
    gold = page.gold or [None] * len(page.marks)
    for block, mark, label in zip(cleaned.blocks[:_MOST_BLOCKS], page.marks, gold, strict=False):
        differs = f' <span class="gold">gold: {label}</span>' if label and label != block.label else ""
        words = getattr(legend, mark)
        yield (
            f'<li class="{mark}" data-block="{block.id}">'
            f'<button class="n" title="show in the page">{block.id}</button>'
            f'<span class="label">{block.label}</span>{_meter(block)}'
            f'<span class="mark">{_line(words)}</span>{differs}'
            f'<p dir="auto">{_text(block.text)}</p>{_why(page, block)}</li>'
        )


def _meter(block: LabeledBlock) -> str:
    """The probability of content, as a bar and in words."""
    if block.probability is None:
        return ""
    width = 40 * float(block.probability)
    return (
        '<svg class="meter" width="40" height="8" aria-hidden="true"><rect width="40" height="8" class="all"/>'
        f'<rect width="{width:.1f}" height="8" class="part"/></svg>'
        f'<span class="p">{percent(float(block.probability))}</span>'
    )


def _why(page: ReportedPage, block: LabeledBlock) -> str:
    reason = page.reasons.get(block.id)
    if reason is None:
        return ""
    return f"<details><summary>Why block {block.id}?</summary>{_reason(reason)}</details>"


def _reason(reason: LabelReason) -> str:
    repeats = "" if reason.repeats is None else f"<p>It repeats the text of block {reason.repeats}.</p>"
    probabilities = ", ".join(f"{name} {percent(value)}" for name, value in reason.probabilities.items())
    return (
        f"<p>The model says <strong>{reason.label}</strong>; next is <strong>{reason.rival}</strong>. "
        f"Probabilities: {probabilities}.</p>{repeats}{_figures(reason.figures)}{_weights(reason.weights)}"
    )


def _weights(weights: list[Weight]) -> str:
    rows = [(one.template, _line(one.value), f"{one.margin:.3f}") for one in weights]
    return _table("The weights for the label, less those for the next", ("template", "value", "weight"), rows)


def _figures(figures: list[Figure]) -> str:
    caption = "What matters most: the probability of content, were the figure as usual"
    rows = [(one.name, f"{one.value:.3g}", f"{one.usual:.3g}", percent(one.probability)) for one in figures]
    return _table(caption, ("figure", "here", "usual", "then"), rows)


def _table(caption: str, heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    """A table, or nothing without rows. The first cell of a row is its head; the others are HTML."""
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    body = "".join(
        f'<tr><th scope="row">{_line(name)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        for name, *cells in rows
    )
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _difference(page: ReportedPage, sides: Sides) -> str:
    key = f"<p><ins>only {_line(sides.ours)}</ins> <del>only {_line(sides.theirs)}</del></p>"
    return key + difference_html(printable(page.text), printable(page.theirs or ""))


def _metadata(cleaned: Cleaned) -> str:
    metadata = cleaned.metadata
    rows = "".join(
        f'<tr><th scope="row">{_line(name.replace("_", " "))}</th><td dir="auto">{_line(value)}</td>'
        f"<td><code>{_line(metadata.evidence.get(name, ''))}</code></td></tr>"
        for name, value in metadata.known().items()
    )
    if not rows:
        return "<p>The page says nothing of itself.</p>"
    return (
        '<table><thead><tr><th scope="col">fact</th><th scope="col">value</th><th scope="col">found in</th></tr>'
        f"</thead><tbody>{rows}</tbody></table>"
    )


def mark_count(page: ReportedPage, *marks: Mark) -> int:
    return sum(mark in marks for mark in page.marks)
