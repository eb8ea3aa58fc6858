"""Records of which the first of several like it stays."""

import json

import pytest

from victorpy.errors import OptionError
from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats import printer
from victorpy.page.blocks import Label
from victorpy.page.segment import segment
from victorpy.pipeline.deduplication.records import Deduplication, Deduplicator, deduplicated

FERRY = "The ferry leaves at seven, long before the island is awake, and comes back at noon."
BAKER = "Nobody had told the baker that the bridge was closed for the whole of the summer."
BOATS = "We counted the boats in the harbour and lost our way among the numbers again."
EXACT = Deduplication(threshold=None)


def record(id, *passages):
    """As victor clean prints it, with a block of noise before each passage."""
    blocks = [{"id": number, "label": "other", "text": "Home"} for number in range(2 * len(passages))]
    for number, passage in enumerate(passages):
        blocks[2 * number + 1] |= {"label": "p", "text": passage}
    return {
        "id": id,
        "status": "ok" if passages else "empty",
        "reason": "",
        "confidence": 0.9,
        "text": "".join(f"{passage}\n" for passage in passages),
        "blocks": blocks,
        "passages": [
            {"label": "p", "text": passage, "blocks": [2 * number + 1]} for number, passage in enumerate(passages)
        ],
    }


def test_the_first_stays_and_the_others_say_what_they_are_duplicates_of():
    records = [record("a", FERRY), record("b", BAKER), record("c", FERRY.upper())]

    ended = list(deduplicated(records, EXACT))

    assert ended[:2] == records[:2]
    assert ended[2] == {
        **records[2],
        "status": "dropped",
        "reason": "duplicate of a",
        "confidence": None,
        "text": "",
        "blocks": [],
        "passages": [],
    }


def test_near_duplicates_say_how_near_they_are():
    first, second = record("a", FERRY, BAKER, BOATS), record("b", FERRY, BAKER, BOATS + " Twice.")

    ended = list(deduplicated([first, second], Deduplication()))

    assert [page["status"] for page in ended] == ["ok", "dropped"]
    assert ended[1]["reason"].startswith("near duplicate of a (0.9")
    assert list(deduplicated([first, second], EXACT)) == [first, second]


def test_records_without_text_pass_and_are_counted():
    records = [record("a"), {"id": "b", "status": "unreadable"}, {"text": None}, record("c", FERRY), record("d", FERRY)]
    deduplicator = Deduplicator(EXACT)

    ended = [deduplicator.deduplicated(page) for page in records]

    assert ended[:4] == records[:4]
    assert deduplicator.counts == {"without text": 3, "kept": 1, "duplicates": 1}


def test_passages_that_were_there_before_are_taken_out_of_text_passages_and_labels():
    passages = Deduplication(None, passages=True)
    first, second = record("a", FERRY, BAKER), record("b", BOATS, BAKER, FERRY)

    ended = list(deduplicated([first, second], passages))

    assert ended[0] == first
    assert ended[1] == {
        **second,
        "reason": "2 passages of 3 seen before",
        "text": f"{BOATS}\n",
        "passages": second["passages"][:1],
        "blocks": [{**block, "label": "p" if block["id"] == 1 else "other"} for block in second["blocks"]],
    }


def test_passages_that_were_there_before_are_taken_out_of_outlines():
    def cleaned(id, html):
        page = segment(html, id)
        print_record = printer("jsonl", FormatOptions(columns=("text", "markdown")))
        return json.loads(print_record(Cleaned(page, [Label.PARAGRAPH] * len(page))))

    first = cleaned("a", f"<p>{FERRY}")
    second = cleaned("b", f"<blockquote><p>{FERRY}</blockquote><ul><li>{BAKER}<li>{FERRY}</ul>")

    ended = list(deduplicated([first, second], Deduplication(None, passages=True)))[1]

    (items,) = ended["outline"]
    assert [item["children"][0]["text"] for item in items["children"]] == [BAKER]
    assert ended["markdown"] is None


def test_short_passages_may_come_again():
    records = [record("a", "Opening hours", FERRY), record("b", "Opening hours", BAKER)]

    assert list(deduplicated(records, Deduplication(None, passages=True))) == records
    fewer = list(deduplicated(records, Deduplication(None, passages=True, least_characters=5)))
    assert fewer[1]["text"] == f"{BAKER}\n"


def test_a_page_of_nothing_but_known_passages_is_dropped():
    ended = list(deduplicated([record("a", FERRY, BAKER), record("b", BAKER)], Deduplication(None, passages=True)))

    assert (ended[1]["status"], ended[1]["reason"]) == ("dropped", "1 passage of 1 seen before")
    assert ended[1]["text"] == ""


def test_near_passages_are_dropped_where_that_is_asked_for():
    near = FERRY.replace("noon", "night")
    records = [record("a", FERRY), record("b", BAKER, near)]

    kept = list(deduplicated(records, Deduplication(0.5, passages=True)))
    dropped = list(deduplicated(records, Deduplication(0.5, passages=True, near_passages=True)))

    assert kept == records
    assert dropped[1]["text"] == f"{BAKER}\n"


FOREIGN = [{"text": f"{BAKER}\n\n{BOATS}", "blocks": [0]}]


@pytest.mark.parametrize(
    "others",
    [
        {},
        *({"passages": passages} for passages in ([], ["one"], [{"text": 1}], [FOREIGN[0] | {"blocks": [[0]]}])),
        *({"passages": FOREIGN, "blocks": blocks} for blocks in (None, "0", ["0"], [{}], [{"id": [0]}])),
    ],
    ids=repr,
)
def test_the_lines_of_a_text_are_its_passages_where_it_has_no_others(others):
    records = [{"id": 1, "text": f"{FERRY}\n{BAKER}"}, {"id": 2, "text": f"{BAKER}\n\n{BOATS}", **others}]

    ended = list(deduplicated(records, Deduplication(None, passages=True)))

    assert ended[1] == {**records[1], "text": f"{BOATS}\n", "reason": "1 passage of 2 seen before"}


@pytest.mark.parametrize(("name", "value"), [("threshold", 0.01), ("threshold", 1.5), ("least_characters", 0)])
def test_settings_that_make_no_sense_are_refused(name, value):
    with pytest.raises(OptionError, match=name.replace("_", "-")):
        Deduplication(**{name: value})
