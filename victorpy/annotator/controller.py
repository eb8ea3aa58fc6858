"""The program but for its terminal: what every key and click does, wherever one is."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from victorpy.annotator import session as sessions
from victorpy.annotator import surroundings
from victorpy.annotator.block_lines import MARGIN, Area, last_whole, rows, top_for
from victorpy.annotator.browser import show
from victorpy.annotator.keys import Keys, shown
from victorpy.annotator.label_store import StoreError, open_page
from victorpy.annotator.learning import Learning
from victorpy.annotator.open_page import Sheet
from victorpy.annotator.page_queue import Entry, State
from victorpy.annotator.session import Labels, Order, Session
from victorpy.errors import VictorError
from victorpy.models.model_folder import Model
from victorpy.page.blocks import FIELDS, LABELS, Label, Page
from victorpy.page.markup import STANDARD as STANDARD_MARKUP
from victorpy.page.markup import Markup

if TYPE_CHECKING:
    from victorpy.annotator.retraining import Retraining

Mode = Literal["label", "help", "html", "pages", "search", "go", "leave"]

_WHEEL = 3

_ON_SESSION: Mapping[str, Callable[[Session], Session]] = {
    "label-p": partial(sessions.labeled, label=Label.PARAGRAPH),
    "label-h": partial(sessions.labeled, label=Label.HEADER),
    "label-l": partial(sessions.labeled, label=Label.LIST),
    "label-c": partial(sessions.labeled, label=Label.CONTINUATION),
    "label-o": partial(sessions.labeled, label=Label.OTHER),
    **{f"label-{field}": partial(sessions.labeled, label=field) for field in FIELDS},
    "unlabel": partial(sessions.labeled, label=None),
    "undo": sessions.undone,
    "redo": sessions.redone,
    "accept": sessions.accepted,
    "take-one": partial(sessions.taken, side=0),
    "take-two": partial(sessions.taken, side=1),
    "next-open": sessions.to_next_open,
    "previous-open": partial(sessions.to_next_open, step=-1),
    "next-doubtful": sessions.to_next_doubtful,
    "previous-doubtful": partial(sessions.to_next_doubtful, step=-1),
    "order": sessions.turned,
    "down": partial(sessions.moved, by=1),
    "up": partial(sessions.moved, by=-1),
    "first": partial(sessions.at, block=0),
    "next-kind": sessions.to_next_kind,
    "previous-kind": partial(sessions.to_next_kind, step=-1),
    "search-next": sessions.found_next,
    "search-previous": sessions.found_previous,
    "mark": sessions.marking,
    "mark-down": partial(sessions.stretched, by=1),
    "mark-up": partial(sessions.stretched, by=-1),
    "back": sessions.unmarked,
}


@dataclass(frozen=True)
class Settings:
    """How pages are opened, and what else there is to work with."""

    keys: Keys
    markup: Markup = STANDARD_MARKUP
    labels: Sequence[Label] = LABELS
    model: Model | None = None
    order: Order = "page"
    annotator: str = ""
    sides: Callable[[Entry, Page], tuple[Labels, Labels]] | None = None
    retraining: "Callable[[Sequence[Path]], Retraining] | None" = None


class Desk:
    """The page under work, the list of pages, and what is in front of them; `is_over` when the person has left."""

    def __init__(self, entries: Sequence[Entry], settings: Settings, number: int = 0):
        self.entries, self.settings = list(entries), settings
        self.model = settings.model
        self.mode: Mode = "label"
        self.top, self.scroll, self.chosen = 0, 0, 0
        self.typed, self.origin = "", 0
        self.is_wrapped = False
        self.is_over = False
        self.size = (80, 24)
        self._learning = Learning(settings.retraining) if settings.retraining else None
        self._folder: TemporaryDirectory[str] | None = None
        self._actions = {key: name for name, keys in settings.keys.items() for key in keys}
        self.number, self.sheet = self._first_opened(number)
        self._seen = {self.number}

    @property
    def touched(self) -> list[Entry]:
        """The pages that were open, and were kept, as they are now."""
        self._count()
        return [self.entries[number] for number in sorted(self._seen)]

    @property
    def without_use(self) -> set[str]:
        """The keys of labels that nobody is to learn."""
        return {f"label-{field}" for field in FIELDS if field not in self.settings.labels}

    @property
    def news(self) -> str:
        return self._learning.news if self._learning else ""

    @property
    def session(self) -> Session:
        return self.sheet.session

    # Keys

    def press(self, key: str) -> None:
        """Does what a key means where one is; the cursor is in sight then, drawn before the next key or not."""
        if self.sheet.trouble:
            self.sheet.keep()
        self._do(key)
        self.resize(*self.size)

    def _do(self, key: str) -> None:
        """In a question the key is what is typed, else what the table of keys says."""
        if self.mode in ("search", "go"):
            self._type(key)
        elif self.mode == "leave":
            self._answer(key)
        elif key in self._actions:
            self._act(self._actions[key])
        elif self.mode == "label":
            self._point(f"{key!r} does nothing here", "help", "shows all keys")

    def paste(self, text: str) -> None:
        """What is pasted is text, and never a row of labels."""
        if self.mode in ("search", "go"):
            for character in text.splitlines()[0] if text else "":
                self._type(character)

    def _act(self, name: str) -> None:
        if self.mode == "pages":
            self._act_on_pages(name)
        elif self.mode in ("help", "html"):
            self._act_on_text(name)
        elif not len(self.session) and name not in _WITHOUT_TEXT:
            self._say("there is no text in this page")
        elif name in self.without_use:
            self._say(f"the config's labels have no '{name.removeprefix('label-')}'")
        elif name in _ON_SESSION:
            self.sheet.become(_ON_SESSION[name](self.session))
        else:
            _ON_DESK[name](self)
        self._lead_on()

    def _lead_on(self) -> None:
        """At the end of a page: what next?"""
        message = self.session.message
        if message == sessions.ALL_LABELED and self.number + 1 < len(self.entries):
            self._point(message, "next-page", "goes to the next page")
        elif message == sessions.SOME_OPEN:
            self._point(message, "next-open", "goes to the next of them")

    def _say(self, message: str) -> None:
        self.sheet.session = replace(self.session, message=message)

    def _point(self, message: str, action: str, result: str) -> None:
        keys = "/".join(map(shown, self.settings.keys[action]))
        self._say(f"{message}; {keys} {result}" if keys else message)

    # Moving by screens

    def resize(self, width: int, height: int) -> None:
        """Takes in how large the window is, and brings the cursor in sight."""
        self.size = (width, height)
        self.top = top_for(self.session, self.top, self.area)

    @property
    def area(self) -> Area:
        width, height = self.size
        return Area(width, max(1, surroundings.list_height(height)), self.is_wrapped)

    def turn(self, screens: int) -> None:
        blocks = max(1, last_whole(self.session, self.top, self.area) - self.top)
        self.top = max(0, min(self.top + screens * blocks, len(self.session) - 1))
        self.sheet.become(sessions.moved(self.session, screens * blocks))

    def wheel(self, steps: int) -> None:
        if self.mode != "label":
            self._act("down" if steps > 0 else "up")
            return
        self.top = max(0, min(self.top + _WHEEL * steps, len(self.session) - 1))
        last = last_whole(self.session, self.top, self.area)
        margin = 0 if steps < 0 and self.top == 0 else MARGIN
        inside = max(self.top + margin, min(self.session.cursor, max(self.top, last - MARGIN)))
        self.sheet.become(sessions.at(self.session, inside))

    def click(self, line: int, *, is_dragged: bool = False) -> None:
        """Puts the cursor on the block of this line of the screen; with the button held, marks up to there."""
        if self.mode != "label":
            return
        in_sight = rows(self.session, self.top, self.area)
        if not 0 <= line - 1 < len(in_sight):
            return
        block = in_sight[line - 1].block
        if not is_dragged:
            self.sheet.become(sessions.at(sessions.unmarked(self.session), block))
        elif block != self.session.cursor:
            marking = self.session if self.session.anchor is not None else sessions.marking(self.session)
            self.sheet.become(sessions.at(marking, block))

    def accept_screen(self) -> None:
        last = last_whole(self.session, self.top, self.area)
        self.sheet.become(sessions.accepted_all(self.session, self.top, last))
        if self.session.cursor == last + 1:
            self.top = last

    # Questions

    def ask(self, mode: Literal["search", "go"]) -> None:
        self.mode, self.typed, self.origin = mode, "", self.session.cursor

    def _type(self, key: str) -> None:
        action = self._actions.get(key) if len(key) > 1 else None
        if key == "escape" or action == "quit":
            self._end_question(is_meant=False)
        elif key == "enter":
            self._end_question(is_meant=True)
        elif key == "backspace" and not self.typed:
            self._end_question(is_meant=False)
        else:
            self.typed = self.typed[:-1] if key == "backspace" else self.typed + _character(key)
            if self.mode == "search" and self.typed:
                self.sheet.become(sessions.searched(self.session, self.typed, self.origin))

    def _end_question(self, *, is_meant: bool) -> None:
        mode, self.mode = self.mode, "label"
        if not is_meant:
            self.sheet.become(sessions.at(self.session, self.origin))
        elif mode == "go" and self.typed.isdecimal():
            self.sheet.become(sessions.at(self.session, int(self.typed)))
        elif mode == "go":
            self._say(f"'{self.typed}' is no number of a block")
        elif not self.typed:
            self.sheet.become(sessions.found_next(self.session))

    def _answer(self, key: str) -> None:
        if key in ("y", "Y"):
            self.sheet.abandon()
            self._seen.discard(self.number)  # what its file says is not what is here
            self.is_over = True
        else:
            self.mode = "label"

    # Texts that are scrolled

    def _act_on_text(self, name: str) -> None:
        place = _scrolled(name, self.scroll, self.size[1] - 4)
        if place is not None:
            self.scroll = place
        elif name in ("back", "quit", "choose", "help", "html"):
            self.mode = "label"

    def open_text(self, mode: Literal["help", "html"]) -> None:
        if mode == "help" or len(self.session):
            self.mode, self.scroll = mode, 0

    # Pages

    def open_pages(self) -> None:
        self._count()
        self.mode, self.chosen = "pages", self.number

    def _act_on_pages(self, name: str) -> None:
        place = _scrolled(name, self.chosen, self.size[1] - 3)
        if place is not None:
            self.chosen = max(0, min(place, len(self.entries) - 1))
        elif name == "choose":
            self.mode = "label"
            self.go_to(self.chosen)
        elif name in ("back", "quit", "pages"):
            self.mode = "label"

    def _count(self) -> None:
        """Brings the current page's entry up to date."""
        session = self.session
        labeled = sum(label is not None for label in session.labels)
        state: State = "done" if session.is_done else "started" if labeled else "open"
        self.entries[self.number] = self.entries[self.number]._replace(
            state=state, labeled=labeled, blocks=len(session)
        )

    def go_to(self, number: int) -> None:
        """Leaves the page, saved, for another; stays if either cannot be."""
        if not 0 <= number < len(self.entries):
            self._say("this is the last page" if number > 0 else "this is the first page")
        elif number != self.number and (sheet := self._opened_or_told(number)):
            self._change_to(number, sheet)

    def _opened_or_told(self, number: int) -> Sheet | None:
        try:
            return self._opened(number)
        except VictorError as error:
            self._point(str(error), "pages", "lists the others")
            return None

    def _change_to(self, number: int, sheet: Sheet) -> None:
        try:
            self.sheet.close()
        except StoreError as error:
            sheet.abandon()
            self._say(str(error))
            return
        self._count()
        self.sheet, self.number, self.top = sheet, number, 0
        self._seen.add(number)

    def _first_opened(self, number: int) -> tuple[int, Sheet]:
        """This page, or the next that can be opened: one that is broken, or open elsewhere, stops no queue."""
        problems: list[VictorError] = []
        for candidate in (*range(number, len(self.entries)), *range(number)):
            try:
                sheet = self._opened(candidate)
            except VictorError as error:
                problems.append(error)
                continue
            told = [str(problem) for problem in problems] + [sheet.session.message]
            sheet.session = replace(sheet.session, message="; ".join(filter(None, told)))
            return candidate, sheet
        raise problems[0]

    def _opened(self, number: int) -> Sheet:
        entry, settings = self.entries[number], self.settings
        opened = open_page(entry.source, entry.anno, settings.markup, settings.annotator)
        sides = settings.sides(entry, opened.page) if settings.sides else None
        return Sheet(opened, self.model, settings.order, sides)

    # Saving and leaving

    def save(self) -> None:
        try:
            self._say(self.sheet.save() or "saved")
        except StoreError as error:
            self._say(str(error))

    def leave(self) -> None:
        """Asks only if something would be lost, or would not be where it is looked for."""
        try:
            self.sheet.close()
        except StoreError as error:
            self.mode = "leave"
            self._say(str(error))
            return
        self.is_over = True

    def end(self) -> None:
        """However the program ends: nothing of it goes on, and what can be kept is."""
        if not self.is_over:
            with suppress(StoreError):
                self.sheet.close()
        if self._learning:
            self._learning.stop()
        if self._folder:
            self._folder.cleanup()

    # Around the page

    def browse(self) -> None:
        self._folder = self._folder or TemporaryDirectory(prefix="victor-")
        try:
            show(self.sheet.html, self.session.page.url, Path(self._folder.name))
            self._say("shown in the browser")
        except VictorError as error:
            self._say(str(error))

    def wrap(self) -> None:
        self.is_wrapped = not self.is_wrapped

    def retrain(self) -> None:
        """Begins to learn from all pages that have labels, this one as it is now."""
        if self._learning is None:
            self._say("a review does not train")
            return
        try:
            self._say(self.sheet.save())
        except StoreError as error:
            self._say(str(error))
            return
        self._count()
        files = [entry.anno for entry in self.entries if entry.labeled and entry.anno.exists()]
        if files:
            self._learning.start(files)
        else:
            self._say("nothing to learn from: no block has a label yet")

    def tick(self) -> bool:
        """What goes on without keys; is there anything new to be seen?"""
        before = (self.news, self.sheet.trouble, self.session)
        if self.sheet.trouble:
            self.sheet.keep()
        model = self._learning.poll() if self._learning else None
        if model:
            self.model = model
            self.sheet.suggest(model)
        return before != (self.news, self.sheet.trouble, self.session)


