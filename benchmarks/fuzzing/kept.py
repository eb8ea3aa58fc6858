"""What other commands have kept: journals, answers, quarantines, outcomes, records, keys and tables."""

import gzip
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fuzzing.mutation import chance_of, plain
from fuzzing.promises import promise
from fuzzing.reading import Target, cleaner_of, refused, small_page, written
from fuzzing.sources import LARGEST_PAGE, check_raw
from victorpy.annotation import page_groups
from victorpy.annotator import keys, training_task
from victorpy.annotator import label_journal as journals
from victorpy.evaluation import predictions
from victorpy.labelers.stopwords import words_in
from victorpy.output import quarantine
from victorpy.page.blocks import Label
from victorpy.pipeline.batch import Job
from victorpy.pipeline.deduplication.record_files import deduplicated_lines
from victorpy.pipeline.deduplication.records import Deduplication, Deduplicator
from victorpy.pipeline.runs import journal, plan, verification
from victorpy.pipeline.runs.manifest import counted
from victorpy.pipeline.runs.run_folder import Run
from victorpy.sources import addresses

_HASH = "0" * 64


def _journal_seeds() -> list[bytes]:
    entries = (
        journal.Fingerprint(12, _HASH),
        journal.Part("00001-0001.txt.gz", 1, 20, {"ok": 18, "empty": 2}, _HASH, _HASH),
        journal.Part("00001-0002.txt.gz", 21, 30, {"ok": 9, "crashed": 1}, _HASH, _HASH),
        journal.End(30, "the file is cut off"),
    )
    names = ("input", "part", "part", "end")
    lines = (json.dumps({name: entry._asdict()}) + "\n" for name, entry in zip(names, entries, strict=True))
    return ["".join(lines).encode(), _run_facts()]


def _run_facts() -> bytes:
    options = {"inputs": ["a.html"], "format": "text", "part_pages": 9, "labeler": "bte", "option": [], "timeout": 9.5}
    facts = {"folder": "/", "options": options, "format": "text", "limits": {"seconds": 9.5}, "shards": [["a.warc"]]}
    return json.dumps(facts).encode()


def _check_journal(data: bytes) -> None:
    path = written("run/00001.jsonl", data)
    state = refused(lambda: journal.state_at(path))
    promise(isinstance(state.records + counted([state]).total(), int), "what is done is no number")
    with journal.Journal(path) as opened:
        promise(opened.state == state, "opened to write, the journal says something else")
        opened.append(journal.Fingerprint(1, _HASH))
    promise(journal.state_at(path).input == journal.Fingerprint(1, _HASH), "what was appended is not read")
    folder = written("run/run.json", data).parent
    facts = refused(lambda: plan.read(folder))
    promise(facts is None or isinstance(facts, dict), "a run's facts are none")
    if facts and not facts["options"].get("model"):
        refused(lambda: Run.open(folder), has_place=False)


def _answers_seeds() -> list[bytes]:
    answer = predictions.PagePrediction("a", *("" for _ in predictions.PagePrediction._fields[1:]))._asdict()
    header = {"victorpy-journal": 1, "base": _HASH, "process": 1, "cursor": 0}
    header |= {"texts": ["a", "b"], "labels": ["p", None]}
    lines = (
        json.dumps(answer | {"fold": 1, "labels": ["p", "other"], "probabilities": [0.5, 0]}),
        json.dumps(header),
        '[0,["h"],1]',
    )
    return [f"{line}\n".encode() for line in lines] + [f"{lines[1]}\n{lines[2]}\n".encode()]


def _check_answers(data: bytes) -> None:
    """What cross-validation and the annotator keep."""
    path = written("fold-1.jsonl", data)
    for answer in refused(lambda: list(predictions.read_fold(path))) or ():
        _check_answer(answer)
    found = journals.read(data)
    if found:
        page = small_page()
        again = journals.recovery(found, page.texts, [Label.OTHER] * len(page))
        promise(len(again.labels) == len(page) and again.cursor in range(len(page)), "a recovery of another page")


def _check_answer(answer: predictions.PagePrediction) -> None:
    texts = (answer.id, answer.kind, answer.group)
    promise(all(isinstance(text, str) for text in texts) and type(answer.fold) is int, "no answer")
    promise(all(isinstance(chance, int | float) for chance in answer.probabilities), "no probabilities")
    promise(len(answer.labels) == len(answer.probabilities), "not one probability per label")


