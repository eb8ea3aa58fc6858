"""The page that is being labeled: its session, and the store that writes each change to disk."""

from dataclasses import replace

from victorpy.annotator.label_store import ResumedPage, StoreError
from victorpy.annotator.session import Labels, Order, Session, agreed_labels, at_first_open, difference
from victorpy.annotator.suggestions import suggestions
from victorpy.models.model_folder import Model
from victorpy.page.blocks import Page

Sides = tuple[Labels, Labels]


class OpenPage:
    """After `update` the session is on disk, or `write_error` says why not."""

    def __init__(self, resumed: ResumedPage[Page], model: Model | None, order: Order, sides: Sides | None = None):
        self.store, self.html = resumed.store, resumed.html
        self.write_error = ""
        self._stored_labels: Labels = resumed.labels
        self._stored_cursor = resumed.cursor
        self._stored_flags = resumed.flags
        state = Session(resumed.page, resumed.labels, cursor=resumed.cursor, order=order, sides=sides)
        self.session = replace(state, flags=resumed.flags)
        if model:
            self.suggest(model)
        if sides:
            self.update(replace(self.session, labels=_filled(resumed.labels, agreed_labels(*sides))))
        if not resumed.cursor and not any(resumed.labels):
            self.update(at_first_open(self.session))
        self.session = replace(self.session, message="; ".join(resumed.messages))

    def suggest(self, model: Model) -> None:
        """Show the suggestions of this model from now on."""
        self.session = replace(self.session, suggestions=suggestions(model, self.session.page))

    def update(self, session: Session) -> None:
        self.session = session
        self.write_changes()

    def write_changes(self) -> None:
        """Pass to the store what changed since the last call; the store remembers what it cannot write yet."""
        edit = difference(self._stored_labels, self.session.labels)
        is_moved = self.session.cursor != self._stored_cursor
        self._stored_labels, self._stored_cursor = self.session.labels, self.session.cursor
        try:
            if edit:
                self.store.record(edit.first, edit.after, self._stored_cursor)
            elif is_moved:
                self.store.move(self._stored_cursor)
            self._write_flags()
            if self.write_error:
                self.store.catch_up()
        except StoreError as error:
            self.write_error = str(error)
        else:
            self.write_error = ""

    def _write_flags(self) -> None:
        before, self._stored_flags = self._stored_flags, self.session.flags
        if before is not self._stored_flags:
            for block in sorted(before.keys() | self._stored_flags.keys()):
                note = self._stored_flags.get(block)
                if note != before.get(block):
                    self.store.flag(block, note)

    def save(self) -> str:
        return self.store.save(self.session.labels, self.session.cursor)

    def close(self) -> str:
        return self.store.close(self.session.labels, self.session.cursor)

    def abandon(self) -> None:
        self.store.abandon()


def _filled(labels: Labels, more: Labels) -> Labels:
    return tuple(label or other for label, other in zip(labels, more, strict=True))
