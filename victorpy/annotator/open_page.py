"""A page under work: its session, and the store that keeps every change of it."""

from dataclasses import replace

from victorpy.annotator.label_store import Opened, StoreError
from victorpy.annotator.session import Labels, Order, Session, agreed, begun, difference
from victorpy.annotator.suggestions import suggestions
from victorpy.models.model_folder import Model


class Sheet:
    """Whatever the session becomes is on disk when `become` returns, or `trouble` says why not."""

    def __init__(self, opened: Opened, model: Model | None, order: Order, sides: tuple[Labels, Labels] | None = None):
        self.store, self.html = opened.store, opened.html
        self.trouble = ""
        self._told: Labels = opened.labels
        self._cursor = opened.cursor
        self.session = Session(opened.page, opened.labels, cursor=opened.cursor, order=order, sides=sides)
        if model:
            self.suggest(model)
        if sides:
            self.become(replace(self.session, labels=_filled(opened.labels, agreed(*sides))))
        if not opened.cursor and not any(opened.labels):
            self.become(begun(self.session))
        self.session = replace(self.session, message="; ".join(opened.messages))

    def suggest(self, model: Model) -> None:
        """From now on what this model suggests is shown."""
        self.session = replace(self.session, suggestions=suggestions(model, self.session.page))

    def become(self, session: Session) -> None:
        self.session = session
        self.keep()

    def keep(self) -> None:
        """Hands over what the store has not been told, which it remembers even where it cannot write it yet."""
        change, is_moved = difference(self._told, self.session.labels), self.session.cursor != self._cursor
        self._told, self._cursor = self.session.labels, self.session.cursor
        try:
            if change:
                self.store.record(change.first, change.after, self._cursor)
            elif is_moved:
                self.store.move(self._cursor)
            if self.trouble:
                self.store.catch_up()
        except StoreError as error:
            self.trouble = str(error)
        else:
            self.trouble = ""

    def save(self) -> str:
        return self.store.save(self.session.labels, self.session.cursor)

    def close(self) -> str:
        return self.store.close(self.session.labels, self.session.cursor)

    def abandon(self) -> None:
        self.store.abandon()


def _filled(labels: Labels, more: Labels) -> Labels:
    return tuple(label or other for label, other in zip(labels, more, strict=True))
