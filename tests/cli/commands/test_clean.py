"""What `victor clean` reads and prints."""

import gzip
import json
import os
import socket
from pathlib import Path

import pytest
from small_pages import slow_page

from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS, HEADINGS, STREAMED

PARAGRAPH = "<p> We counted the boats in the harbour and lost our way among the numbers. It was cold and nobody minded."


@pytest.fixture
def clean(victor, model):
    return lambda *words: victor("clean", "--model", model, *words)


def files_in(path):
    return sorted(str(file.relative_to(path)) for file in Path(path).rglob("*") if file.is_file())


# Inputs


def test_a_page_is_printed_without_its_menu(clean, page):
    ran = clean(page)

    assert (ran.status, ran.err) == (0, "")
    assert PARAGRAPH in ran.out.splitlines()
    assert "<h> Letters from the harbour, part 7" in ran.out
    assert "About us" not in ran.out


def test_standard_input_is_a_page(victor_process, model, page):
    ran = victor_process("clean", "-m", model, "-", given=Path(page).read_bytes())

    assert (ran.status, ran.err) == (0, "")
    assert PARAGRAPH in ran.out


def test_standard_input_goes_with_files_and_several_processes(victor_process, model, page, site):
    ran = victor_process(
        "clean", "-m", model, "-j", 2, "-", site, "-f", "jsonl", "-o", "-", given=Path(page).read_bytes()
    )

    first, *others = map(json.loads, ran.out.splitlines())
    assert (first["id"], first["status"], len(others)) == ("stdin", "ok", 12)
    assert "It was cold" in first["text"]


@pytest.mark.parametrize("name", ["a.html", "b.htm", "c.xhtml", "D.HTML", "e.html.gz", "f.htm.GZ"])
def test_a_folder_gives_its_pages_by_their_endings(clean, folder, page, name):
    source = Path(page).read_bytes()
    folder.joinpath("site").mkdir()
    folder.joinpath("site", name).write_bytes(gzip.compress(source) if name.lower().endswith("gz") else source)
    folder.joinpath("site", "notes.txt").write_text("not a page")

    clean("site", "-o", "out")

    assert files_in("out") == [f"{name.split('.')[0]}.txt"]
    assert PARAGRAPH in folder.joinpath("out", files_in("out")[0]).read_text()


# Outputs


def test_pages_of_a_folder_keep_their_folders(clean, site):
    ran = clean(site, "-o", "out")

    assert ran.status == 0
    assert files_in("out") == sorted(
        [f"part-{number}.txt" for number in range(12) if number % 3]
        + [f"old/part-{number}.txt" for number in (0, 3, 6, 9)]
    )


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - BUNDLED))
def test_every_format_has_its_ending_in_a_folder(clean, page, name):
    assert clean(page, "-f", name, "-o", "out/").status == 0
    assert files_in("out") == [f"page{EXTENSIONS[name]}"]


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - BUNDLED))
def test_a_file_holds_what_standard_output_would(clean, folder, page, name):
    assert clean(page, "-f", name, "-o", "new/folder/out.x").status == 0
    assert folder.joinpath("new/folder/out.x").read_text() == clean(page, "-f", name).out


@pytest.mark.parametrize(
    ("name", "output"),
    [(name, output) for name in sorted(set(FORMATS) - set(STREAMED)) for output in ("-", "out.x")],
)
def test_formats_of_one_page_take_no_more(clean, folder, page, name, output):
    if output == "-" and name in HEADINGS:
        pytest.skip("names each page above its text")
    folder.joinpath("other.html").write_text("<p>x")

    ran = clean(page, "other.html", "-f", name, "-o", output)

    assert (ran.status, ran.out) == (2, "")
    assert f"{name} holds one page, got 2: name a folder with --output" in ran.err
    assert not folder.joinpath("out.x").exists()


@pytest.mark.parametrize("name", sorted(STREAMED - BUNDLED))
def test_streamed_formats_take_many_pages(clean, site, name):
    ran = clean(site, "-f", name)

    words = " ".join(ran.out.split())
    assert ran.status == 0
    assert all(f"part {number}" in words for number in range(12))


