"""PyPlexity (Fernández-Pichel et al. 2022), section by section."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import isnan, log2

import pytest

import victorpy
from victorpy.annotation.text_scores import levenshtein
from victorpy.errors import UsageError
from victorpy.features.language.lm_training import learn
from victorpy.features.language.ngrams import NgramShape
from victorpy.labelers.everything import Everything
from victorpy.labelers.perplexity import Perplexity
from victorpy.page.markup import Markup
from victorpy.pipeline.cleaner import Cleaner, load

# Prose in which each word of the paper's examples occurs, but not the litter between them.
CORPUS = [
    "this is a normal sentence\nagain we have plausible text\nthis is normal text\nthis is another text\n"
    "meanwhile the ferry leaves at seven\nthe baker waits for the ferry\nnobody waits for the baker at seven\n"
    "the url of this page is long\nthe body of this page is normal\nwe have news of the ferry\nthis one is deleted\n"
] * 20
LITTER = "hjldfuia HTML BODY deleted URL COUISUDOANLHJWQKEJK"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model of two words, in a folder."""
    folder = tmp_path_factory.mktemp("seeds") / "words"
    found = victorpy.PerplexityModel.trained(CORPUS, limit=30, order=2)
    found.save(folder)
    return str(folder)


@pytest.fixture
def everything(model):
    """The cleaner that keeps all text, followed by the filter of sentences."""
    return Cleaner(Everything(), Markup(mode="block")).filtered(Perplexity(model, by="sentence"))


def quotients(text, order):
    """The paper's P(w | words before), counted anew: the beginning of a text is a word, too."""
    grams = Counter()
    for line in text.splitlines():
        words = ["\n", *line.split()]
        for size in range(1, order + 1):
            grams.update(tuple(words[i : i + size]) for i in range(len(words) - size + 1))

    def share(words):
        return grams[words] / (grams[words[:-1]] if len(words) > 1 else sum(grams[word,] for (word,) in singles))

    singles = [gram for gram in grams if len(gram) == 1 and gram != ("\n",)]
    return share


@pytest.mark.parametrize("order", [2, 3])
def test_section_3_equations_1_and_2_perplexity_is_that_of_quotients_of_counts(order):
    text = "the ferry leaves\nthe baker waits for the ferry\nthe ferry waits\n"
    sentence = "the baker waits for the ferry"
    model = learn([text], NgramShape("words", order, "backoff"))
    words, share = ["\n", *sentence.split()], quotients(text, order)
    grams = [tuple(words[max(0, i - order + 1) : i + 1]) for i in range(1, len(words))]

    expected = 2 ** (-sum(log2(share(gram)) for gram in grams) / len(grams))

    assert model.perplexity(sentence) == pytest.approx(expected, rel=1e-3)


def test_section_3_an_unseen_pair_has_a_part_of_the_probability_of_its_word():
    model = learn(["one two\none three\n"], NgramShape("words", 2, "backoff"))

    # P(one | begin) = 1, and "one one" was never seen: 0.4 of P(one) = 2/4.
    assert model.perplexity("one one") == pytest.approx((1 * 0.4 * 0.5) ** (-1 / 2), rel=1e-3)


@pytest.mark.parametrize("smoothing", ["kneser-ney", "witten-bell", "backoff"])
def test_section_3_well_formed_text_is_less_surprising_than_litter(smoothing):
    model = learn(CORPUS, NgramShape("words", 2, smoothing))

    assert model.perplexity("this is normal text") < model.perplexity("text html normal is") < 2 * model.largest


def test_section_3_figure_1_sentences_above_the_threshold_go_and_all_others_stay(everything):
    cleaned = everything.clean(f"<p>This is a normal sentence. {LITTER}. Nobody waits for the baker.<p>{LITTER}")

    assert cleaned.text == "This is a normal sentence. Nobody waits for the baker.\n"


def test_section_3_a_sentence_may_have_links_and_emphasis_in_it(everything):
    cleaned = everything.clean(
        f"<p>This is <a href=/x>a normal</a> sentence. <b>{LITTER[:12]}</b>{LITTER[12:]}. The <em>baker</em> waits.",
        url="https://harbour.example/",
    )

    assert cleaned.markdown == "This is [a normal](https://harbour.example/x) sentence. The *baker* waits.\n"
    assert "hjldfuia" not in "".join((cleaned.html, cleaned.main_html, json.dumps(cleaned.to_dict())))


