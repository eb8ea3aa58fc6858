import math
import pickle
import sys
import time
from dataclasses import replace
from itertools import compress

import pytest

import victorpy
from victorpy.errors import UsageError, VictorError
from victorpy.features import language_id
from victorpy.foundation.processes import Limits
from victorpy.labelers.everything import Everything
from victorpy.output.cleaned import Cleaned
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

PAGE = (
    '<title>Part 1</title><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul>'
    "<h1>Letters from the harbour</h1>"
    "<p>We counted the boats in the harbour and lost our way among the numbers. It was <b>cold</b> there.</p>"
    "<p>She wrote the letter twice, because the first one said too much.</p>"
    "<ul><li>a lantern and some oil.</li><li>bread for two days.</li></ul>"
    '<div><a href="/imprint">Imprint</a></div>'
)

IN_TIME = {"limits": Limits(seconds=0.05)}


@pytest.fixture(scope="module")
def cleaner(model):
    return victorpy.load(str(model))


def test_a_page_becomes_text(cleaner):
    cleaned = cleaner.clean(PAGE)

    assert cleaned.text.splitlines() == [
        "Letters from the harbour",
        "We counted the boats in the harbour and lost our way among the numbers. It was cold there.",
        "She wrote the letter twice, because the first one said too much.",
        "a lantern and some oil.",
        "bread for two days.",
    ]
    assert (cleaned.status, cleaned.reason, cleaned.title, cleaned.url) == ("ok", "", "Part 1", None)


def test_every_block_has_a_label_and_a_probability(cleaner):
    blocks = cleaner.clean(PAGE).blocks

    assert [block.label for block in blocks] == ["other", "other", *"hpccpll", "other"]
    assert [block.id for block in blocks] == list(range(10))
    assert all(block.probability is not None and 0 <= block.probability <= 1 for block in blocks)
    assert blocks[3].probability > blocks[0].probability


def test_bytes_and_text_are_cleaned_alike(cleaner):
    assert cleaner.clean(PAGE.encode()).text == cleaner.clean(PAGE.encode("utf-16")).text == cleaner.clean(PAGE).text


def test_the_charset_of_the_page_can_be_given(cleaner):
    page = PAGE.replace("cold", "čtvrt").encode("iso-8859-2")

    cleaned = cleaner.clean(page, charset="iso-8859-2")

    assert "čtvrt" in cleaned.text
    assert cleaned.encoding == "iso-8859-2"


def test_url_and_id_are_kept(cleaner):
    cleaned = cleaner.clean(PAGE, url="https://x.example/", id="x")

    assert (cleaned.url, cleaned.page.id) == ("https://x.example/", "x")


@pytest.mark.parametrize(
    ("page", "status", "reason"),
    [
        ("", "empty", "the page is empty"),
        (b" \n", "empty", "the page is empty"),
        ("<p> ", "empty", "no text in the page"),
        ('<ul><li><a href="/">Home</a></ul>', "empty", "no block of the page is content"),
        (b"\x89PNG\r\n\x1a\n", "undecodable", "not a text: binary data"),
    ],
)
def test_where_there_is_no_text_the_page_says_why(cleaner, page, status, reason):
    cleaned = cleaner.clean(page)

    assert (cleaned.text, cleaned.passages) == ("", [])
    assert (cleaned.status, cleaned.reason) == (status, reason)


@pytest.mark.parametrize(
    "text", ["\0", "a\0b", "\ud800", "<?xml version='1.0' encoding='utf-16'?><p>a", "\ufeff<p>a", "<p>\x0b\x1f"]
)
def test_no_text_is_refused(cleaner, text):
    assert cleaner.clean(text).status in {"ok", "empty"}
    assert cleaner.clean(text.encode("utf-8", "surrogatepass")).status in {"ok", "empty", "undecodable"}


def test_a_page_that_takes_more_than_its_time_ends_as_timeout(cleaner):
    page = "<p>The ferry leaves at seven." * 20_000
    late = cleaner.clean(page, url="https://harbour.example/", id="ferry", limits=Limits(seconds=0.001))

    assert (late.status, late.reason, late.text) == ("timeout", "takes more than 0.001 s", "")
    assert (late.url, late.page.id, len(cleaner.clean(page).page)) == ("https://harbour.example/", "ferry", 20_000)


