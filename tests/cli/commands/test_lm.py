"""What `victor lm` and `victor perplexity` do."""

import csv
import gzip
import io

import pytest

TEXT = "the ferry leaves at seven\nthe baker waits for the ferry\nnobody waits for the baker\n" * 4
PAGE = "<title>x</title><h1>The ferry</h1><p>The baker waits for the ferry. Zwqx vvk pqj! Nobody waits.</p><p>Login RSS"


@pytest.fixture
def texts(folder):
    """A folder of two texts, one of them packed, and one text beside it."""
    folder.joinpath("texts").mkdir()
    folder.joinpath("texts", "a.txt").write_text(TEXT)
    folder.joinpath("texts", "b.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
    folder.joinpath("page.html").write_text(PAGE)
    return "texts"


@pytest.fixture
def mine(victor, texts):
    """A language model by its name."""
    assert victor("lm", "train", texts, "-o", "mine", "--limit", 12, "-q").status == 0
    return "mine"


def table(ran):
    return list(csv.DictReader(io.StringIO(ran.out)))


def test_training_writes_a_folder_and_names_it(victor, texts, folder):
    ran = victor("lm", "train", texts, "-o", "mine", "--unit", "characters", "--order", 3, "--source", "me")

    assert (ran.status, ran.out) == (0, "language-models/mine\n")
    assert "24 texts, 640 characters" in ran.err
    card = folder.joinpath("language-models/mine/lm.yaml").read_text()
    assert "unit: characters" in card
    assert "source: me" in card


def test_too_little_text_for_the_usual_limit_is_told(victor, texts):
    ran = victor("lm", "train", texts, "-o", "mine")

    assert ran.status == 0
    assert "too little text: no perplexity is above 22, so the limit 8000 drops nothing" in ran.err


def test_standard_input_is_a_text(victor_process, folder):
    ran = victor_process("lm", "train", "-", "-o", "./here", given="Паром уходит\n".encode())

    assert ran.status == 0
    assert "symbols: 2" in folder.joinpath("here/lm.yaml").read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"caf\xe9 closed", "bad.txt: not UTF-8: byte 0xe9"),
        (gzip.compress(TEXT.encode())[:-20], "bad.txt: damaged gzip"),
        (gzip.compress(bytes(5 << 20)), "bad.txt: not a text: NULs, and no line end in 2,097,152 characters"),
        (b"", "no words in these texts"),
    ],
    ids=["not UTF-8", "cut off", "no end", "empty"],
)
def test_texts_that_cannot_be_learned_from_are_told(victor, folder, content, message):
    folder.joinpath("bad.txt").write_bytes(content)

    ran = victor("lm", "train", "bad.txt", "-o", "mine")

    assert ran.status in (1, 2)
    assert message in ran.err
    assert not folder.joinpath("language-models").exists()


def test_a_limit_that_nothing_goes_beyond_is_refused(victor, texts, folder):
    ran = victor("lm", "train", texts, "-o", "mine", "--unit", "characters", "--limit", 8000)

    assert ran.status == 2
    assert "it counts characters" in ran.err
    assert not folder.joinpath("language-models").exists()


@pytest.mark.parametrize(("by", "rows"), [("sentence", 5), ("block", 3), ("page", 1)])
def test_a_page_has_a_line_for_each_part(victor, mine, by, rows):
    found = table(victor("lm", "score", "page.html", "--language-model", mine, "--by", by, "--csv"))

    assert len(found) == rows
    assert {row["page"] for row in found} == {"page"}
    assert all(float(row["perplexity"]) > 1 for row in found)


def test_noise_has_a_greater_perplexity(victor, mine):
    heading, _, login = table(victor("lm", "score", "page.html", "--language-model", mine, "--csv"))

    assert float(heading["perplexity"]) < float(login["perplexity"])
    assert login["unknown"] == "2"


def test_for_people_it_is_a_table(victor, mine):
    ran = victor("lm", "score", "page.html", "texts", "--language-model", mine)

    assert ran.out.splitlines()[0].split() == ["perplexity", "symbols", "unknown", "page,", "block:", "text"]
    assert "page, 0: The ferry" in ran.out
    assert "a, 2: nobody waits for the baker" in ran.out


def test_a_text_is_cleaned_sentence_by_sentence(victor, mine):
    ran = victor("lm", "score", "page.html", "--language-model", mine, "--by", "sentence", "--clean")

    assert ran.out == "The ferry\nThe baker waits for the ferry. Nobody waits.\n"


def test_markers_of_a_cleaned_text_do_not_surprise(victor, mine, folder):
    folder.joinpath("cleaned.txt").write_text("URL: https://x.example/\n\n<h> The ferry\n<p> Nobody waits\n")

    found = table(victor("lm", "score", "cleaned.txt", "--language-model", mine, "--csv"))

    assert [row["text"] for row in found] == ["The ferry", "Nobody waits"]


def test_a_page_is_not_cleaned_as_a_whole(victor, mine):
    ran = victor("lm", "score", "page.html", "--by", "page", "--clean")

    assert ran.status == 2
    assert "--clean works by sentence or by block" in ran.err


@pytest.mark.process
def test_pages_are_cleaned_behind_their_model(victor, model, page, mine):
    plain = victor("clean", "-m", model, page)
    filtered = victor("clean", "-m", model, page, "--max-perplexity", "usual")
    emptied = victor("clean", "-m", model, page, "--max-perplexity", 1.5)

    assert filtered.status == 0
    assert set(filtered.out.splitlines()) <= set(plain.out.splitlines())
    assert emptied.out == ""
    assert "empty: all text is above the limit 1.5; the lowest perplexity is 19.4" in emptied.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max-perplexity", "8000"], "its own limit is 40"),
        (["--max-perplexity", "high"], "expected usual or a number (more than 0), got 'high'"),
        (["--language-model", "none"], "no language-model 'none'"),
        (["--language-model", "texts/"], "texts: not a language model"),
    ],
    ids=["of words", "no number", "not there", "no model"],
)
def test_wrong_language_models_and_limits_are_told_before_any_page(victor, texts, words, message):
    ran = victor("clean", "page.html", *words)

    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_the_doctor_looks_at_language_models(victor, mine):
    ran = victor("doctor")

    assert "udhr" in ran.out
    assert "2 words" in ran.out