def test_section_3_a_sentence_may_extend_over_blocks(model):
    cleaner = Cleaner(_Continuing(), Markup(mode="victor")).filtered(Perplexity(model, by="sentence"))

    cleaned = cleaner.clean("<p>This is <b>normal</b> text. Zwqx <b>vvk</b> pqj. The baker <i>waits</i>.")

    assert cleaned.text == "This is normal text. The baker waits.\n"


class _Continuing(Everything):
    """Keeps everything, each paragraph as one passage."""

    def labeling(self, page):
        return victorpy_labeling(["p", *["c"] * (len(page) - 1)])


def victorpy_labeling(labels):
    from victorpy.labelers import Labeling  # noqa: PLC0415

    return Labeling([victorpy.Label(label) for label in labels])


def test_section_3_metadata_is_that_of_the_whole_page(everything):
    html = f"<title>x</title><meta name=author content='Vvk Pqj'><p>This is normal text. {LITTER} by Vvk Pqj."

    assert everything.clean(html).metadata == Cleaner(Everything(), Markup(mode="block")).clean(html).metadata


def test_section_3_1_models_count_two_or_three_words():
    two, three = (victorpy.PerplexityModel.trained(CORPUS, order=order) for order in (2, 3))

    assert [len(found.model.card.ngrams) for found in (two, three)] == [2, 3]
    assert three.compute_sentence("this is normal text") < two.compute_sentence("this is normal text")


def test_section_4_2_cleaneval_compares_by_levenshtein_and_skips_markup():
    assert levenshtein("<p> kitten\n", "<h> sitting") == pytest.approx(1 - 3 / 7)
    assert levenshtein("URL: x\n<p> a  b", "a b") == 1
    assert (levenshtein("", ""), levenshtein("", "a"), levenshtein("b", "a")) == (1, 0, 0)
    assert isnan(levenshtein("a " * 20_000, "b " * 20_000))


def test_section_5_1_1_the_cut_off_is_chosen_on_annotated_pages(victor, folder, model, annotated):
    labeler = ("--labeler", "perplexity", "--option", f"language-model={model}", "--option", "max-perplexity=1.5")
    search = ("--grid", "--set", "max-perplexity=1.7,20", "--jobs", 1, "--samples", 100, "--best", "best.yaml")

    ran = victor("tune", annotated, *labeler, *search, "-f", "json")

    assert ran.err == ""
    table = json.loads(ran.out)["table"]
    assert ran.status == 0
    assert table[0]["max-perplexity"] == 20
    assert [row["mean"] for row in table] == sorted((row["mean"] for row in table), reverse=True)
    assert victorpy.labeler(str(folder / "best.yaml")).labeler.max_perplexity == 20


@pytest.fixture
def annotated(folder):
    """Annotated pages whose content has a perplexity below 2, and whose litter has one above 200."""
    folder.joinpath("pages").mkdir()
    labels = (["p", "other", "p"], ["p", "other", "p"])
    for name, given in zip(("one", "two"), labels, strict=True):
        html = f"<p>Nobody waits for the baker at seven.<p>Home url text page {name}<p>The ferry leaves at seven."
        cleaned = Cleaner(Everything(), Markup(mode="block")).clean(html, id=name)
        right = replace(cleaned, labels=[victorpy.Label(label) for label in given])
        victorpy.write_annotation(right, folder / "pages" / f"{name}.anno")
    return "pages"


@pytest.mark.process
def test_section_5_1_3_the_space_that_is_saved_is_told(victor, folder, model):
    folder.joinpath("a.txt").write_text(f"This is normal text. {LITTER}.\n")

    ran = victor("perplexity", "a.txt", "--language-model", model)

    assert (ran.status, ran.out) == (0, "This is normal text.\n")
    assert ran.err == "victor: 73 bytes read, 21 written: 71% saved\n"


def test_section_7_figure_3_a_model_scores_a_sentence(model):
    found = victorpy.PerplexityModel.from_str(model)

    assert 1 < found.compute_sentence("this is normal text") < 30
    assert isnan(found.compute_sentence("***"))


def test_section_7_figure_3_a_processor_cleans_a_text(model):
    text_processor = victorpy.PerplexityProcessor(
        perpl_model=victorpy.PerplexityModel.from_str(model), perpl_limit=40.0
    )

    clean_text = text_processor.process(
        "This is a normal sentence. Meanwhile, hjldfuia HTML BODY this one will be deleted LINK URL COUISUDOANLHJWQKEJK"
    )

    assert clean_text == "This is a normal sentence."


