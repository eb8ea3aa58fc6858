"""Text in no language, and spam."""

import pytest

from victorpy.errors import OptionError
from victorpy.labelers.everything import Everything
from victorpy.labelers.filters import Filtered
from victorpy.labelers.filters.gibberish_filter import Gibberish
from victorpy.labelers.filters.spam_filter import Spam, repeated_share
from victorpy.page.segment import segment

pytest.importorskip("py3langid")
pytest.importorskip("stopwordsiso")

FERRY = "The ferry leaves at seven, long before the island is awake, and it comes back at noon with letters."
# Made on a keyboard, by an encoder of bytes, and by a generator of random letters.
MASHED = "asdlkj qwpeoi zxmcnb asldkj qpwoei ruty ghfjdk slazmx ncbv qwieru tyghfj dkslam znxbcv pqowie uryt"
ENCODED = "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Q7IHF3ZXJ0eXVpb3Bhc2RmZ2hqa2x6eGN2Ym5tIDEyMzQ1Njc4OTAgWFlaIHBsdWdo"
RANDOM = "xq zvkt jwpqz mxbrt qkjzv wtxgh pzqmk vbjxq ztrwk hgqxz mkvjp bqtzx wjgkq xvzpt rmqjk zbxwv tkqgj pxzvm"
STORY = (
    "Marion Tedlow has kept the swing bridge for thirty years, and she opens it by hand when the current fails.",
    "Last winter a barge drifted into the eastern pier, so that the harbour was closed until the end of March.",
    "Nobody was hurt, but fishermen had to sell their catch in another town, which cost them half of the price.",
    "Now the council wants to build a tunnel, although most people who live here would rather keep what they know.",
)
KEYWORDS = "cheap pills casino poker viagra discount pharmacy payday loans replica watches designer handbags outlet"


def labeled(html, by):
    labeling = Filtered(Everything(), (by,)).labeling(segment(html))
    return [label.is_content for label in labeling.labels], labeling.refusal


@pytest.mark.parametrize("text", [MASHED, ENCODED, RANDOM])
def test_text_in_no_language_goes(text):
    assert labeled(f"<p>{FERRY}<p>{text}", Gibberish()) == ([True, False], "")


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{FERRY}",
        "<p>Das Fährschiff verlässt den Hafen um sieben Uhr morgens, lange bevor die Insel erwacht ist.",
        f"<p>{MASHED[:60]}",
        f"<pre>{MASHED}</pre>",
        f"<p><code>{MASHED}</code>",
        "<p>https://harbour.example/_a/zq/xk-9/PqWz/mn/_b/Ferry_Times.php?id=Qz8xKw&page=Zk&sort=qx is its address",
        "<p>渡轮七点出发,那时岛上的人还没有醒来;中午它带着信件回来。渡轮七点出发,那时岛上的人还没有醒来;中午它带着信件回来。"
        "渡轮七点出发,那时岛上的人还没有醒来。",
    ],
    ids=["English", "German", "few letters", "pre", "code", "address", "a script the model does not know"],
)
def test_text_that_may_be_in_a_language_stays(html):
    kept, refusal = labeled(html, Gibberish())

    assert (all(kept), refusal) == (True, "")


def test_a_page_of_gibberish_is_refused():
    assert labeled(f"<p>{MASHED}<p>{RANDOM}", Gibberish())[1] == "gibberish: no text in any language"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"{KEYWORDS} " * 6, "spam: 0% of the words are stop words"),
        ("You get the shoes of our shop as shoes, and the best shoes are there. " * 5, "of the words are 'shoes'"),
        ("We met him and said: " + "buy it now; " * 30 + f"then we left. {FERRY}", "of the text is"),
    ],
    ids=["keywords", "one word", "one phrase"],
)
def test_stuffed_pages_are_refused(text, reason):
    kept, refusal = labeled(f"<p>{text}", Spam())

    assert reason in refusal
    assert not any(kept)


def test_a_page_that_repeats_itself_is_refused():
    once = "".join(f"<p>{part}" for part in STORY)

    assert labeled(once, Spam())[1] == ""
    assert "of the words are repetitions" in labeled(once * 3, Spam())[1]


@pytest.mark.parametrize(
    "html",
    [f"<p>{FERRY}", f"<p>{KEYWORDS}", "<p>" + "渡轮七点出发 " * 3],
    ids=["text", "too short to judge", "no list of stop words"],
)
def test_other_pages_stay(html):
    kept, refusal = labeled(html, Spam())

    assert (all(kept), refusal) == (True, "")


@pytest.mark.parametrize(
    ("text", "share"), [("a b c d e", 0), ("a b c d e a b c d e", 0.5), ("", 0), ("a a a a a a", 5 / 6)]
)
def test_words_of_repeated_phrases_are_counted(text, share):
    assert repeated_share(text.split()) == pytest.approx(share)


@pytest.mark.parametrize(
    ("make", "message"),
    [(lambda: Spam(least_stop_words=2), "least-stop-words"), (lambda: Gibberish(max_perplexity=0), "max-perplexity")],
)
def test_wrong_options_are_named(make, message):
    with pytest.raises(OptionError, match=message):
        make()


@pytest.mark.process
def test_clean_has_both_as_options(victor, folder):
    folder.joinpath("page.html").write_text(f"<p>{FERRY}<p>{MASHED}")
    folder.joinpath("spam.html").write_text(f"<p>{f'{KEYWORDS} ' * 6}")
    words = ("clean", "-j", 1, "--labeler", "everything", "-f", "text", "--drop-gibberish", "--drop-spam")

    assert victor(*words, "page.html").out == f"{FERRY}\n"
    assert "spam.html: dropped: spam: 0% of the words are stop words" in victor(*words, "spam.html").err