def test_an_old_output_is_replaced(clean, folder, page):
    folder.joinpath("out.txt").write_text("of yesterday")

    clean(page, "-o", "out.txt")

    assert "of yesterday" not in folder.joinpath("out.txt").read_text()
    assert files_in(".") == ["out.txt", "page.html"]


@pytest.mark.parametrize("words", [("page.html", "-o", "page.html"), ("site", "-o", "site")], ids=["file", "folder"])
def test_no_page_is_overwritten_by_its_own_cleaning(clean, folder, page, site, words):
    before = {name: folder.joinpath(name).read_bytes() for name in files_in(".")}

    ran = clean(*words, "-f", "html")

    assert ran.status == 2
    assert "this input would be overwritten" in ran.err
    assert {name: folder.joinpath(name).read_bytes() for name in files_in(".")} == before


def test_a_link_stays_a_link(clean, folder, page):
    folder.joinpath("real.txt").touch()
    folder.joinpath("link.txt").symlink_to("real.txt")

    clean(page, "-o", "link.txt")

    assert folder.joinpath("link.txt").is_symlink()
    assert PARAGRAPH in folder.joinpath("real.txt").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to(victor_process, model, folder, page):
    os.mkfifo("pipe")
    process = victor_process.start("clean", "-m", model, page, "-o", "pipe")

    assert PARAGRAPH in folder.joinpath("pipe").read_text()
    assert process.wait(60) == 0
    assert folder.joinpath("pipe").is_fifo()


def test_only_data_goes_to_standard_output(clean, folder, site):
    folder.joinpath("site", "empty.html").touch()

    ran = clean(site, "-v", "-f", "jsonl")

    assert [json.loads(line)["status"] for line in ran.out.splitlines()].count("ok") == 12
    assert "13 pages: 12 ok, 1 empty" in ran.err


def test_quiet_says_nothing_but_errors(clean, folder, site):
    folder.joinpath("site", "empty.html").touch()
    folder.joinpath("site", "dead.html").symlink_to("nowhere")

    ran = clean(site, "-q", "-o", "out")

    assert ran.err == f"victor: {os.path.join('site', 'dead.html')}: unreadable: no such file\n"


# Options


def test_several_processes_print_what_one_does(clean, folder, site):
    folder.joinpath("site", "binary.html").write_bytes(bytes(range(256)) * 40)
    one, two = clean(site, "-j", 1, "-f", "jsonl"), clean(site, "-j", 2, "-f", "jsonl")

    assert two == one
    assert [json.loads(line)["status"] for line in one.out.splitlines()].count("undecodable") == 1
    assert len(one.out.splitlines()) == 13


def test_several_processes_write_what_one_does(clean, folder, site):
    clean(site, "-j", 1, "-o", "one")
    clean(site, "-j", 2, "-o", "two")

    assert files_in("two") == files_in("one")
    assert all(
        folder.joinpath("two", name).read_bytes() == folder.joinpath("one", name).read_bytes()
        for name in files_in("one")
    )


@pytest.mark.parametrize("method", ["viterbi", "likeliest", "expected-f1"])
def test_bias_moves_what_is_kept(clean, site, method):
    biases = ("-100", "precision", "0", "recall", "100")

    texts = [clean(site, "-f", "text", "--decode", method, "--bias", bias).out for bias in biases]

    lengths = [len(text) for text in texts]
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[-1]
    assert "About us" in texts[-1]


@pytest.mark.parametrize("threshold", [0, 0.02, 0.5, 1])
def test_a_threshold_keeps_exactly_the_blocks_that_are_at_least_as_likely_to_be_content(clean, page, threshold):
    blocks = json.loads(clean(page, "-f", "json", "--threshold", threshold).out)["blocks"]

    assert [block["label"] != "other" for block in blocks] == [block["probability"] >= threshold for block in blocks]


def test_a_scope_that_the_model_has_not_learned_is_wrong_usage(clean, page):
    ran = clean(page, "--scope", "article")

    assert (ran.status, ran.out) == (2, "")
    assert "a scope that the model does not know, 'article': it has learned no scopes" in ran.err


