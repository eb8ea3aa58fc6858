import pytest

TEXT = "the ferry leaves at seven and the baker waits for the ferry in the rain "


def test_learned_function_words_are_printed_most_frequent_first(victor, folder):
    folder.joinpath("text.txt").write_text(TEXT * 9)

    ran = victor("learn", "rules", "text.txt", "--share", "0.3")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == ["the", "ferry"]


def test_they_may_go_into_a_file(victor, folder):
    folder.joinpath("text.txt").write_text(TEXT * 9)

    assert victor("learn", "rules", "text.txt", "-o", "words.txt").status == 0
    assert folder.joinpath("words.txt").read_text().startswith("the\n")


def test_text_without_words_is_refused(victor, folder):
    folder.joinpath("text.txt").write_text("1 2 3\n")

    ran = victor("learn", "rules", "text.txt")

    assert ran.status == 1
    assert "no word is frequent all over these texts" in ran.err


def test_a_missing_text_is_told(victor, folder):
    ran = victor("learn", "rules", "nowhere.txt")

    assert (ran.status, ran.err) == (2, "victor: nowhere.txt: no such file or folder\n")


def test_a_share_is_between_0_and_1(victor, folder):
    assert victor("learn", "rules", "text.txt", "--share", "2").status == 2


@pytest.mark.process
def test_the_labeler_takes_the_learned_words(victor, folder):
    folder.joinpath("text.txt").write_text(TEXT * 9)
    folder.joinpath("page.html").write_text(f"<p>{TEXT * 3}<p><a href=/>home</a>")
    victor("learn", "rules", "text.txt", "-o", "words.txt")

    ran = victor("clean", "--labeler", "rules", "--option", "stop-words=words.txt", "page.html")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == f"<p> {(TEXT * 3).strip()}\n"


def test_stop_words_that_are_not_there_are_told_before_any_page(victor, folder, page):
    ran = victor("clean", "--labeler", "rules", "--option", "stop-words=nowhere.txt", page)

    assert ran.status in {1, 2}
    assert "stop-words: nowhere.txt: cannot be read" in ran.err
