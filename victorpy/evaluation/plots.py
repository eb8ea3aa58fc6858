"""Plot tables of results; only this module uses matplotlib."""

import logging
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import written_whole
from victorpy.foundation.optional import install_hint
from victorpy.foundation.terminal import escaped_line

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")

_BLUE, _ORANGE, _GREY = "#3465a4", "#ce5c00", "#888a85"
_PALETTE = (_BLUE, _ORANGE, "#4e9a06", "#75507b", _GREY, "#8f5902")
_STEPS = [digit * 10.0**power for power in range(-3, 6) for digit in (1, 2, 5)]
_STYLE: Any = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "font.size": 10,
    # Makes the ids in an SVG file reproducible.
    "svg.hashsalt": "victorpy",
}
_UNDATED: dict[str, dict[str, None]] = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}


def save(figure: "Figure", path: Path) -> None:
    """Write PNG, SVG or PDF, by the file name; the same figure gives the same file."""
    from matplotlib import rc_context  # noqa: PLC0415

    check_name(path)
    picture = BytesIO()
    ending = path.suffix.lower()
    with rc_context(_STYLE):
        figure.savefig(picture, format=ending[1:], dpi=150, metadata=_UNDATED[ending])
    with written_whole(path) as file:
        file.write(picture.getvalue())


def check_name(path: Path) -> None:
    """Refuse a plot that cannot be written, before long work."""
    if path.suffix.lower() not in FORMATS:
        raise UsageError(f"expected the name of a plot to end in {', '.join(FORMATS)}", path)
    _matplotlib()


def _matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401, PLC0415
    except ImportError:
        raise VictorError(f"plots need matplotlib: {install_hint('plots')}") from None
    # matplotlib logs how it finds fonts.
    logging.getLogger("matplotlib").setLevel(logging.WARNING)


def _axes(width: float = 7.0, height: float = 4.5) -> tuple["Figure", "Axes"]:
    _matplotlib()
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot()
    return figure, axes


def _shown(name: object) -> str:
    """A name as it is drawn, and as SVG quotes it: without control characters, and not as a formula."""
    return escaped_line(str(name)).replace("$", "\\$")


def _height_for(rows: int) -> float:
    return max(1.8, 0.9 + 0.28 * rows)


def learning_curve(table: "pd.DataFrame", figure: str) -> "Figure":
    """The mean of a figure over the number of training pages (the index), with `low` and `high` if given."""
    drawing, axes = _axes()
    pages, means = table.index.to_numpy(float), table["mean"].to_numpy(float) * 100
    if {"low", "high"} <= set(table.columns):
        low, high = (table[side].to_numpy(float) * 100 for side in ("low", "high"))
        axes.fill_between(pages, low, high, color=_BLUE, alpha=0.18, linewidth=0)
    axes.plot(pages, means, color=_BLUE, marker="o", markersize=4)
    axes.set_xlabel("training pages")
    axes.set_ylabel(f"{figure}, percent")
    axes.set_xlim(left=0)
    axes.grid(color="#eeeeec")
    return drawing


def reliability(table: "pd.DataFrame") -> "Figure":
    """The real F1 (`word_f1`) over the expected F1 (`expected`) of groups of pages; on the diagonal, both are equal."""
    drawing, axes = _axes(width=4.5)
    expected, real = (100 * table[name].to_numpy(float) for name in ("expected", "word_f1"))
    axes.plot([0, 100], [0, 100], color=_GREY, linewidth=1)
    axes.plot(expected, real, color=_BLUE, marker="o", markersize=4)
    axes.set_xlabel("expected F1, percent")
    axes.set_ylabel("word F1, percent")
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
    axes.grid(color="#eeeeec")
    return drawing


def ablation(table: "pd.DataFrame", figure: str) -> "Figure":
    """The change of a figure by each variant (the index): `difference`, `low` and `high`, first row on top."""
    drawing, axes = _axes(height=_height_for(len(table)))
    _intervals(axes, [_shown(name) for name in table.index], table)
    axes.set_xlabel(f"change of {figure}, points")
    return drawing


def comparison(table: "pd.DataFrame", figure: str) -> "Figure":
    """The difference of each system to the first one, on all pages and, if the table has kinds, on each kind."""
    baseline = table.index[0][-1] if table.index.nlevels > 1 else table.index[0]
    rows = table[table["difference"].notna()]
    drawing, axes = _axes(height=_height_for(len(rows)))
    names = [" · ".join(map(_shown, name)) if isinstance(name, tuple) else _shown(name) for name in rows.index]
    labels = [f"{name} ({value:.1f})" for name, value in zip(names, rows["mean"].to_numpy(float) * 100, strict=True)]
    _intervals(axes, labels, rows)
    axes.set_xlabel(f"{figure}, points against {_shown(baseline)} ({float(table['mean'].iloc[0]) * 100:.1f})")
    return drawing


