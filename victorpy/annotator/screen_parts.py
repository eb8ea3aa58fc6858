"""The parts of the screen around the list of blocks: title, path, progress, keys; and help, pages and HTML."""

from collections.abc import Collection, Sequence

from victorpy.annotator.block_lines import LEGEND, ScreenLine, letter
from victorpy.annotator.keys import Keys, bar, help_lines
from victorpy.annotator.page_queue import QueuedPage
from victorpy.annotator.session import Session, counts, kept_words
from victorpy.annotator.widths import cut, cut_left, filled, visible, width, wrapped
from victorpy.page.elements import containers

LEAST_WIDTH, LEAST_HEIGHT = 60, 15
_LINES_AROUND = 4
_MOST_DETAIL = 8
_MOST_LINES = 200
_MOST_OF_A_MESSAGE = 5


def detail_height(height: int) -> int:
    """The number of lines for the full text of the current block."""
    return max(1, min(_MOST_DETAIL, (height - 9) // 5))


def list_height(height: int) -> int:
    return height - _LINES_AROUND - detail_height(height)


def too_small(size: int, height: int) -> list[ScreenLine]:
    needed = f"it needs {LEAST_WIDTH}×{LEAST_HEIGHT}, this is {size}×{height}"
    return [[("", cut(text, size))] for text in ("The window is too small:", needed)][:height]


def title_line(session: Session, place: str, size: int) -> ScreenLine:
    """The number, the title and the address of the page."""
    page = session.page
    name = visible(page.title) or page.id
    url = visible(page.url or "")
    left = " ".join(part for part in (place, name) if part)
    if not url:
        return [("class:title", filled(f" {left}", size))]
    url = cut(url, max(10, size - width(left) - 4))
    return [("class:title", filled(f" {cut(left, size - width(url) - 3)}", size - width(url) - 1) + url + " ")]


def path_line(session: Session, size: int) -> ScreenLine:
    """The tags around the current block; the innermost ones are always visible."""
    if not len(session):
        return [("class:path", filled("", size))]
    page = session.page
    tags = containers(page.elements, int(page.element[session.cursor]))
    return [("class:path", filled(cut_left(" › ".join(tags), size), size))]


def detail_lines(session: Session, size: int, height: int) -> list[ScreenLine]:
    """The text of the current block, as far as it fits."""
    text = visible(_noted_text(session)) if len(session) else "this page has no text"
    lines = wrapped(text, size - 1, height)
    return [[("class:detail", filled(f" {line}", size))] for line in (*lines, *[""] * (height - len(lines)))]


def _noted_text(session: Session) -> str:
    note = session.flags.get(session.cursor)
    return f"{f'[{note}] ' if note else ''}{session.page.texts[session.cursor]}"


def progress_line(session: Session, status: str, size: int) -> ScreenLine:
    """The share of labeled blocks, the counts of labels, and the status of the background training."""
    found = counts(session)
    done, total = sum(found.values()), len(session)
    percent = f" {100 * done // total}%" if total else ""
    shares = " ".join(f"{letter(label)} {found[label]}" for label in found)
    words = f"{kept_words(session):,} words kept"
    order = ["least certain first"] if session.order == "uncertain" else []
    parts = [f"{done}/{total} labeled{percent}", *([status] if status else []), shares, words, *order]
    return [("class:progress", filled(f" {_joined(parts, size - 2)}", size))]


def _joined(parts: Sequence[str], size: int) -> str:
    """As many whole parts as fit."""
    text = parts[0]
    for part in parts[1:]:
        further = f"{text} · {part}"
        text = further if width(further) <= size else text
    return text


def key_line(keys: Keys, disabled: Collection[str], size: int) -> ScreenLine:
    """As many keys as fit."""
    line: ScreenLine = []
    room = size
    for key, name in bar(keys, disabled):
        room -= width(key) + width(name) + 2
        if room >= 0:
            line += [("class:key", key), ("class:bar", f" {name} ")]
    return [*line, ("class:bar", " " * (size - sum(width(text) for _, text in line)))]


def message_lines(message: str, size: int, style: str = "class:message") -> list[ScreenLine]:
    """A long message takes several lines, and covers what is above it."""
    return [[(style, filled(f" {line}", size))] for line in wrapped(message, size - 2, _MOST_OF_A_MESSAGE)]


SCROLLING = "↑ ↓ PgUp PgDn scroll · Esc goes back"
CHOOSING = "↑ ↓ choose · Enter opens · Esc goes back"


def foot(text: str, size: int) -> ScreenLine:
    return [("class:bar", filled(f" {text}", size))]


def box(heading: str, lines: Sequence[ScreenLine], scroll: int, size: int, height: int) -> list[ScreenLine]:
    """A heading and scrolled lines: the whole window except its last line."""
    shown = lines[scroll : scroll + height - 2]
    more = f"{scroll + 1}–{scroll + len(shown)} of {len(lines)}" if len(lines) > height - 2 else ""
    blank: ScreenLine = [("", " " * size)]
    return [
        [("class:title", filled(f" {heading}", size - len(more) - 1) + f"{more} ")],
        *shown,
        *[blank] * (height - 2 - len(shown)),
    ]


def help_lines_of(keys: Keys, size: int) -> list[ScreenLine]:
    pairs = [*help_lines(keys), *LEGEND]
    column = 3 + max(width(key) for key, _ in pairs)
    lines: list[ScreenLine] = []
    for key, text in pairs:
        if not key:
            lines.append([("class:heading", filled(f" {text}", size))])
            continue
        texts = wrapped(text, size - column, _MOST_LINES)
        signs = [f" {key}", *[""] * (len(texts) - 1)]
        lines += [
            [("class:key", filled(sign, column)), ("", filled(part, size - column))]
            for sign, part in zip(signs, texts, strict=True)
        ]
    return lines


def text_lines(text: str, size: int) -> list[ScreenLine]:
    return [
        [("", filled(f" {line}", size))]
        for source in text.splitlines()
        for line in wrapped(visible(source), size - 2, _MOST_LINES)
    ]


def pages_screen(queue: Sequence[QueuedPage], chosen: int, size: int, height: int) -> list[ScreenLine]:
    """The list of pages with their states, scrolled to the chosen one."""
    states = [page.state for page in queue]
    heading = f"Pages: {states.count('done')} done, {states.count('started')} started, {states.count('open')} open"
    lines = [_queue_line(page, number == chosen, size) for number, page in enumerate(queue)]
    scroll = max(0, min(chosen - (height - 2) // 2, len(lines) - (height - 2)))
    return [*box(heading, lines, scroll, size, height), foot(CHOOSING, size)]


def _queue_line(page: QueuedPage, is_chosen: bool, size: int) -> ScreenLine:
    share = f"{page.labeled}/{page.blocks}" if page.blocks else ""
    text = f"{'>' if is_chosen else ' '} {page.state:<8}{share:>12}  {visible(page.id)}"
    style = f"class:state-{page.state}"
    return [(f"{style} class:cursor" if is_chosen else style, filled(text, size))]