def _scrolled(name: str, place: int, page: int) -> int | None:
    """Where a movement leads in a list of which so many lines are in sight, its ends aside; None of another action."""
    places = {
        "down": place + 1,
        "up": place - 1,
        "page-down": place + max(1, page),
        "page-up": place - max(1, page),
        "first": 0,
        "last": sys.maxsize,
    }
    return places.get(name)


def _character(key: str) -> str:
    return " " if key == "space" else key if len(key) == 1 else ""


_ON_DESK: Mapping[str, Callable[[Desk], None]] = {
    "accept-screen": Desk.accept_screen,
    "retrain": Desk.retrain,
    "page-down": lambda desk: desk.turn(1),
    "page-up": lambda desk: desk.turn(-1),
    "last": lambda desk: desk.sheet.become(sessions.at(desk.session, len(desk.session) - 1)),
    "go": lambda desk: desk.ask("go"),
    "search": lambda desk: desk.ask("search"),
    "html": lambda desk: desk.open_text("html"),
    "browser": Desk.browse,
    "wrap": Desk.wrap,
    "help": lambda desk: desk.open_text("help"),
    "save": Desk.save,
    "next-page": lambda desk: desk.go_to(desk.number + 1),
    "previous-page": lambda desk: desk.go_to(desk.number - 1),
    "pages": Desk.open_pages,
    "choose": lambda desk: desk.sheet.become(sessions.moved(desk.session, 1)),
    "quit": Desk.leave,
}

_WITHOUT_TEXT = {"browser", "help", "save", "next-page", "previous-page", "pages", "quit", "choose", "back", "retrain"}
