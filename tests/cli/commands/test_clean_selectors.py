"""victor clean, run, convert and retry with --keep, --drop and --rules"""

import json

import pytest

PAGE = "<title>Ferry</title><nav>Home</nav><div id=main><p>It leaves at seven.<p class=ad>Buy lamps.</div>"


@pytest.fixture
def page(folder):
    path = folder / "page.html"
    path.write_text(PAGE)
    return path


def clean(victor, page, *words):
    return victor("clean", "-j", 1, "--labeler", "everything", "-f", "text", page, *words)


@pytest.mark.process
def test_selectors_override_the_labels(victor, page):
    ran = clean(victor, page, "--drop", "nav", "--drop", ".ad", "--keep", "#main")

    assert (ran.status, ran.out, ran.err) == (0, "It leaves at seven.\n", "")


@pytest.mark.process
def test_a_selector_without_a_match_is_logged_with_the_page(victor, page):
    ran = clean(victor, page, "--drop", "aside", "--keep", "script")

    assert ran.status == 0
    assert ran.err == f"victor: {page}: ok: keep 'script' matches nothing; drop 'aside' matches nothing\n"


@pytest.mark.parametrize("command", ["clean", "run", "convert"])
def test_a_wrong_selector_is_wrong_usage_with_its_place(victor, page, folder, command):
    output = ("-o", folder / "out") if command == "run" else ()

    ran = victor(command, page, *output, "--drop", "p >")

    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "victor: --drop 'p >': column 4: expected a selector after the combinator\n"


@pytest.mark.process
def test_rules_are_chosen_by_the_host_of_the_page(victor, page, folder):
    folder.joinpath("rules.yaml").write_text("example.org:\n  drop: nav\n'*':\n  drop: [.ad, .none]\n")

    ran = clean(victor, page, "--rules", "rules.yaml", "--url", "https://www.example.org/")

    assert (ran.out, ran.err) == ("It leaves at seven.\n", "")
    assert clean(victor, page, "--rules", "rules.yaml").out == "Home\nIt leaves at seven.\n"
    assert clean(victor, page, "--rules", "rules.yaml", "--host", "example.org").out == "It leaves at seven.\n"


def test_a_wrong_rules_file_names_file_and_line(victor, page, folder):
    folder.joinpath("rules.yaml").write_text("example.org:\n  drop:\n  - nav\n  - 'p['\n")

    ran = clean(victor, page, "--rules", "rules.yaml")

    assert ran.status == 2
    assert ran.err == "victor: rules.yaml:4: example.org.drop: 'p[': column 3: unexpected end\n"


@pytest.mark.process
def test_annotated_pages_are_converted_with_selectors(victor, page):
    victor("clean", "-j", 1, "--labeler", "everything", "-f", "anno", page, "-o", "page.anno")

    assert victor("convert", "page.anno", "--drop", "nav", "-f", "text").out == "It leaves at seven.\nBuy lamps.\n"


def run(victor, page, *words):
    return victor(
        "run", "-j", 1, "--labeler", "everything", "--packing", "none", "-f", "jsonl", page, "-o", "R", *words
    )


@pytest.mark.process
def test_a_run_with_other_selectors_is_another_run(victor, page, folder):
    folder.joinpath("rules.yaml").write_text("'*':\n  drop: nav\n")

    assert run(victor, page, "--drop", ".ad", "--rules", "rules.yaml").status == 0
    assert [json.loads(line)["text"] for line in (folder / "R").joinpath("00001-0001.jsonl").open()] == [
        "It leaves at seven.\n"
    ]
    assert run(victor, page, "--drop", ".ad", "--rules", "rules.yaml").status == 0
    assert victor("verify", "R").status == 0
    assert "is another run: selectors.drop was" in run(victor, page, "--drop", "p", "--rules", "rules.yaml").err
    folder.joinpath("rules.yaml").write_text("'*':\n  drop: p\n")
    assert "selectors.rules.*.drop was" in victor("verify", "R").err


@pytest.mark.process
def test_the_failed_pages_of_a_run_are_cleaned_again_with_its_selectors(victor, folder):
    folder.joinpath("pages").mkdir()
    broken = folder / "pages" / "broken.html"
    broken.write_bytes(b"\x89PNG\r\n\x1a\n")
    folder.joinpath("pages", "page.html").write_text(PAGE)
    run(victor, "pages", "--drop", "nav", "--drop", ".ad")
    broken.write_text(PAGE)

    ran = victor("retry", "R", "-j", 1, "--labeler", "everything", "-f", "text")

    assert "Home" not in ran.out


COMMENTED = (
    "<h1>Ferry</h1><p>It leaves at seven.</p><div id=comments><p class=comment><b class=author>Ann</b><p>Yes!</div>"
)


@pytest.mark.process
@pytest.mark.parametrize(
    ("comments", "text"),
    [
        ("keep", "Ferry\nIt leaves at seven.\nAnn\nYes!\n"),
        ("drop", "Ferry\nIt leaves at seven.\n"),
        ("only", "Ann\nYes!\n"),
    ],
)
def test_comments_are_kept_dropped_or_alone(victor, page, comments, text):
    page.write_text(COMMENTED)
    victor("clean", "-j", 1, "--labeler", "everything", "-f", "anno", page, "-o", "page.anno")

    assert clean(victor, page, "--comments", comments).out == text
    assert clean(victor, page, "--comments", comments, "--drop", "b, #comments").out == text.partition("Ann")[0]
    assert victor("convert", "page.anno", "--comments", comments, "-f", "text").out == text


@pytest.mark.process
def test_a_run_with_another_handling_of_comments_is_another_run(victor, page):
    page.write_text(COMMENTED)

    assert run(victor, page, "--comments", "only").status == 0
    assert victor("verify", "R").status == 0
    assert "comments was" in run(victor, page).err
