"""What each key and click does in each view, independent of the terminal."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from victorpy.annotator import screen_parts
from victorpy.annotator import session as sessions
from victorpy.annotator.alike_blocks import alike_blocks, alike_message, label_alike, with_alike
from victorpy.annotator.background_training import BackgroundTraining
from victorpy.annotator.block_lines import MARGIN, ListArea, last_whole, rows, top_for
from victorpy.annotator.browser import show
from victorpy.annotator.keys import Keys, shown
from victorpy.annotator.label_store import StoreError, resume_page
from victorpy.annotator.open_page import OpenPage
from victorpy.annotator.page_queue import QueuedPage, State
from victorpy.annotator.session import Labels, Order, Session
from victorpy.errors import VictorError
from victorpy.models.model_folder import Model
from victorpy.page.blocks import FIELDS, LABELS, Label, Page
from victorpy.page.markup import STANDARD as STANDARD_MARKUP
from victorpy.page.markup import Markup

if TYPE_CHECKING:
    from victorpy.annotator.training_task import TrainingTask

View = Literal["label", "help", "html", "pages", "search", "go", "note", "leave"]

_WHEEL = 3

# In these views, keys are text.
_QUESTIONS = ("search", "go", "note")

_SESSION_ACTIONS: Mapping[str, Callable[[Session], Session]] = {
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
    "take-one": partial(sessions.side_taken, side=0),
    "take-two": partial(sessions.side_taken, side=1),
    "next-open": sessions.to_next_open,
    "previous-open": partial(sessions.to_next_open, step=-1),
    "next-doubtful": sessions.to_next_doubtful,
    "previous-doubtful": partial(sessions.to_next_doubtful, step=-1),
    "order": sessions.order_switched,
    "down": partial(sessions.moved_by, by=1),
    "up": partial(sessions.moved_by, by=-1),
    "first": partial(sessions.moved_to, block=0),
    "next-kind": sessions.to_next_kind,
    "previous-kind": partial(sessions.to_next_kind, step=-1),
    "search-next": sessions.found_next,
    "search-previous": sessions.found_previous,
    "flag": sessions.flag_toggled,
    "next-flag": sessions.to_next_flag,
    "mark": sessions.mark_toggled,
    "mark-down": partial(sessions.mark_extended, by=1),
    "mark-up": partial(sessions.mark_extended, by=-1),
    "back": sessions.unmarked,
}


@dataclass(frozen=True)
class Settings:
    """How pages are opened and shown. `sides` gives the labels of two annotators, in a review."""

    keys: Keys
    markup: Markup = STANDARD_MARKUP
    labels: Sequence[Label] = LABELS
    model: Model | None = None
    order: Order = "page"
    annotator: str = ""
    sides: Callable[[QueuedPage, Page], tuple[Labels, Labels]] | None = None
    training: "Callable[[Sequence[Path]], TrainingTask] | None" = None


class Controller:
    """The open page, the queue of pages, and the current view; `is_over` after the person leaves."""

    def __init__(self, entries: Sequence[QueuedPage], settings: Settings, number: int = 0):
        self.queue, self.settings = list(entries), settings
        self.model = settings.model
        self.mode: View = "label"
        self.top, self.scroll, self.chosen = 0, 0, 0
        self.typed, self.origin = "", 0
        self.is_wrapped = False
        self.is_over = False
        self.size = (80, 24)
        self._training = BackgroundTraining(settings.training) if settings.training else None
        self._folder: TemporaryDirectory[str] | None = None
        self._actions = {key: name for name, keys in settings.keys.items() for key in keys}
        self.number, self.page = self._first_opened(number)
        self._visited = {self.number}

    @property
    def visited(self) -> list[QueuedPage]:
        """The pages that were opened and saved, with their counts of labels."""
        self._update_counts()
        return [self.queue[number] for number in sorted(self._visited)]

    @property
    def unavailable(self) -> set[str]:
        """The actions for labels that the config does not have."""
        return {f"label-{field}" for field in FIELDS if field not in self.settings.labels}

    @property
    def training_status(self) -> str:
        return self._training.status if self._training else ""

    @property
    def session(self) -> Session:
        return self.page.session

    # Keys

    def press(self, key: str) -> None:
        """Perform the action of a key in the current view, and scroll to the cursor."""
        if self.page.write_error:
            self.page.write_changes()
        self._do(key)
        self.resize(*self.size)

    def _do(self, key: str) -> None:
        """In a question the key is text; elsewhere the table of keys names its action."""
        if self.mode in _QUESTIONS:
            self._type(key)
        elif self.mode == "leave":
            self._answer(key)
        elif key in self._actions:
            self._act(self._actions[key])
        elif self.mode == "label":
            self._say_with_key(f"{key!r} does nothing here", "help", "shows all keys")

    def paste(self, text: str) -> None:
        """Pasted text goes into a question; it never acts as keys."""
        if self.mode in _QUESTIONS:
            for character in text.splitlines()[0] if text else "":
                self._type(character)

    def _act(self, name: str) -> None:
        if self.mode == "pages":
            self._act_on_pages(name)
        elif self.mode in ("help", "html"):
            self._act_on_text(name)
        elif not len(self.session) and name not in _NEED_NO_TEXT:
            self._say("this page has no text")
        elif name in self.unavailable:
            self._say(f"the config has no label '{name.removeprefix('label-')}'")
        elif name in _SESSION_ACTIONS:
            self.page.update(_SESSION_ACTIONS[name](self.session))
        else:
            _CONTROLLER_ACTIONS[name](self)
        self._say_next_step()

    def _say_next_step(self) -> None:
        """At the end of a page, name the key that leads on."""
        message = self.session.message
        if message == sessions.ALL_LABELED and self.number + 1 < len(self.queue):
            self._say_with_key(message, "next-page", "goes to the next page")
        elif message == sessions.SOME_OPEN:
            self._say_with_key(message, "next-open", "goes to the next of them")

    def _say(self, message: str) -> None:
        self.page.session = replace(self.session, message=message)

    def _say_with_key(self, message: str, action: str, result: str) -> None:
        keys = "/".join(map(shown, self.settings.keys[action]))
        self._say(f"{message}; {keys} {result}" if keys else message)

    # Moving by screens

    def resize(self, width: int, height: int) -> None:
        """Remember the size of the window, and scroll to the cursor."""
        self.size = (width, height)
        self.top = top_for(self.session, self.top, self.area)

    @property
    def area(self) -> ListArea:
        width, height = self.size
        return ListArea(width, max(1, screen_parts.list_height(height)), self.is_wrapped)

    def turn(self, screens: int) -> None:
        blocks = max(1, last_whole(self.session, self.top, self.area) - self.top)
        self.top = max(0, min(self.top + screens * blocks, len(self.session) - 1))
        self.page.update(sessions.moved_by(self.session, screens * blocks))

    def wheel(self, steps: int) -> None:
        if self.mode != "label":
            self._act("down" if steps > 0 else "up")
            return
        self.top = max(0, min(self.top + _WHEEL * steps, len(self.session) - 1))
        last = last_whole(self.session, self.top, self.area)
        margin = 0 if steps < 0 and self.top == 0 else MARGIN
        within_view = max(self.top + margin, min(self.session.cursor, max(self.top, last - MARGIN)))
        self.page.update(sessions.moved_to(self.session, within_view))

    def click(self, line: int, *, is_dragged: bool = False) -> None:
        """Move the cursor to the block on this line of the screen; a drag marks the range up to it."""
        if self.mode != "label":
            return
        visible_lines = rows(self.session, self.top, self.area)
        if not 0 <= line - 1 < len(visible_lines):
            return
        block = visible_lines[line - 1].block
        if not is_dragged:
            self.page.update(sessions.moved_to(sessions.unmarked(self.session), block))
        elif block != self.session.cursor:
            marking = self.session if self.session.anchor is not None else sessions.mark_toggled(self.session)
            self.page.update(sessions.moved_to(marking, block))

    def accept_screen(self) -> None:
        last = last_whole(self.session, self.top, self.area)
        self.page.update(sessions.accepted_range(self.session, self.top, last))
        if self.session.cursor == last + 1:
            self.top = last

    # Questions

    def ask(self, mode: Literal["search", "go", "note"]) -> None:
        self.mode, self.typed, self.origin = mode, "", self.session.cursor
        if mode == "note":
            self.typed = self.session.flags.get(self.origin, "")

    def _type(self, key: str) -> None:
        action = self._actions.get(key) if len(key) > 1 else None
        if key == "escape" or action == "quit":
            self._end_question(is_confirmed=False)
        elif key == "enter":
            self._end_question(is_confirmed=True)
        elif key == "backspace" and not self.typed:
            self._end_question(is_confirmed=False)
        else:
            self.typed = self.typed[:-1] if key == "backspace" else self.typed + _character(key)
            if self.mode == "search" and self.typed:
                self.page.update(sessions.searched(self.session, self.typed, self.origin))

    def _end_question(self, *, is_confirmed: bool) -> None:
        mode, self.mode = self.mode, "label"
        if not is_confirmed:
            self.page.update(sessions.moved_to(self.session, self.origin))
        elif mode == "note":
            self.page.update(sessions.noted(self.session, self.typed))
        elif mode == "go" and self.typed.isdecimal():
            self.page.update(sessions.moved_to(self.session, int(self.typed)))
        elif mode == "go":
            self._say(f"expected the number of a block, got '{self.typed}'")
        elif not self.typed:
            self.page.update(sessions.found_next(self.session))

    def _answer(self, key: str) -> None:
        if key in ("y", "Y"):
            self.page.abandon()
            self._visited.discard(self.number)  # its file does not hold what was labeled here
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
        self._update_counts()
        self.mode, self.chosen = "pages", self.number

    def _act_on_pages(self, name: str) -> None:
        place = _scrolled(name, self.chosen, self.size[1] - 3)
        if place is not None:
            self.chosen = max(0, min(place, len(self.queue) - 1))
        elif name == "choose":
            self.mode = "label"
            self.go_to(self.chosen)
        elif name in ("back", "quit", "pages"):
            self.mode = "label"

    def _update_counts(self) -> None:
        """Update the counts of the open page in the queue."""
        session = self.session
        labeled = sum(label is not None for label in session.labels)
        state: State = "done" if session.is_done else "started" if labeled else "open"
        self.queue[self.number] = self.queue[self.number]._replace(state=state, labeled=labeled, blocks=len(session))

    def go_to(self, number: int) -> None:
        """Save the page and open another; stay if either fails."""
        if not 0 <= number < len(self.queue):
            self._say("this is the last page" if number > 0 else "this is the first page")
        elif number != self.number and (page := self._try_open(number)):
            self._change_to(number, page)

    def _try_open(self, number: int) -> OpenPage | None:
        try:
            return self._opened(number)
        except VictorError as error:
            self._say_with_key(str(error), "pages", "lists the others")
            return None

    def _change_to(self, number: int, page: OpenPage) -> None:
        try:
            self.page.close()
        except StoreError as error:
            page.abandon()
            self._say(str(error))
            return
        self._update_counts()
        self.page, self.number, self.top = page, number, 0
        self._visited.add(number)

    def _first_opened(self, number: int) -> tuple[int, OpenPage]:
        """Open this page, or the next one that opens: a broken or locked page is skipped."""
        problems: list[VictorError] = []
        for candidate in (*range(number, len(self.queue)), *range(number)):
            try:
                page = self._opened(candidate)
            except VictorError as error:
                problems.append(error)
                continue
            messages = [str(problem) for problem in problems] + [page.session.message]
            page.session = replace(page.session, message="; ".join(filter(None, messages)))
            return candidate, page
        raise problems[0]

    def _opened(self, number: int) -> OpenPage:
        entry, settings = self.queue[number], self.settings
        opened = resume_page(entry.source, entry.anno, settings.markup, settings.annotator)
        sides = settings.sides(entry, opened.page) if settings.sides else None
        return OpenPage(opened, self.model, settings.order, sides)

    # Saving and leaving

    def save(self) -> None:
        try:
            self._say(self.page.save() or "saved")
        except StoreError as error:
            self._say(str(error))

    def leave(self) -> None:
        """Leave; ask first if the labels cannot be saved."""
        try:
            self.page.close()
        except StoreError as error:
            self.mode = "leave"
            self._say(str(error))
            return
        self.is_over = True

    def end(self) -> None:
        """Stop all background work and keep what can be kept, however the program ends."""
        if not self.is_over:
            with suppress(StoreError):
                self.page.close()
        if self._training:
            self._training.stop()
        if self._folder:
            self._folder.cleanup()

    # Around the page

    def browse(self) -> None:
        self._folder = self._folder or TemporaryDirectory(prefix="victor-")
        try:
            show(self.page.html, Path(self._folder.name))
            self._say("a copy without scripts and network is open in the browser")
        except VictorError as error:
            self._say(str(error))

    def label_alike(self) -> None:
        """Give the label of the block to all blocks alike, here and on the other pages of the site."""
        session, label = self.session, self.session.labels[self.session.cursor]
        if label is None:
            self._say("give the block a label first: all blocks alike then get the same")
            return
        wanted = alike_blocks(session.page, self.page.html, session.cursor, label)
        here = sessions.relabeled(session, with_alike(session.page, session.labels, wanted.path, label))
        self.page.update(here)
        others = [entry for number, entry in enumerate(self.queue) if number != self.number]
        if self.settings.sides:
            others = []
        elsewhere = label_alike(others, wanted, self.settings.markup, self.settings.annotator)
        count = sum(new is not old for new, old in zip(here.labels, session.labels, strict=True))
        self._say(alike_message(count, elsewhere))

    def wrap(self) -> None:
        self.is_wrapped = not self.is_wrapped

    def retrain(self) -> None:
        """Start training on all labeled pages, including this one as it is now."""
        if self._training is None:
            self._say("there is no training in a review")
            return
        try:
            self._say(self.page.save())
        except StoreError as error:
            self._say(str(error))
            return
        self._update_counts()
        files = [entry.anno for entry in self.queue if entry.labeled and entry.anno.exists()]
        if files:
            self._training.start(files)
        else:
            self._say("nothing to train on: no block has a label yet")

    def tick(self) -> bool:
        """Do what needs no key; return whether the screen changes."""
        before = (self.training_status, self.page.write_error, self.session)
        if self.page.write_error:
            self.page.write_changes()
        model = self._training.poll() if self._training else None
        if model:
            self.model = model
            self.page.suggest(model)
        if self._training and (problem := self._training.take_problem()):
            self._say(problem)
        return before != (self.training_status, self.page.write_error, self.session)


def _scrolled(name: str, place: int, page: int) -> int | None:
    """The new place in a scrolled list, before clamping; None if the action is no movement."""
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


_CONTROLLER_ACTIONS: Mapping[str, Callable[[Controller], None]] = {
    "accept-screen": Controller.accept_screen,
    "retrain": Controller.retrain,
    "page-down": lambda c: c.turn(1),
    "page-up": lambda c: c.turn(-1),
    "last": lambda c: c.page.update(sessions.moved_to(c.session, len(c.session) - 1)),
    "go": lambda c: c.ask("go"),
    "search": lambda c: c.ask("search"),
    "note": lambda c: c.ask("note"),
    "label-alike": Controller.label_alike,
    "html": lambda c: c.open_text("html"),
    "browser": Controller.browse,
    "wrap": Controller.wrap,
    "help": lambda c: c.open_text("help"),
    "save": Controller.save,
    "next-page": lambda c: c.go_to(c.number + 1),
    "previous-page": lambda c: c.go_to(c.number - 1),
    "pages": Controller.open_pages,
    "choose": lambda c: c.page.update(sessions.moved_by(c.session, 1)),
    "quit": Controller.leave,
}

_NEED_NO_TEXT = {"browser", "help", "save", "next-page", "previous-page", "pages", "quit", "choose", "back", "retrain"}