def test_labelers_and_filters_in_python_end_with_the_time_of_the_page(monkeypatch):
    pytest.importorskip("py3langid")
    from victorpy.labelers.filters import gibberish_filter  # noqa: PLC0415

    judged = []
    monkeypatch.setattr(gibberish_filter, "chances", lambda text: judged.append(text) or language_id.chances(text))
    slow = victorpy.labeler("everything").filtered(gibberish_filter.Gibberish())
    slow.clean("<p>" + "xq zvkt jwpqz mxbrt " * 9)  # which loads what it needs

    late = slow.clean("<p>xq zvkt jwpqz mxbrt qkjzv wtxgh pzqmk vbjxq ztrwk hgqxz mkvjp bqtzx wjgkq" * 5_000, **IN_TIME)

    assert late.status == "timeout"
    assert len(judged) < 4_000


class Slow(Everything):
    def labeling(self, page):
        time.sleep(IN_TIME["limits"].seconds)
        return super().labeling(page)


def test_a_labeler_that_never_looks_at_the_clock_is_late_at_its_end():
    assert Cleaner(Slow(), BLOCKS).clean(PAGE, **IN_TIME).status == "timeout"


def test_limits_that_a_page_keeps_change_nothing(cleaner):
    assert cleaner.clean(PAGE, limits=Limits(seconds=3600)).to_dict() == cleaner.clean(PAGE).to_dict()


def test_memory_cannot_be_bound_in_the_same_process(cleaner):
    with pytest.raises(UsageError, match=r"expected only seconds, or use pipe\(\)"):
        cleaner.clean(PAGE, limits=Limits(megabytes=100))


def test_a_page_tells_which_model_cleaned_it(cleaner, model):
    assert len(cleaner.clean(PAGE).model) == 64
    assert cleaner.clean(PAGE).model == victorpy.load(str(model), bias=1.0).clean(PAGE).model


def test_decoding_can_be_changed(model):
    kept = [
        {
            block.id
            for block in victorpy.load(str(model), bias=bias).clean(PAGE).blocks
            if block.label is not Label.OTHER
        }
        for bias in (-100.0, -1.0, 0.0, 1.0, 100.0)
    ]

    assert all(less <= more for less, more in zip(kept, kept[1:], strict=False))
    assert (len(kept[0]), len(kept[-1])) == (0, 10)


def test_a_page_is_cleaned_with_the_confidence_that_its_blocks_give(cleaner):
    cleaned = cleaner.clean(PAGE)
    lengths = [len(block.text) for block in cleaned.blocks]
    kept = [block.label.is_content for block in cleaned.blocks]
    likely = [block.probability * length for block, length in zip(cleaned.blocks, lengths, strict=True)]

    expected = 2 * sum(compress(likely, kept)) / (sum(compress(lengths, kept)) + sum(likely))

    assert 0 < cleaned.confidence <= 1
    assert cleaned.confidence == pytest.approx(expected)


def test_a_model_that_promises_too_much_is_less_confident(model):
    plain, sober = (
        victorpy.load(str(model), confidence_scale=scale, confidence_shift=-1).clean(PAGE) for scale in (1, 2)
    )
    odds = [math.log(cleaned.confidence / (1 - cleaned.confidence)) for cleaned in (plain, sober)]

    assert plain.text == sober.text
    assert odds[1] == pytest.approx(2 * odds[0] + 1)


def test_keeping_nothing_is_as_sure_as_its_likeliest_block_is_noise(cleaner):
    menu = cleaner.clean('<ul><li><a href="/">Home</a><li><a href="/about">About us</a></ul>')

    assert menu.status == "empty"
    assert menu.confidence == pytest.approx(1 - max(block.probability for block in menu.blocks))
    assert cleaner.clean("<p> ").confidence == 1


def test_of_a_page_that_was_not_labeled_there_is_no_confidence(cleaner):
    page = segment("<p>one", "x")

    assert cleaner.clean(b"\x89PNG\r\n\x1a\n").confidence is None
    assert Cleaned(page, [Label.PARAGRAPH]).confidence is None


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan")])
def test_a_threshold_that_is_no_probability_is_refused(model, threshold):
    with pytest.raises(VictorError, match="expected a number from 0 to 1"):
        victorpy.load(str(model), method="threshold", threshold=threshold)


