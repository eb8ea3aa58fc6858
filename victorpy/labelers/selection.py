"""Selectors of users: they make elements of a page content or noise, whatever a labeler says."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

from victorpy import _core
from victorpy.errors import OptionError, UsageError
from victorpy.foundation.hosts import site_of
from victorpy.labelers import Labeling
from victorpy.labelers.markup_kinds import continuations, kinds_by_markup
from victorpy.labelers.selector_rules import ALL_HOSTS, HostRule, check_selectors, rules_of, selector, shortened
from victorpy.page.blocks import Label, Page
from victorpy.page.metadata import LISTS, Metadata


@dataclass(frozen=True)
class Selection:
    """Selectors for all pages, and rules by host. `host` is the host of pages without an address.

    What `keep` selects becomes content, and what `drop` selects becomes noise, also inside of what `keep` selects.
    """

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    rules: Mapping[str, HostRule] = field(default_factory=dict)
    host: str | None = None

    def __post_init__(self) -> None:
        for name in ("keep", "drop"):
            check_selectors(getattr(self, name), name)

    def joined(self, other: "Selection") -> "Selection":
        """Both selections; of two rules for the same host, the other one's is used."""
        rules, host = {**self.rules, **other.rules}, other.host or self.host
        return Selection((*self.keep, *other.keep), (*self.drop, *other.drop), rules, host)

    def applied(self, page: Page, labeling: Labeling) -> Labeling:
        """The labels as the selectors change them. Its reason names the selectors that match nothing."""
        rules = self.rules_for(page)
        keep, drop = ([*chain.from_iterable(getattr(rule, name) for rule in rules)] for name in ("keep", "drop"))
        kept, dropped = _matched(page, keep), _matched(page, drop)
        labels = overridden(page, labeling.labels, kept.blocks, dropped.blocks) if keep or drop else labeling.labels
        reasons = (labeling.reason, *self._unmatched("keep", kept), *self._unmatched("drop", dropped))
        forced = [*map(or_, kept.blocks, dropped.blocks)]
        forced = [*map(or_, forced, labeling.forced)] if labeling.forced else forced
        return replace(labeling, labels=labels, forced=forced, reason="; ".join(filter(None, reasons)))

    def with_facts(self, page: Page) -> Metadata:
        """The metadata of the page with the facts that the rules of its host select."""
        rules = [rule for rule in self.rules_for(page) if isinstance(rule, HostRule)]
        facts: dict[str, Any] = {}
        for name, option in _FACTS.items():
            selectors = filter(None, (getattr(rule, name) for rule in reversed(rules)))
            values = next(filter(None, (option.values(page, text) for text in selectors)), None)
            if values:
                facts[option.field] = values if option.field in LISTS else values[0]
        return replace(page.metadata, **facts, evidence=dict.fromkeys(facts, "rules")) if facts else page.metadata

    def rules_for(self, page: Page) -> "list[Selection | HostRule]":
        """All rules that apply to the page: first the general ones, last those of its very host."""
        host = site_of(page.url, page.id, self.host)
        names = [ALL_HOSTS, *reversed([*_domains(host)])] if host else [ALL_HOSTS]
        return [self, *(self.rules[name] for name in names if name in self.rules)]

    def _unmatched(self, option: str, matched: "Matched") -> Iterator[str]:
        """Rules for all hosts are for many kinds of pages, so they are not reported."""
        general = self.rules[ALL_HOSTS] if ALL_HOSTS in self.rules else HostRule()
        for text in matched.nothing:
            if text not in getattr(general, option) or text in getattr(self, option):
                what = "nothing" if text in matched.absent else "no text"
                yield f"{option} '{shortened(text)}' matches {what}"


class FactOption(NamedTuple):
    """The field of the metadata that a rule sets; a date is read as ISO 8601."""

    field: str
    is_date: bool = False

    def values(self, page: Page, text: str) -> tuple[str, ...]:
        found = page.core.selected_values(selector(text))
        return tuple(filter(None, map(_core.date_of, found))) if self.is_date else tuple(dict.fromkeys(found))


_FACTS = {
    "title": FactOption("title"),
    "author": FactOption("authors"),
    "date": FactOption("date_published", is_date=True),
}


def selection(
    keep: str | Iterable[str] = (),
    drop: str | Iterable[str] = (),
    rules: str | Path | None = None,
    host: str | None = None,
    prefix: str = "",
) -> Selection:
    """The selection of these selectors, and of the rules in a file. Errors write `prefix` before an option's name."""
    try:
        return Selection(_listed(keep), _listed(drop), {} if rules is None else rules_of(rules), host)
    except OptionError as error:
        raise UsageError(f"{prefix}{error.names[0]} {error.message}") from None


def _listed(selectors: str | Iterable[str]) -> tuple[str, ...]:
    return (selectors,) if isinstance(selectors, str) else tuple(selectors)


def _domains(host: str) -> Iterator[str]:
    """The host and the domains that it belongs to: a.b.org, b.org, org."""
    while host:
        yield host
        host = host.partition(".")[2]


class Matched(NamedTuple):
    """The blocks that some selectors select, and the selectors that select no block or even no element."""

    blocks: Sequence[bool]
    nothing: Sequence[str]
    absent: Collection[str]


def _matched(page: Page, selectors: Sequence[str]) -> Matched:
    found = {text: page.core.selected(selector(text)) for text in dict.fromkeys(selectors)}
    blocks = [*map(any, zip(*(blocks for blocks, _ in found.values()), strict=True))] if found else []
    nothing = [text for text, (blocks, _) in found.items() if not any(blocks)]
    return Matched(blocks or [False] * len(page), nothing, {text for text in nothing if not found[text][1]})


def overridden(page: Page, labels: Sequence[Label], keeps: Iterable[bool], drops: Iterable[bool]) -> list[Label]:
    """Labels with kept and dropped blocks. The rest of a passage keeps the passage's kind."""
    kinds, continues = kinds_by_markup(page), continuations(page)
    changed: list[Label] = []
    passage, is_open = Label.PARAGRAPH, False
    for number, (label, is_kept, is_dropped) in enumerate(zip(labels, keeps, drops, strict=True)):
        if label.is_content and label is not Label.CONTINUATION:
            passage, is_open = label, False
        if is_dropped or not (is_kept or label.is_content):
            changed.append(Label.OTHER)
        elif label.is_content:
            changed.append(label if is_open else passage)
            is_open = True
        else:
            is_more = continues[number] and changed[-1:] != [Label.OTHER]
            changed.append(Label.CONTINUATION if is_more else kinds[number])
            is_open &= is_more
    return changed