def _quarantine_seeds() -> list[bytes]:
    record = {
        "id": "a",
        "path": "a.warc, record at byte 0",
        "url": None,
        "charset": "utf-8",
        "status": "crashed",
        "reason": "died",
        "html": "PHA+YQ==",
        "is_file": False,
    }
    others = {"path": "/nowhere", "html": None, "is_file": True, "status": "dropped", "reason": "too large"}
    return ["".join(json.dumps(row) + "\n" for row in (record, record | others, record | {"html": None})).encode()]


def _check_quarantine(data: bytes) -> None:
    path = written("q.jsonl", data)
    refused(lambda: quarantine.locations(path))
    for page in refused(lambda: list(quarantine.pages(path, quarantine.KEPT, LARGEST_PAGE))) or ():
        check_raw(page)
        if page.data is not None:
            cleaner_of("bte").clean(page.data, page.url, page.id, page.charset)


# Outcomes of runs


def _outcome_seeds() -> list[bytes]:
    rows = ({"record": number, "id": "a", "url": None, "status": "ok", "text": _HASH[:32]} for number in (1, 2, 3))
    return ["".join(json.dumps(row) + "\n" for row in rows).encode()]


def _check_outcomes(data: bytes) -> None:
    path = written("run/part.outcomes.jsonl.gz", data if data.startswith(b"\x1f\x8b") else gzip.compress(data, 1))
    told = verification.recorded_outcomes(plan.Plan(path.parent, Job("", "text")), path.name)
    promise(all(type(page.record) is int for page in told), "a record without a number")
    promise(all(isinstance(text, str) for page in told for text in page[1:]), "no outcome")


# Records of pages


def _record_seeds() -> list[bytes]:
    passage = "The ferry leaves at seven, long before the island is awake, and nobody waits."
    blocks = [{"id": 0, "label": "p", "text": passage, "probability": 0.5}]
    row = {"id": "a", "status": "ok", "reason": "", "confidence": 0.5, "text": f"{passage}\n", "blocks": blocks}
    row["passages"] = [{"label": "p", "text": passage, "blocks": [0]}]
    others = (row | {"id": "b"}, {"text": f"{passage} Twice.\nNo.\n"}, {"id": 7, "text": None}, {"text": "a b c d e f"})
    return ["".join(json.dumps(one) + "\n" for one in (row, *others)).encode()]


def _check_deduplication(data: bytes) -> None:
    path, chance = str(written("x.jsonl", data)), chance_of(data)
    settings = Deduplication(chance.choice((None, 0.8)), passages=chance.random() < 0.7, least_characters=1)
    deduplicator = Deduplicator(settings)
    lines = refused(lambda: [*deduplicated_lines(path, deduplicator)])
    if lines is not None:
        promise(len(lines) == deduplicator.counts.total(), "other records went out than came in")
        again = written("again.jsonl", b"".join(line.content for line in lines))
        promise(len([*deduplicated_lines(str(again), Deduplicator(settings))]) == len(lines), "not read again")


# Tables that people write


def _table_seeds() -> list[bytes]:
    rows = (
        "a\tnews\tx.example",
        "b\tblog",
        "a.html\thttps://x.example/",
        "# the\n",
        "pages\tblocks\tword_f1",
        "1\t2\t0.5",
    )
    return [f"{row}\n".encode() for row in rows] + [b"label-p: [x, ctrl-a]\nundo: z\n"]


_TABLES: Mapping[str, Callable[[Path], Any]] = {
    "addresses": addresses.addresses,
    "kinds and groups": page_groups.read_memberships,
    "stop words": words_in.__wrapped__,
    "history": training_task.read_history,
    "keys": keys.load,
}


def _check_tables(data: bytes) -> None:
    path = written("table", data)
    for read in _TABLES.values():
        refused(lambda read=read: read(path))


KEPT: dict[str, Target] = {
    "answers": Target(_check_answers, _answers_seeds, plain),
    "journal": Target(_check_journal, _journal_seeds, plain),
    "quarantine": Target(_check_quarantine, _quarantine_seeds, plain),
    "outcomes": Target(_check_outcomes, _outcome_seeds, plain),
    "deduplication": Target(_check_deduplication, _record_seeds, plain),
    "tables": Target(_check_tables, _table_seeds, plain),
}