@pytest.mark.process
def test_the_scope_says_which_content_is_printed(victor):
    thread = Path(__file__).parents[3] / "annotations" / "written" / "forum-woodstove-en.html"
    posts, article = (
        victor("clean", thread, "--scope", scope, "-f", "text").out for scope in ("discussion", "article")
    )

    assert len(posts) > 2 * len(article)


def test_the_way_of_decoding_can_be_chosen(clean, page):
    assert clean(page, "--decode", "viterbi").out.count("<c>") == 0
    assert clean(page, "--decode", "viterbi").status == clean(page, "--decode", "expected-f1").status == 0


def test_the_address_is_printed(clean, page):
    assert clean(page, "--url", "https://harbour.example/7").out.startswith(
        "URL: https://harbour.example/7\n<h> Letters"
    )


def test_cleanevals_wrapper_names_the_page(clean, folder):
    folder.joinpath("1.html").write_text(
        '<text id="https://x.example/" title="Boats"><p>We counted the boats in the harbour twice.</text>'
    )

    record = json.loads(clean("1.html", "-f", "json").out)

    assert (record["url"], record["title"]) == ("https://x.example/", "Boats")


def test_an_address_for_several_pages_is_refused(clean, site):
    ran = clean(site, "--url", "https://x.example/")

    assert (ran.status, ran.out) == (2, "")
    assert "--url needs exactly one page, got 12" in ran.err


def test_json_tells_all_of_the_page(clean, page):
    record = json.loads(clean(page, "-f", "json", "--all-blocks", "--url", "https://x.example/").out)

    assert {name: record[name] for name in ("id", "url", "title", "html_title", "status", "encoding", "replaced")} == {
        "id": "page",
        "url": "https://x.example/",
        "title": "Letters from the harbour, part 7",
        "html_title": "Part 7",
        "status": "ok",
        "encoding": "utf-8",
        "replaced": 0,
    }
    assert len(record["model"]) == 64
    assert [block["label"] for block in record["blocks"]] == ["other", "other", *"hpccpll", "other"]
    assert all(0 <= block["probability"] <= 1 for block in record["blocks"])
    assert record["passages"][1]["text"] == PARAGRAPH.removeprefix("<p> ")


def test_results_do_not_depend_on_hash_seeds(victor_process, model, site):
    ran = []
    for seed in "12":
        victor_process.environment["PYTHONHASHSEED"] = seed
        ran.append(victor_process("clean", "-m", model, site, "-f", "jsonl", "-j", 2))

    assert ran[0].out.count("\n") == 12
    assert ran[0] == ran[1]


@pytest.mark.process
def test_a_model_is_found_by_its_name_in_models(victor, folder, model, page):
    folder.joinpath("models").mkdir()
    folder.joinpath("models", "mine").symlink_to(model)

    assert PARAGRAPH in victor("clean", "-m", "mine", page).out


# Pages that are none


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"", "empty: the page is empty"),
        (b" \n\t \r\n", "empty: the page is empty"),
        (b"\xef\xbb\xbf", "empty: the page is empty"),
        (b"<html><body></body></html>", "empty: no text in the page"),
        (b"<script>var x = 1</script>", "empty: no text in the page"),
        (b"<!-- nothing", "empty: no text in the page"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0", "undecodable: not a text: binary data"),
        (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", "undecodable: not a text: binary data"),
        (b"PK\x03\x04\x14\0\0\0", "undecodable: not a text: binary data"),
        (bytes(range(256)) * 40, "undecodable: not a text: binary data"),
        (b"\0" * 5000, "undecodable: not a text: binary data"),
        (b"\x1f\x8bnonsense", "unreadable: damaged gzip: only a part could be unpacked"),
    ],
    ids=["empty", "white", "mark", "no text", "script", "comment", "PNG", "PDF", "zip", "random", "NULs", "gzip"],
)
def test_a_page_without_text_says_why_and_the_others_are_cleaned(clean, folder, page, source, reason):
    folder.joinpath("bad.html").write_bytes(source)
    failed = not reason.startswith("empty")

    alone, both = clean("bad.html"), clean("bad.html", page)

    assert f"victor: bad.html: {reason}\n" in alone.err
    assert (alone.status, alone.out) == (1 if failed else 0, "")
    assert (both.status, both.out) == (0, f"==> {page} <==\n{clean(page).out}")
    assert "Traceback" not in alone.err + both.err


