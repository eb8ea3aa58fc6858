"""What `victor perplexity` does beside the paper's rules, which tests/seeds/test_pyplexity.py has."""

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--max", "8000"], "its own limit is 40"),
        (["--max", "high"], "expected a number (more than 0), got 'high'"),
        (["--language-model", "none"], "no language-model 'none'"),
        (["--language-model", "./"], "not a language model"),
    ],
    ids=["of words", "no number", "not there", "no model"],
)
def test_wrong_limits_and_models_are_told_before_any_text(victor, folder, words, message):
    folder.joinpath("a.txt").write_text("The ferry leaves at seven.")

    ran = victor("perplexity", "a.txt", *words)

    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.process
def test_a_text_that_failed_is_a_text_when_it_is_cleaned_again(victor, folder):
    folder.joinpath("a.txt").write_text("The ferry\n1 < 2\n")
    failed = victor("perplexity", "a.txt", "--max-bytes", 5, "--quarantine", "failed.jsonl")

    ran = victor("retry", "failed.jsonl", "--labeler", "everything", "-f", "text")

    assert "dropped: larger than 5 bytes" in failed.err
    assert ran.out == "The ferry\n1 < 2\n"


def test_the_unit_of_a_filter_needs_the_filter(victor, page):
    ran = victor("clean", page, "--perplexity-by", "sentence")

    assert (ran.status, ran.out) == (2, "")
    assert "--perplexity-by needs --max-perplexity or --language-model" in ran.err
