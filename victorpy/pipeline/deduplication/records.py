"""Removes duplicates among records of pages, as `jsonl` prints them. The first page is kept."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from victorpy.errors import OptionError
from victorpy.foundation.bounds import AT_LEAST_1, Range, check_bounds
from victorpy.page.blocks import Label
from victorpy.pipeline.deduplication.known_texts import KnownTexts, Match
from victorpy.pipeline.deduplication.signatures import rensa

Record = Mapping[str, Any]


_BOUNDS = {"threshold": Range(0.1, 1), "least_characters": AT_LEAST_1}


@dataclass(frozen=True)
class Deduplication:
    """What counts as a duplicate: pages and, as an option, passages.

    `threshold` is the share of runs of five words that nearly equal texts have in common; without it only equal texts
    are duplicates. Passages of fewer than `least_characters` are never dropped.
    """

    threshold: float | None = 0.8
    passages: bool = False
    near_passages: bool = False
    least_characters: int = 50

    def __post_init__(self) -> None:
        check_bounds(self, _BOUNDS)
        if self.near_passages and self.threshold is None:
            raise OptionError("needs a threshold", "near-passages")
        if self.threshold is not None:
            rensa()


def deduplicated(records: Iterable[Record], settings: Deduplication) -> Iterator[Record]:
    """All records in their order. Duplicates have no text, and a reason that says what they duplicate."""
    return map(Deduplicator(settings).deduplicated, records)


class Deduplicator:
    """Takes records one at a time, from any number of files. `counts` holds the number of each result."""

    def __init__(self, settings: Deduplication) -> None:
        self.counts = Counter[str]()
        self._pages, self._ids = KnownTexts(settings.threshold), _Ids()
        self._passages = _KnownPassages(settings) if settings.passages else None

    def deduplicated(self, record: Record) -> Record:
        """The record itself if nothing in it is a duplicate."""
        text = record.get("text")
        if not isinstance(text, str) or not text or text.isspace():
            self.counts["without text"] += 1
            return record
        match = self._pages.match(text)
        if match:
            self.counts["duplicates" if match.similarity is None else "near duplicates"] += 1
            return without_text(record, _reason(match, self._ids[match.number]))
        self._ids.append(str(record.get("id", "")))
        return self._with_new_passages(record)

    def _with_new_passages(self, record: Record) -> Record:
        kept = self._passages.without_known(record) if self._passages else record
        self.counts["dropped for their passages" if kept.get("status") == "dropped" else "kept"] += 1
        return kept

    @property
    def passages_dropped(self) -> int:
        return self._passages.dropped if self._passages else 0


# The lists in a record that are empty without a text.
_LISTS = ("outline", "passages", "blocks", "posts")

# Texts that cannot be written again without the page.
_WRITTEN = ("markdown", "html")


def without_text(record: Record, reason: str) -> Record:
    lists = {name: list[Any]() for name in _LISTS}
    emptied: dict[str, Any] = {"text": "", "confidence": None} | lists | dict.fromkeys(_WRITTEN)
    return {**record, "status": "dropped", "reason": reason} | {
        name: value for name, value in emptied.items() if name in record
    }


def _reason(match: Match, id: str) -> str:
    return f"duplicate of {id}" if match.similarity is None else f"near duplicate of {id} ({match.similarity:.2f})"


class _KnownPassages:
    def __init__(self, settings: Deduplication) -> None:
        self._least = settings.least_characters
        self._known = KnownTexts(settings.threshold if settings.near_passages else None)
        self.dropped = 0

    def without_known(self, record: Record) -> Record:
        passages = passages_of(record)
        is_new = [self._is_new(passage["text"]) for passage in passages]
        known = is_new.count(False)
        self.dropped += known
        if not known:
            return record
        message = f"{known} passage{'s' * (known > 1)} of {len(passages)} seen before"
        if known == len(passages):
            return without_text(record, message)
        kept = [passage for passage, is_kept in zip(passages, is_new, strict=True) if is_kept]
        reason = "; ".join(filter(None, (record.get("reason"), message)))
        return {**record, "reason": reason} | _with_passages(record, kept)

    def _is_new(self, text: str) -> bool:
        return len(text) < self._least or self._known.match(text) is None


def passages_of(record: Record) -> list[Record]:
    """The passages of a record, or the lines of its text if it has none."""
    return record["passages"] if _has_passages(record) else [{"text": line} for line in _lines(record["text"])]


def _has_passages(record: Record) -> bool:
    """Does it have victorpy's passages? Other programs may use the word for something else."""
    found = record.get("passages")
    return _are(_is_passage, found) and bool(found) and _are(_is_block, record.get("blocks", []))


def _are(is_one: Callable[[Any], bool], found: Any) -> bool:
    return isinstance(found, list) and all(map(is_one, found))


def _is_passage(found: Any) -> bool:
    return isinstance(found, dict) and isinstance(found.get("text"), str) and _are(_is_number, found.get("blocks"))


def _is_block(found: Any) -> bool:
    return isinstance(found, dict) and _is_number(found.get("id"))


def _is_number(found: Any) -> bool:
    return isinstance(found, int)


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def _with_passages(record: Record, passages: list[Record]) -> dict[str, Any]:
    """The fields of a record that depend on its passages, for these passages only."""
    changed: dict[str, Any] = {"text": "".join(f"{passage['text']}\n" for passage in passages)}
    if not _has_passages(record):
        return changed
    kept = {number for passage in passages for number in passage["blocks"]}
    blocks = [block if block["id"] in kept else {**block, "label": Label.OTHER} for block in record.get("blocks", [])]
    written = {name: None for name in _WRITTEN if name in record}
    outline = {"outline": _pruned(record["outline"], kept)} if isinstance(record.get("outline"), list) else {}
    return changed | written | outline | {"passages": passages, "blocks": blocks}


def _pruned(nodes: list[Any], kept: set[int]) -> list[Any]:
    """An outline without the nodes that hold only blocks that are not kept."""
    pruned = ({**node, "children": _pruned(node["children"], kept)} if node.get("children") else node for node in nodes)
    return [node for node in pruned if _is_left(node, kept)]


def _is_left(node: Mapping[str, Any], kept: set[int]) -> bool:
    """Headings that stand in no block stay, and empty cells, so that rows keep their width."""
    if node.get("type") == "cell":
        return True
    if "children" in node:
        return any(child.get("children", True) for child in node["children"])
    return not node.get("blocks") or not kept.isdisjoint(node["blocks"])


class _Ids:
    """A list of texts in one array of bytes."""

    def __init__(self) -> None:
        self._content, self._ends = bytearray(), array("Q", [0])

    def append(self, id: str) -> None:
        self._content += id.encode("utf-8", "replace")
        self._ends.append(len(self._content))

    def __getitem__(self, number: int) -> str:
        return self._content[self._ends[number] : self._ends[number + 1]].decode()