@pytest.mark.parametrize(("source", "status"), [(b"", 0), (b"\x89PNG\r\n\x1a\n", 3), (b"\x1f\x8bnonsense", 3)])
def test_strictly_a_page_that_failed_is_a_failure_and_an_empty_one_is_not(clean, folder, page, source, status):
    folder.joinpath("bad.html").write_bytes(source)

    assert clean("bad.html", page, "--strict").status == status


def test_pages_that_cannot_be_read_leave_no_file_behind(clean, folder, site):
    folder.joinpath("site", "dead.html").symlink_to("nowhere")
    folder.joinpath("site", "folder.html").mkdir()
    folder.joinpath("site", "binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")

    ran = clean(site, "-o", "out", "--strict")

    assert ran.status == 3
    assert "13 pages" not in ran.err
    assert "14 pages: 12 ok, 1 undecodable, 1 unreadable" in ran.err
    assert len(files_in("out")) == 12


def test_an_output_is_kept_where_nothing_could_be_read(clean, folder):
    folder.joinpath("binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    folder.joinpath("out.txt").write_text("of yesterday")

    assert clean("binary.html", "-o", "out.txt").status == 1
    assert folder.joinpath("out.txt").read_text() == "of yesterday"


def test_of_a_gzip_that_is_cut_off_the_beginning_is_cleaned(clean, folder, page):
    packed = gzip.compress(Path(page).read_bytes() + os.urandom(2000).hex().encode())
    folder.joinpath("cut.html.gz").write_bytes(packed[:1500])

    ran = clean("cut.html.gz")

    assert ran.status == 0
    assert "cut.html.gz: " in ran.err
    assert "gzip is cut off: only a part could be unpacked" in ran.err
    assert PARAGRAPH in ran.out


SENTENCE = "Nobody had told the café that the bridge was closed, naïve as they were."


@pytest.mark.parametrize(
    ("source", "encoding"),
    [
        (f"<meta charset=klingon><p>{SENTENCE}".encode(), "utf-8"),
        (f"<meta charset=utf-8><p>{SENTENCE}".encode("cp1252"), "windows-1252"),
        (f"<meta charset=iso-8859-1><p>{SENTENCE} – “so”".encode("cp1252"), "windows-1252"),
        (f"<meta charset=ascii><p>{SENTENCE}".encode(), "utf-8"),
        (f"<p>{SENTENCE}".encode("utf-16"), "utf-16le"),
        (f"<p>{SENTENCE}".encode("utf-16-le"), "utf-16le"),
        (f"<p>{SENTENCE}".encode("utf-16-be"), "utf-16be"),
    ],
    ids=["unknown", "wrong", "latin-1", "ascii", "UTF-16 with mark", "UTF-16LE", "UTF-16BE"],
)
def test_whatever_a_page_says_of_its_encoding_its_text_is_read(clean, folder, source, encoding):
    folder.joinpath("x.html").write_bytes(source)

    record = json.loads(clean("x.html", "-f", "json", "--bias", "100").out)

    assert record["text"].startswith(SENTENCE)
    assert (record["encoding"], record["replaced"]) == (encoding, 0)


def test_characters_that_mean_nothing_are_counted(clean, folder):
    folder.joinpath("x.html").write_bytes(f"<meta charset=utf-8><p>{SENTENCE} {SENTENCE}".encode() + b"\xff and so on.")

    ran = clean("x.html", "-f", "json", "--bias", "100")

    assert json.loads(ran.out)["replaced"] == 1
    assert "x.html: not valid utf-8: replaced 1 characters" in ran.err


@pytest.mark.parametrize(
    "source",
    [
        "<div>" * 100_000 + "{}" + "</div>" * 100_000,
        "<b>" * 20_000 + "{}",
        "<div><p><b><table><tr><td>" * 300 + "{}",
        "<p>{} <b <i <a href='x <!-- <script>",
        "<a href=/x>more</a> " * 20_000 + "<p>{}</p>",
        "<p title='" + "x" * 8_000_000 + "'>{}</p>",
        "<p " + " ".join(f"a{number}" for number in range(5_000)) + ">{}</p>",
        "<table><tr><td colspan=9007199254740992 rowspan=9007199254740992>{}</table>",
        "<<<<<>>>>> <p>{}</p>",
        "<title><p>{}</p>",
        "</html><p>{}</p>",
        "<plaintext>{}",
        "<script>if (a) document.write('<script></script>')</script><p>{}</p>",
    ],
    ids=[
        "deep",
        "bold",
        "unclosed",
        "cut off",
        "links",
        "attribute",
        "attributes",
        "colspan",
        "<<<",
        "title",
        "late",
        "plain",
        "script",
    ],
)
def test_no_html_is_too_broken(clean, folder, source):
    folder.joinpath("x.html").write_text(source.replace("{}", SENTENCES))

    ran = clean("x.html", "-f", "text", "--bias", "100")

    assert (ran.status, ran.err) == (0, "")
    assert SENTENCES in ran.out


SENTENCES = "The ferry leaves at seven, long before the island is awake."


# What the user has to mend


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("gone.html", "page.html"), 2, "gone.html: no such file or folder"),
        (("nothing",), 2, "nothing: no pages in this folder"),
        (("page.html", "-m", "nope"), 2, "no model 'nope'"),
        (("page.html", "-m", "./nope"), 2, "nope: no such model"),
        (("page.html", "-m", "nothing/"), 1, "model.yaml: cannot be read"),
        (("page.html", "-o", "page.html/x.txt"), 1, "page.html is a file, not a folder"),
        (("page.html", "-o", "page.html/"), 1, "page.html is a file, not a folder"),
        (("page.html", "-f", "pdf"), 2, "expected one of anno, blog-xml, "),
        (("page.html", "-j", "0"), 2, "expected a whole number (at least 1), got '0'"),
        (("page.html", "-j", "many"), 2, "expected a whole number (at least 1), got 'many'"),
        (("page.html", "--bias", "wide"), 2, "expected precision, recall or a number from -100 to 100, got 'wide'"),
        (("page.html", "--bias", "101"), 2, "expected precision, recall or a number from -100 to 100, got '101'"),
        (("page.html", "--bias", "nan"), 2, "from -100 to 100, got 'nan'"),
        (("page.html", "--decode", "luck"), 2, "expected one of viterbi, likeliest, expected-f1, got 'luck'"),
        (("page.html", "--threshold", "high"), 2, "expected a number from 0 to 1, got 'high'"),
        (("page.html", "--threshold", "1.1"), 2, "expected a number from 0 to 1, got '1.1'"),
        (("page.html", "--threshold", "nan"), 2, "expected a number from 0 to 1, got 'nan'"),
        (("page.html", "--threshold", "0.5", "--decode", "viterbi"), 2, "not allowed with argument"),
        (("page.html", "--timeout", "0"), 2, "expected a number (more than 0 and at most 1000000), got '0'"),
        (("page.html", "--timeout", "inf"), 2, "at most 1000000), got 'inf'"),
        (("page.html", "--timeout", "long"), 2, "at most 1000000), got 'long'"),
        (("page.html", "--max-memory", "0"), 2, "expected a whole number (at least 1), got '0'"),
        (("page.html", "--max-bytes", "1k"), 2, "expected a whole number (at least 1), got '1k'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("page")
def test_wrong_usage_is_told_before_anything_is_written(clean, folder, words, status, message):
    folder.joinpath("nothing").mkdir()

    ran = clean(*words)

    assert (ran.status, ran.out) == (status, "")
    assert message in ran.err
    assert "Traceback" not in ran.err
    assert files_in(".") == ["page.html"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("output", ["-", "/dev/full"])
def test_a_full_disk_is_told(victor_process, model, page, output):
    with open("/dev/full", "wb") as full:
        ran = victor_process("clean", "-m", model, page, "-o", output, stdout=full)

    assert ran.status == 1
    assert "cannot be written: No space left on device" in ran.err
    assert ran.err.count("\n") == 1


def test_a_folder_in_the_way_of_one_page_stops_no_other(clean, folder, site):
    folder.joinpath("out", "part-1.txt").mkdir(parents=True)

    ran = clean(site, "-o", "out")

    assert ran.status in {1, 3}
    assert "part-1.txt: cannot be written" in ran.err
    assert len(files_in("out")) == 11


def test_a_link_that_leads_in_a_circle_is_replaced(clean, folder, page):
    folder.joinpath("loop.txt").symlink_to("loop.txt")

    assert clean(page, "-o", "loop.txt").status == 0
    assert PARAGRAPH in folder.joinpath("loop.txt").read_text()


def test_a_reader_that_has_had_enough_is_no_error(victor_process, model, site):
    ours, theirs = socket.socketpair()
    ours.close()

    ran = victor_process("clean", "-m", model, site, stdout=theirs.fileno())
    theirs.close()

    assert (ran.status, "Traceback" in ran.err) == (0, False)


def test_an_empty_line_parts_pages_in_one_stream(clean, folder, site):
    one = clean(f"{site}/part-1.html", "-f", "text").out
    shown = clean(site, "-f", "text").out
    clean(site, "-f", "text", "-o", "all.txt")

    assert f"==> {site}/part-1.html <==\n{one}" in {f"{page}\n" for page in shown.split("\n\n")}
    assert one in {f"{page}\n" for page in folder.joinpath("all.txt").read_text().split("\n\n")}


# Hostile pages


def test_the_summary_adds_up_to_the_input(clean, folder, site):
    folder.joinpath("site", "empty.html").touch()
    folder.joinpath("site", "binary.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    folder.joinpath("site", "large.html").write_text("<p>x" * 1_000)

    ran = clean(site, "-o", "out", "--max-bytes", 2_000, "--summary", "summary.json")

    summary = json.loads(folder.joinpath("summary.json").read_text())
    assert "15 pages: 12 ok, 1 empty, 1 dropped, 1 undecodable" in ran.err
    assert {status: count for status, count in summary.items() if count} == {
        "pages": 15,
        "ok": 12,
        "empty": 1,
        "dropped": 1,
        "undecodable": 1,
    }
    assert {"timeout", "out-of-memory", "crashed", "unreadable"} <= summary.keys()


@pytest.mark.parametrize("strict", [(), ("--strict",)])
def test_a_page_that_is_dropped_leaves_no_file_and_is_no_failure(clean, folder, page, strict):
    folder.joinpath("large.html").write_text("<p>x" * 1_000)

    ran = clean(page, "large.html", "--max-bytes", 2_000, "-o", "out/", *strict)

    assert ran.status == 0
    assert "large.html: dropped: larger than 2,000 bytes" in ran.err
    assert files_in("out") == ["page.txt"]


def test_a_single_page_has_its_time_too(victor, slow_model, folder):
    folder.joinpath("slow.html").write_text(slow_page(4))

    ran = victor("clean", "-m", slow_model, "slow.html", "--timeout", "0.5")

    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "victor: slow.html: timeout: takes more than 0.5 s\n"


def test_markdown_comes_without_links(clean, folder):
    folder.joinpath("links.html").write_text(
        '<p>The ferry leaves at <a href="https://x.example/">seven</a>, and nobody on the island is awake at this time.'
    )

    words = ("links.html", "-f", "markdown", "--bias", 100)

    assert "[seven](https://x.example/)" in clean(*words).out
    assert "leaves at seven, and" in clean(*words, "--without", "links,emphasis").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-f", "text", "--without", "links"), "text has no option --without (its options: none)"),
        (
            ("-f", "markdown", "--columns", "text,html"),
            "markdown has no option --columns (its options: --without, --front-matter)",
        ),
        (
            ("-f", "json", "--without", "links"),
            "--without needs the format markdown, or --columns with markdown, got json",
        ),
        (("-f", "markdown", "--without", "link"), "got 'link'; did you mean 'links'?"),
        (("-f", "json", "--columns", "markdwn"), "expected text, markdown, html, got 'markdwn'"),
    ],
)
def test_an_option_that_the_format_does_not_have_is_refused(clean, page, words, message):
    ran = clean(page, *words)

    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
