"""What victorpy promises of whatever it reads; what is not kept raises BrokenError."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from html.parser import HTMLParser
from itertools import chain, pairwise
from typing import Any, get_args
from xml.etree import ElementTree

import numpy as np

from victorpy.annotation.anno_files import labeled_page, loads
from victorpy.labelers import Labeling
from victorpy.output.cleaned import Cleaned, Status
from victorpy.output.escapes import printable
from victorpy.output.formats import FORMATS
from victorpy.page.blocks import Label, Page
from victorpy.page.encoding import Decoded

# Signs of links from footnotes back to the text, which are links in HTML.
_BACK = "↩↑^⏎↵⤴\ufe0e\u200c"


class BrokenError(AssertionError):
    """A promise that was not kept."""


def promise(is_kept: Any, what: str) -> None:
    if not is_kept:
        raise BrokenError(what)


def is_unicode(text: str, what: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BrokenError(f"{what} holds half surrogates") from None


def of_decoded(found: Decoded, data: bytes) -> None:
    is_unicode(found.text, "decoded text")
    promise(0 <= found.replaced <= len(data), "more replaced than there was")
    promise(len(found.text) <= len(data), "more characters than bytes")


def of_page(page: Page) -> None:
    runs, elements = page.runs, page.elements
    promise(len({len(column) for column in runs}) == 1, "columns of runs differ in length")
    promise(len({len(column) for column in elements}) == 1, "columns of elements differ in length")
    promise(len(page.is_spaced) == len(page.is_new_line) == len(page), "columns of blocks differ in length")
    promise((np.diff(runs.place) >= 0).all(), "runs are not in the order of the page")
    promise(np.array_equal(np.unique(runs.block), np.arange(len(page))), "blocks without runs")
    promise((np.diff(runs.block) >= 0).all(), "blocks are not in the order of the page")
    promise((elements.parents[1:] < np.arange(1, len(elements.tags))).all(), "an element before its parent")
    promise(not len(page) or page.element.max() < len(elements.tags), "a block in no element")
    promise(all(map(str.strip, page.texts)), "a block without text")
    is_unicode(page.text, "a block")
    is_unicode(page.title, "the title")


_WORD = re.compile(r"w(\d+)w")


def once(page: Page) -> None:
    """Of pages whose words are numbered."""
    numbers = _numbers(page)
    promise(len(numbers) == len(set(numbers)), "text comes out twice")


def in_order(page: Page) -> None:
    """Of pages without tables whose words are numbered."""
    promise(all(before < number for before, number in pairwise(_numbers(page))), "text is not in the order of the page")


def _numbers(page: Page) -> list[int]:
    return [int(number) for number in _WORD.findall("".join(page.texts))]


_REFERENCE = re.compile(r"&#(?:x([0-9a-f]+)|([0-9]+))", re.I)


def nothing_invented(page: Page, html: str) -> None:
    """No character comes out more often than it stands in the page, written in any way."""
    # NULs are left out before anything is read; what they had parted may then be a reference.
    html = html.replace("\0", "")
    there = Counter(html) + Counter(unescape(html)) + Counter(_referred(html))
    found = Counter("".join(page.texts))
    # A half surrogate may become either.
    excess = {sign for sign, count in (found - there).items() if count and sign not in " \N{REPLACEMENT CHARACTER}?"}
    promise(not excess, "text that the page has not")


def _referred(html: str) -> list[str]:
    numbers = (int(found[1][:8], 16) if found[1] else int(found[2][:8]) for found in _REFERENCE.finditer(html))
    return [chr(number) for number in numbers if number < 0x110000]


def of_labeling(found: Labeling, page: Page) -> None:
    promise(len(found.labels) == len(page), "not one label per block")
    promise(set(found.labels) <= set(Label), "no label")
    promise(found.detailed is None or len(found.detailed) == len(page), "not one field per block")
    is_unicode(found.reason + found.lead, "reason or lead")
    if found.probabilities is not None:
        are = np.asarray(found.probabilities, float)
        promise(len(are) == len(page), "not one probability per block")
        promise(((are >= 0) & (are <= 1 + 1e-6)).all(), "no probability")
    for post in found.posts or ():
        blocks = (*post.blocks, *post.comments)
        promise(all(0 <= block < len(page) for block in blocks), "a post of blocks that are not there")


def of_cleaned(cleaned: Cleaned) -> None:
    promise(cleaned.status in get_args(Status), "no status")
    promise(len(cleaned.labels) == len(cleaned.page), "not one label per block")
    promise((cleaned.status == "ok") == bool(cleaned.passages), "ok, and no text; or text, and not ok")
    promise(cleaned.status == "ok" or cleaned.reason, "no text, and no reason")
    is_unicode(cleaned.text, "the text")
    blocks = [*chain.from_iterable(passage.blocks for passage in cleaned.passages)]
    promise(all(before < block for before, block in pairwise(blocks)), "passages are not in order")
    promise(cleaned.confidence is None or 0 <= cleaned.confidence <= 1 + 1e-6, "no confidence")


def of_same(one: Cleaned, other: Cleaned) -> None:
    promise(FORMATS["json"](one) == FORMATS["json"](other), "another result the second time")


def of_formats(cleaned: Cleaned) -> None:
    written = {name: format(cleaned) for name, format in FORMATS.items()}
    for name, text in written.items():
        if name != "anno":
            is_unicode(text, name)
            promise(printable(text) == text, f"{name} holds what no text may hold")
    of_json(written["json"], written["jsonl"])
    _parsed(written["blog-xml"], "blog-xml")
    _of_doc(written["doc"].splitlines())
    promise(written["cleaneval"].split("\n")[:-1] == written["cleaneval"].splitlines(), "cleaneval: a line is two")
    _of_html(cleaned)
    of_anno(cleaned, written["anno"])


def _of_html(cleaned: Cleaned) -> None:
    """All text is shown beside images, if nothing is dropped as a whole, and nothing stands beside code."""
    everything = FORMATS["html"](Cleaned(cleaned.page, [Label.PARAGRAPH] * len(cleaned.page)))
    if "<pre>" in everything:
        return
    plain = Cleaned(cleaned.page, cleaned.labels)
    text = Counter("".join(printable(passage.text) for passage in plain.passages))
    lacks = text - Counter(_shown(FORMATS["html"](plain)))
    promise(not [sign for sign in lacks if not sign.isspace() and sign not in _BACK], "html lacks text")


def of_json(json_text: str, line: str) -> None:
    whole = json.loads(json_text, parse_constant=_no_constant)
    promise(whole == json.loads(line), "json and jsonl differ")
    promise(line.count("\n") == 1 and line.endswith("\n"), "jsonl: a line is two")


def _no_constant(name: str) -> None:
    raise BrokenError(f"{name} is no JSON")


def _parsed(text: str, what: str) -> None:
    try:
        ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        raise BrokenError(f"{what} is no XML: {error.msg.partition(':')[0]}") from None


def _of_doc(lines: Sequence[str]) -> None:
    _parsed(f"{lines[0]}</doc>", "the line <doc>")
    promise(lines[-1] == "</doc>", "doc without an end")
    promise(all(line.startswith(("<p> ", "<h> ", "<l> ")) for line in lines[1:-1]), "doc: a line is two")


class _Shown(HTMLParser):
    """The text of a body, with what images say."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.pieces.clear()
        if tag == "img":
            self.pieces.append(dict(attrs).get("alt") or "")

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)


def _shown(html: str) -> str:
    parser = _Shown()
    parser.feed(html)
    parser.close()
    return "".join(parser.pieces)


def of_anno(cleaned: Cleaned, written: str) -> None:
    """Every label is found again where it was."""
    again = loads(written)
    promise(list(again.texts) == cleaned.page.texts, "anno holds other blocks")
    page, labels, _ = labeled_page(again, cleaned.page.markup, tuple(Label))
    promise(page.texts == cleaned.page.texts, "anno's page has other blocks")
    promise(labels == list(cleaned.detailed_labels), "anno's labels are others")