def test_section_7_figure_4_the_demo_keeps_plausible_sentences(model):
    process = victorpy.PerplexityProcessor(victorpy.PerplexityModel.from_str(model)).process

    assert (
        process("This is normal text. BODY HTML SECTION TAG. Again, we have plausible text. NEWS HOME SIGN IN LICENSE")
        == "This is normal text. Again, we have plausible text."
    )


@pytest.mark.process
def test_section_7_perplexity_is_a_command_for_a_sentence(victor_process, model):
    ran = victor_process("lm", "score", "--language-model", model, "--csv", given=b"this is normal text")

    assert ran.status == 0
    assert ran.out.splitlines()[1].startswith("stdin,0,")


@pytest.mark.process
def test_section_7_the_tag_remover_is_the_labeler_everything(victor, folder):
    folder.joinpath("page.html").write_text(
        "<title>x</title><script>var a;</script><style>b</style><!-- c --><p>One <b>two</b>.<p>Three &amp; four."
    )

    ran = victor("clean", "--labeler", "everything", "-f", "text", "page.html")

    assert ran.out == "One two.\nThree & four.\n"


@pytest.mark.process
def test_section_7_bulk_perplexity_cleans_folders_of_texts_and_pages_in_parallel(victor, folder, model):
    for name, text in {
        "a/one.txt": f"This is normal text. {LITTER}.",
        "two.html": f"<p>The baker waits. {LITTER}",
    }.items():
        path = folder / "given" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    ran = victor("perplexity", "given", "-o", "out", "--language-model", model, "--jobs", 2)

    assert ran.status == 0
    assert folder.joinpath("out/a/one.txt").read_text() == "This is normal text.\n"
    assert folder.joinpath("out/two.txt").read_text() == "The baker waits.\n"


@pytest.mark.process
def test_section_7_many_texts_are_cleaned_in_a_run(victor, folder, model):
    folder.joinpath("given").mkdir()
    folder.joinpath("given/one.txt").write_text(f"<h> The ferry\n<p> This is normal text. {LITTER}.\nthis < is\n")

    words = ("--labeler", "everything", "--language-model", model, "--perplexity-by", "sentence", "--packing", "none")
    ran = victor("run", "given", "--input-format", "text", "-o", "run", "-f", "jsonl", *words)

    part = folder / "run" / "00001-0001.jsonl"
    assert ran.status == 0
    assert json.loads(part.read_text())["text"] == "The ferry\nThis is normal text.\nthis < is\n"


def test_section_7_the_limit_is_that_of_the_model_unless_another_is_given(model):
    assert victorpy.PerplexityModel.trained(CORPUS).limit == 8000
    assert Perplexity(model, by="sentence").limit() == 30
    with pytest.raises(UsageError, match="a limit of 8000 does not fit"):
        victorpy.PerplexityProcessor(victorpy.PerplexityModel.from_str("udhr"), 8000)


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", (30, "a.txt: empty: the page is empty")),
        ("*** ***\n", (30, "a.txt: empty: no block of the page is content")),
        ("This is normal text.", (1.1, "a.txt: empty: all text is above the limit 1.1; the lowest perplexity is ")),
    ],
    ids=["no text", "no sentence", "a limit that keeps nothing"],
)
def test_a_text_of_which_nothing_stays_is_told(victor, folder, model, text, told):
    limit, message = told
    folder.joinpath("a.txt").write_text(text)

    ran = victor("perplexity", "a.txt", "--language-model", model, "--max", limit)

    assert (ran.status, ran.out.strip()) == (0, "")
    assert message in ran.err


def test_selectors_keep_their_elements_whole(everything):
    html = f"<p id=a>This is normal text. {LITTER}.<p>The baker waits. {LITTER}."

    assert everything.selecting(keep="#a").clean(html).text == f"This is normal text. {LITTER}.\nThe baker waits.\n"


def test_pairs_of_words_that_follow_each_other_have_the_probability_of_their_pair():
    text = "one two one two one three\n"
    counts = Counter(pairwise(["\n", *text.split()]))

    model = learn([text], NgramShape("words", 2, "backoff"))

    assert counts["one", "two"] == 2
    assert model.perplexity("one two") == pytest.approx((1 * 2 / 3) ** -0.5, rel=1e-3)


def test_the_shipped_model_is_the_usual_one():
    assert load("perplexity", by="sentence").clean("<p>" + "The ferry leaves. " * 3).status == "ok"
