import pytest


@pytest.mark.process
def test_weights_are_learned_for_a_labeler_to_use(victor, folder, annotations, page):
    ran = victor("learn", "votes", "bte", "density", "everything", "--on", annotations, "-o", "mine.yaml")

    assert (ran.status, ran.err) == (0, "")
    assert folder.joinpath("mine.yaml").read_text().startswith("labeler:\n  name: merge\n  labelers:\n  - bte\n")
    cleaned = victor("clean", page, "--labeler", "mine.yaml", "-j", 1)
    assert cleaned.status == 0
    assert "We counted the boats" in cleaned.out
    assert "Imprint" not in cleaned.out


@pytest.mark.process
def test_lists_are_options_too(victor, page):
    both = victor("clean", page, "--labeler", "merge", "--option", "labelers=bte,density", "-j", 1)

    assert both.out == victor("clean", page, "--labeler", "bte", "-j", 1).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["btee", "--on", "annotations"], "labelers: no labeler 'btee' to merge; did you mean 'bte'?"),
        (["bte", "--on", "gone"], "gone: no such file"),
    ],
)
def test_wrong_usage_is_told(victor, folder, words, message):
    ran = victor("learn", "votes", *words)

    assert ran.status in (1, 2)
    assert message in ran.err
