"""What stands around the list of blocks: title, where the block is, progress, keys; and help, pages and HTML."""

from collections.abc import Collection, Sequence

from victorpy.annotator.block_lines import LEGEND, Line, letter
from victorpy.annotator.keys import Keys, bar, help_lines
from victorpy.annotator.page_queue import Entry
from victorpy.annotator.session import Session, counts, kept_words
from victorpy.annotator.widths import cut, cut_left, filled, visible, width, wrapped
from victorpy.page.elements import containers

LEAST_WIDTH, LEAST_HEIGHT = 60, 15
_AROUND = 4
_MOST_DETAIL = 8
_MOST_LINES = 200
_MOST_OF_A_MESSAGE = 5


def detail_height(height: int) -> int:
    """How many lines the whole text of the current block gets."""
    return max(1, min(_MOST_DETAIL, (height - 9) // 5))


def list_height(height: int) -> int:
    return height - _AROUND - detail_height(height)


def too_small(size: int, height: int) -> list[Line]:
    needed = f"{LEAST_WIDTH}×{LEAST_HEIGHT} are needed, this is {size}×{height}"
    return [[("", cut(text, size))] for text in ("The window is too small:", needed)][:height]


def title_line(session: Session, place: str, size: int) -> Line:
    """Which of the pages this is, what it is called, and where it is from."""
    page = session.page
    name = visible(page.title) or page.id
    url = visible(page.url or "")
    left = " ".join(part for part in (place, name) if part)
    if not url:
        return [("class:title", filled(f" {left}", size))]
    url = cut(url, max(10, size - width(left) - 4))
    return [("class:title", filled(f" {cut(left, size - width(url) - 3)}", size - width(url) - 1) + url + " ")]


def path_line(session: Session, size: int) -> Line:
    """The tags around the current block, the innermost at any rate."""
    if not len(session):
        return [("class:path", filled("", size))]
    page = session.page
    tags = containers(page.elements, int(page.element[session.cursor]))
    return [("class:path", filled(cut_left(" › ".join(tags), size), size))]


def detail_lines(session: Session, size: int, height: int) -> list[Line]:
    """All of the current block's text, as far as there is room."""
    text = visible(session.page.texts[session.cursor]) if len(session) else "no text in this page"
    lines = wrapped(text, size - 1, height)
    return [[("class:detail", filled(f" {line}", size))] for line in (*lines, *[""] * (height - len(lines)))]


def progress_line(session: Session, news: str, size: int) -> Line:
    """How far the page is, how many blocks have each label, and what is going on in the background."""
    found = counts(session)
    done, total = sum(found.values()), len(session)
    percent = f" {100 * done // total}%" if total else ""
    shares = " ".join(f"{letter(label)} {found[label]}" for label in found)
    words = f"{kept_words(session):,} words kept"
    order = ["least certain first"] if session.order == "uncertain" else []
    parts = [f"{done}/{total} labeled{percent}", *([news] if news else []), shares, words, *order]
    return [("class:progress", filled(f" {_joined(parts, size - 2)}", size))]


def _joined(parts: Sequence[str], size: int) -> str:
    """As many of them as there is room for, whole."""
    text = parts[0]
    for part in parts[1:]:
        further = f"{text} · {part}"
        text = further if width(further) <= size else text
    return text


def key_line(keys: Keys, useless: Collection[str], size: int) -> Line:
    """As many keys as there is room for."""
    line: Line = []
    room = size
    for key, name in bar(keys, useless):
        room -= width(key) + width(name) + 2
        if room >= 0:
            line += [("class:key", key), ("class:bar", f" {name} ")]
    return [*line, ("class:bar", " " * (size - sum(width(text) for _, text in line)))]


def message_lines(message: str, size: int, style: str = "class:message") -> list[Line]:
    """A long message takes lines from what stands above it: half of it would be of no use."""
    return [[(style, filled(f" {line}", size))] for line in wrapped(message, size - 2, _MOST_OF_A_MESSAGE)]


SCROLLING = "↑ ↓ PgUp PgDn scroll · Esc goes back"
CHOOSING = "↑ ↓ choose · Enter opens · Esc goes back"


def foot(text: str, size: int) -> Line:
    return [("class:bar", filled(f" {text}", size))]


def box(heading: str, lines: Sequence[Line], scroll: int, size: int, height: int) -> list[Line]:
    """All of the window but its foot."""
    shown = lines[scroll : scroll + height - 2]
    more = f"{scroll + 1}–{scroll + len(shown)} of {len(lines)}" if len(lines) > height - 2 else ""
    blank: Line = [("", " " * size)]
    return [
        [("class:title", filled(f" {heading}", size - len(more) - 1) + f"{more} ")],
        *shown,
        *[blank] * (height - 2 - len(shown)),
    ]


def help_lines_of(keys: Keys, size: int) -> list[Line]:
    pairs = [*help_lines(keys), *LEGEND]
    column = 3 + max(width(key) for key, _ in pairs)
    lines: list[Line] = []
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


def text_lines(text: str, size: int) -> list[Line]:
    return [
        [("", filled(f" {line}", size))]
        for source in text.splitlines()
        for line in wrapped(visible(source), size - 2, _MOST_LINES)
    ]


def pages_screen(entries: Sequence[Entry], chosen: int, size: int, height: int) -> list[Line]:
    """All pages with their states; the chosen one is in sight."""
    states = [entry.state for entry in entries]
    heading = f"Pages: {states.count('done')} done, {states.count('started')} started, {states.count('open')} open"
    lines = [_entry_line(entry, number == chosen, size) for number, entry in enumerate(entries)]
    scroll = max(0, min(chosen - (height - 2) // 2, len(lines) - (height - 2)))
    return [*box(heading, lines, scroll, size, height), foot(CHOOSING, size)]


def _entry_line(entry: Entry, is_chosen: bool, size: int) -> Line:
    share = f"{entry.labeled}/{entry.blocks}" if entry.blocks else ""
    text = f"{'>' if is_chosen else ' '} {entry.state:<8}{share:>12}  {visible(entry.id)}"
    style = f"class:state-{entry.state}"
    return [(f"{style} class:cursor" if is_chosen else style, filled(text, size))]
