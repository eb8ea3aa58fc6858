"""Plots as SVG inside the HTML. Colours come from the style sheet, so that they follow light and dark."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 360, 200, 36, 34
_BINS = 20


class Point(NamedTuple):
    """A page in a plot: its two values from 0 to 1, its number and its name."""

    x: float
    y: float
    number: int
    name: str


def histogram(values: Sequence[float], title: str) -> str:
    """How many pages have which figure, in twentieths."""
    counts = Counter(min(int(value * _BINS), _BINS - 1) for value in values)
    most = max(counts.values(), default=1)
    step = (_WIDTH - _LEFT) / _BINS
    bars = (
        f'<rect class="bar" x="{_LEFT + number * step + 1:.1f}" y="{_y(count / most):.1f}" width="{step - 2:.1f}" '
        f'height="{_HEIGHT - _BOTTOM - _y(count / most):.1f}"><title>{_range(number)}: {count} pages</title></rect>'
        for number, count in sorted(counts.items())
    )
    summary = ", ".join(f"{_range(number)}: {count}" for number, count in sorted(counts.items()))
    return _figure(title, f"Pages by {title}: {summary}", "".join(bars), ("0", str(most)), "pages")


def scatter(points: Sequence[Point], title: str, across: str, up: str) -> str:
    """A point for each page, which leads to it. The key Tab passes them by: the table has the same links."""
    dots = (
        f'<a href="#page-{point.number}" tabindex="-1">'
        f'<circle class="dot" cx="{_x(point.x):.1f}" cy="{_y(point.y):.1f}" r="4">'
        f"<title>{escape(point.name)}: {across} {100 * point.x:.0f} %, {up} {100 * point.y:.0f} %</title></circle></a>"
        for point in points
    )
    return _figure(title, "", "".join(dots), ("0 %", "100 %"), up, across)


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - 6)


def _y(share: float) -> float:
    return (_HEIGHT - _BOTTOM) - share * (_HEIGHT - _BOTTOM - 16)


def _range(number: int) -> str:
    return f"{number * 100 // _BINS} to {(number + 1) * 100 // _BINS} %"


def _figure(  # noqa: PLR0913, PLR0917
    title: str, summary: str, marks: str, sides: tuple[str, str], up: str, across: str = ""
) -> str:
    """Axes with their ends named, around the marks. With a summary the plot is an image, else its links are read."""
    role = f'role="img" aria-label="{escape(summary)}"' if summary else f'role="group" aria-label="{escape(title)}"'
    floor = _HEIGHT - _BOTTOM
    return (
        f'<figure class="plot"><figcaption>{escape(title)}</figcaption>'
        f'<svg {role} viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<path class="axis" d="M{_LEFT} 12V{floor}H{_WIDTH}"/>{marks}'
        f'<text x="{_LEFT - 4}" y="{floor}" class="end">{sides[0]}</text>'
        f'<text x="{_LEFT - 4}" y="20" class="end">{sides[1]}</text>'
        f'<text x="{_LEFT + 4}" y="10">{escape(up)}</text>'
        f'<text x="{_LEFT}" y="{floor + 14}">0 %</text><text x="{_WIDTH}" y="{floor + 14}" class="end">100 %</text>'
        f'<text x="{(_LEFT + _WIDTH) // 2}" y="{floor + 28}" class="middle">{escape(across or title)}</text>'
        "</svg></figure>"
    )