def test_a_decoding_that_is_none_is_refused(model):
    with pytest.raises(TypeError):
        victorpy.load(str(model), biass=1.0)


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_stream_of_pages_comes_back_in_order(cleaner, jobs):
    pages = [PAGE.replace("cold", f"cold-{number}") for number in range(20)]

    cleaned = list(
        cleaner.pipe([pages[0], pages[1].encode(), *((page, f"https://{n}") for n, page in enumerate(pages[2:]))], jobs)
    )

    assert [f"cold-{number} there" in page.text for number, page in enumerate(cleaned)] == [True] * 20
    assert [page.url for page in cleaned] == [None, None, *(f"https://{number}" for number in range(18))]


@pytest.mark.process
@pytest.mark.parametrize("limits", [None, Limits(60, 1_000)])
def test_a_fault_of_ours_ends_a_page_of_a_stream_and_not_the_stream(cleaner, limits):
    faulty = replace(cleaner, labeler=FaultyLabeler())

    (cleaned,) = faulty.pipe([(PAGE, "https://x.example/")], limits=limits)

    assert (cleaned.status, cleaned.reason) == ("crashed", "ZeroDivisionError: no words")
    assert (cleaned.text, cleaned.url) == ("", "https://x.example/")


class FaultyLabeler:
    def labeling(self, page):
        raise ZeroDivisionError("no words")


def test_pages_are_drawn_one_by_one(cleaner):
    drawn = []
    stream = cleaner.pipe(drawn.append(number) or PAGE for number in range(100))

    next(stream)

    assert drawn == [0]


def test_cleaners_and_what_they_return_can_be_sent_to_other_processes(cleaner):
    cleaned = pickle.loads(pickle.dumps(cleaner)).clean(PAGE)

    assert pickle.loads(pickle.dumps(cleaned)).text == cleaned.text == cleaner.clean(PAGE).text


def test_no_page_leaves_a_trace_on_the_next(cleaner):
    alone = cleaner.clean(PAGE)
    cleaner.clean("<p>" * 50 + "Something else. " * 50)

    assert cleaner.clean(PAGE).blocks == alone.blocks


def test_a_missing_model_is_the_users_mistake(folder):
    with pytest.raises(UsageError, match=r"no model 'nope'"):
        victorpy.load("nope")


PARTS = "<title>Part 1</title><ol><li>The ferry leaves at seven.</ol>" + "<p>The island sleeps.</p>" * 50


@pytest.mark.process
def test_a_result_of_another_process_prints_everything(model):
    cleaner = victorpy.load(str(model))

    here = cleaner.clean(PARTS)
    (there,) = cleaner.pipe([PARTS], limits=Limits(seconds=60))

    for name in (
        "text",
        "markdown",
        "html",
        "main_html",
        "outline",
        "places",
        "passages",
        "blocks",
        "metadata",
        "labels",
        "confidence",
        "title",
    ):
        assert getattr(there, name) == getattr(here, name)
    assert there.to_dict() == here.to_dict()


@pytest.mark.process
def test_a_blog_that_another_process_cleaned_prints_its_posts():
    page = "<div class=post><h2>One</h2><p>The ferry leaves at seven, long before the island is awake.</div>" * 3
    cleaner = victorpy.labeler("blog")

    (there,) = cleaner.pipe([page], limits=Limits(seconds=60))

    assert there.posts
    assert there.to_dict() == cleaner.clean(page).to_dict()


@pytest.mark.process
def test_the_page_of_another_process_is_absent(model):
    (there,) = victorpy.load(str(model)).pipe([PARTS + "<script>menu()</script>"], limits=Limits(seconds=60))

    with pytest.raises(AttributeError, match=r"does not send back its 'elements'.* with jobs=1 and without limits"):
        _ = there.page.elements
    with pytest.raises(AttributeError, match="does not send back its 'core'"):
        _ = there.source
    assert b"<script>" not in pickle.dumps(there)


def test_results_say_shortly_what_they_are(model):
    cleaned = victorpy.load(str(model)).clean(
        "<p>The ferry leaves at seven, long before the island is awake.", id="ferry"
    )

    assert repr(cleaned) == f"<Cleaned 'ferry': {cleaned.status}, {len(cleaned.passages)} passages>"
    assert repr(cleaned.page) == "<Page 'ferry': 1 blocks>"


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="memory is capped on Linux only")
def test_a_page_that_the_core_has_no_memory_for_costs_its_neighbours_nothing():
    pages = ["<p>The ferry leaves.", "<p>a" * 500_000, "<p>The ferry leaves."]

    statuses = [cleaned.status for cleaned in victorpy.load("web").pipe(pages, limits=Limits(megabytes=100))]

    assert statuses[0] == statuses[2] != "out-of-memory"
    assert statuses[1] == "out-of-memory"