def _intervals(axes: "Axes", names: Sequence[str], table: "pd.DataFrame") -> None:
    """A dot with its interval for each row: blue if above 0, orange if below 0, grey if the interval holds 0."""
    middle, low, high = (table[column].to_numpy(float) * 100 for column in ("difference", "low", "high"))
    for row, (value, left, right) in enumerate(zip(middle, low, high, strict=True)):
        color = _BLUE if left > 0 else _ORANGE if right < 0 else _GREY
        axes.plot([left, right], [row, row], color=color, linewidth=2, solid_capstyle="round")
        axes.plot([value], [row], color=color, marker="o", markersize=6)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(max(1, len(names)) - 0.5, -0.5)
    axes.grid(axis="x", color="#eeeeec")


def systems(table: "pd.DataFrame", figure: str) -> "Figure":
    """A dot with its interval (`mean`, `low`, `high`) for each system on each set (the index levels: set, system)."""
    sets, names = (list(table.index.unique(level)) for level in (0, 1))
    drawing, axes = _axes(height=1.5 + 0.16 * len(table))
    for number, name in enumerate(names):
        rows = table.xs(name, level=1).reindex(sets)
        middle, low, high = (rows[column].to_numpy(float) * 100 for column in ("mean", "low", "high"))
        places = np.arange(len(sets)) + (number - (len(names) - 1) / 2) * 0.8 / len(names)
        color = _PALETTE[number % len(_PALETTE)]
        axes.hlines(places, low, high, color=color, linewidth=2)
        axes.plot(middle, places, color=color, marker="o", markersize=5, linestyle="", label=_shown(name))
    axes.set_yticks(range(len(sets)), [_shown(name) for name in sets])
    axes.set_ylim(len(sets) - 0.5, -0.5)
    axes.set_xlabel(f"{figure}, percent")
    axes.grid(axis="x", color="#eeeeec")
    drawing.legend(loc="outside upper center", ncols=len(names), frameon=False, fontsize=8)
    return drawing


def tradeoff(table: "pd.DataFrame", figure: str) -> "Figure":
    """The `mean` of each system (the index) over its milliseconds per page, `ms`."""
    drawing, axes = _axes()
    milliseconds, means = table["ms"].to_numpy(float), table["mean"].to_numpy(float) * 100
    axes.set_xscale("log")
    for number, (name, x, y) in enumerate(zip(table.index, milliseconds, means, strict=True)):
        axes.plot([x], [y], color=_PALETTE[number % len(_PALETTE)], marker="o", markersize=8)
        # Puts the name below the dot if another dot is just above.
        is_below = bool(((means > y) & (means < y + 5) & (np.abs(np.log(milliseconds / x)) < 0.4)).any())
        axes.annotate(_shown(name), (x, y), (0, -17 if is_below else 8), textcoords="offset points", ha="center")
    axes.margins(0.2)
    # Plain numbers instead of powers of ten.
    steps = [step for step in _STEPS if milliseconds.min() / 2 <= step <= milliseconds.max() * 2]
    axes.set_xticks(steps, [f"{step:g}" for step in steps])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("milliseconds a page")
    axes.set_ylabel(f"{figure}, percent")
    axes.grid(color="#eeeeec")
    return drawing


def confusion(matrix: "pd.DataFrame") -> "Figure":
    """Gold labels (rows) against predicted labels: counts, shaded by their share of the row."""
    drawing, axes = _axes(width=5.2, height=4.5)
    counts = matrix.to_numpy(float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for (row, column), count in np.ndenumerate(counts):
        color = "white" if shares[row, column] > 0.5 else "black"
        axes.text(column, row, f"{count:,.0f}\n{shares[row, column]:.0%}", ha="center", va="center", color=color)
    axes.set_xticks(range(matrix.shape[1]), [str(label) for label in matrix.columns])
    axes.set_yticks(range(matrix.shape[0]), [str(label) for label in matrix.index])
    axes.set_xlabel("predicted")
    axes.set_ylabel("gold")
    axes.spines[:].set_visible(False)
    return drawing


def precision_recall(table: "pd.DataFrame", marked: Iterable[float] = (0.1, 0.3, 0.5, 0.7, 0.9)) -> "Figure":
    """Precision over recall, one point per threshold (the index); `marked` thresholds are named on the curve."""
    drawing, axes = _axes(width=5.2)
    known = table.dropna(subset=["precision", "recall"])
    recall, precision = (known[column].to_numpy(float) * 100 for column in ("recall", "precision"))
    axes.plot(recall, precision, color=_BLUE)
    thresholds = known.index.to_numpy(float)
    for place in sorted({int(np.abs(thresholds - value).argmin()) for value in marked}) if len(known) else []:
        axes.plot([recall[place]], [precision[place]], color=_BLUE, marker="o", markersize=4)
        axes.annotate(f"{thresholds[place]:.2g}", (recall[place], precision[place]), (5, 5), textcoords="offset points")
    axes.set_xlabel("recall, percent")
    axes.set_ylabel("precision, percent")
    axes.grid(color="#eeeeec")
    return drawing
