"""Pages of a site that are cleaned with what the others tell of them."""

import json

import pytest
from archives import answer, packed, warc
from run_folders import told

import victorpy

MENU = "<ul><li>Home</li><li>Harbour news, as it comes in from all the piers.</li></ul>"


TITLES = ("Rain again", "A late ferry", "Counted boats", "The bridge is open", "News of the lighthouse")
TEXTS = (
    "It fell all night, and nobody went out to look at the nets.",
    "At nine the ramp was still up, because the pilot had lost his keys on the way.",
    "We found forty in the morning and forty-one in the evening, which is one too many.",
    "Since noon all may cross who have waited for so long, on foot at first.",
    "Somebody painted the door red again, and the keeper says he does not mind at all.",
)


def text(number):
    return TEXTS[number % 5]


def html(number):
    return f"<html><body>{MENU}<h1>{TITLES[number % 5]}</h1><p>{text(number)}</p></body></html>"


@pytest.fixture
def crawl(folder):
    """A folder of pages of one site, by their addresses."""
    pages = folder / "crawl" / "harbour.example"
    pages.mkdir(parents=True)
    for number in range(1, 5):
        pages.joinpath(f"{number}.html").write_text(html(number))
    return folder / "crawl"


@pytest.fixture
def learned(victor, crawl, folder, model):
    ran = victor("learn", "site", crawl, "-o", "site.npz", "--megabytes", 1, "--model", model)
    assert (ran.status, ran.out, ran.err) == (0, "", "victor: 4 pages of 1 sites\n")
    return folder / "site.npz"


def clean(victor, *words):
    return victor("clean", "-j", 1, "-f", "jsonl", *words)


def records(ran):
    return [json.loads(line) for line in ran.out.splitlines()]


@pytest.mark.process
def test_what_the_other_pages_hold_is_not_printed(victor, learned, crawl):
    assert victor("learn", "site", crawl, "-o", learned, "--megabytes", 1, "--labeler", "everything").status == 0

    ran = clean(victor, crawl, "--labeler", "everything", "--site", learned)

    assert [record["text"] for record in records(ran)] == [f"{TITLES[n]}\n{text(n)}\n" for n in range(1, 5)]


def test_counts_of_blocks_cut_otherwise_are_refused(victor, learned, crawl):
    ran = clean(victor, crawl, "--labeler", "everything", "--site", learned)

    assert ran.status == 2
    assert "other markup options" in ran.err
    assert "--labeler that cleans" in ran.err


def test_a_model_is_filtered_too_by_several_processes(victor_process, learned, crawl, model):
    with_site = victor_process("clean", "-m", model, crawl, "--site", learned, "-j", 2)
    without = victor_process("clean", "-m", model, crawl, "-j", 2)

    assert with_site.status == 0
    assert "Harbour news" not in with_site.out
    assert text(1) in with_site.out
    assert text(1) in without.out


@pytest.mark.process
def test_thresholds_say_how_much_is_dropped(victor, learned, crawl, model):
    all_kept = clean(victor, crawl, "-m", model)
    few_pages = clean(victor, crawl, "-m", model, "--site", learned, "--site-pages", 9)
    never = clean(victor, crawl, "-m", model, "--site", learned, "--site-share", 1, "--site-by", "text")

    texts = [record["text"] for record in records(all_kept)]
    assert [record["text"] for record in records(few_pages)] == texts
    assert [record["text"] for record in records(never)] == texts
    assert {record["reason"] for record in records(few_pages)} == {
        "3 other pages of its site known: the filter dropped nothing"
    }


@pytest.mark.process
def test_pages_are_given_a_site_by_a_list_of_addresses_or_by_a_host(victor, learned, folder, model):
    folder.joinpath("new.html").write_text(html(7))
    folder.joinpath("urls.tsv").write_text("new\thttp://www.harbour.example/7\n")

    unknown, listed, hosted = (
        records(clean(victor, "new.html", "-m", model, "--site", learned, *words))[0]
        for words in ([], ["--urls", "urls.tsv"], ["--host", "harbour.example"])
    )

    assert unknown["reason"].startswith("no address")
    assert (listed["url"], listed["reason"]) == ("http://www.harbour.example/7", "")
    assert (hosted["url"], hosted["reason"]) == (None, "")


def test_sites_are_learned_from_records(victor, folder):
    lines = [json.dumps({"url": f"http://x.example/{number}", "html": html(number)}) for number in range(1, 4)]
    folder.joinpath("crawl.jsonl").write_text("\n".join([*lines, "broken"]))

    ran = victor("learn", "site", "crawl.jsonl", "-o", "site.npz", "--megabytes", 1)

    assert ran.status == 0
    assert "crawl.jsonl:4: not counted: not JSON" in ran.err
    assert ran.err.endswith("3 pages of 1 sites\n")


@pytest.mark.process
def test_a_crawl_that_was_grouped_by_host_is_counted_and_cleaned(victor, folder):
    hosts = [f"{name}.example" for name in ("tide", "harbour")]
    pages = [(host, number) for number in range(1, 5) for host in hosts]
    records = [
        warc(number, answer(html(number).encode()), WARC_Target_URI=f"https://{host}/{number}")
        for host, number in pages
    ]
    folder.joinpath("crawl.warc.gz").write_bytes(packed(records, ".gz"))

    grouped = victor("group-by-host", "crawl.warc.gz", "-o", "hosts", "--shards", 1)
    learned = victor("learn", "site", "hosts/*.warc.gz", "-o", "site.npz", "--megabytes", 1, "--labeler", "everything")
    ran = clean(victor, "hosts/*.warc.gz", "--labeler", "everything", "--site", "site.npz")

    assert (grouped.status, learned.status, ran.status) == (0, 0, 0)
    assert learned.err.endswith("8 pages of 2 sites\n")
    assert [record["url"] for record in map(json.loads, ran.out.splitlines())] == [
        f"https://{host}/{number}" for host in sorted(hosts) for number in range(1, 5)
    ]
    assert {record["text"] for record in map(json.loads, ran.out.splitlines())} == {
        f"{TITLES[number]}\n{text(number)}\n" for number in range(1, 5)
    }


def test_what_is_whole_of_a_damaged_archive_is_counted(victor, folder):
    folder.joinpath("crawl.warc").write_bytes(b"".join(warc(n, answer(html(n).encode())) for n in range(4))[:-9])

    ran = victor("learn", "site", "crawl.warc", "-o", "site.npz", "--megabytes", 1)

    assert ran.status == 1
    assert "crawl.warc: the file is cut off" in ran.err
    assert folder.joinpath("site.npz").exists()


@pytest.mark.process
def test_features_of_the_site_can_be_trained_on(victor, learned, annotations, folder, small_config):
    folder.joinpath("site.yaml").write_text(
        f"include: {small_config}\nfeatures: [container.p, position, site.path-share]\ntemplate: ./site.tpl\n"
        "buckets: {site.path-share: {values: [-1, 0, 0.01, 0.2]}}\n"
    )
    folder.joinpath("site.tpl").write_text("{container.p,position,site.path-share}[0]\n")
    victor("learn", "site", learned.parent / "crawl", "-o", "site.npz", "--megabytes", 1, "--config", "site.yaml")

    ran = victor("train", "-c", "site.yaml", "-m", "./sited", "--site", "site.npz", annotations)

    assert ran.status == 0
    assert clean(victor, "crawl", "-m", "./sited", "--site", "site.npz").status == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--site", "none.npz"], "none.npz: cannot be read"),
        (["--site-share", "0.3"], "--site-share, --site-holders, --site-pages and --site-by need --site"),
        (["--site", "x", "--site-share", "2"], "expected a number from 0 to 1, got '2'"),
        (["--urls", "none.tsv"], "none.tsv: cannot be read"),
    ],
)
def test_wrong_usage_is_told(victor, page, words, message):
    ran = victor("clean", page, *words)

    assert ran.status in {1, 2}
    assert message in ran.err


def test_one_page_is_not_enough_to_learn_from(victor, page):
    ran = victor("learn", "site", page, "-o", "site.npz", "--host", "harbour.example")

    assert ran.status == 1
    assert "no site has two pages" in ran.err


# Pages against one another


@pytest.mark.process
def test_pages_of_a_site_are_cleaned_against_one_another(victor, crawl):
    whole = ("--option", "starts-at-target=false")
    ran = victor("clean", "--labeler", "site", crawl, "-j", 1, "-f", "doc", "-o", "-", *whole)

    assert ran.status == 0
    assert ran.out.startswith(f'<doc id="harbour.example/1">\n<h> {TITLES[1]}\n<p> {text(1)}\n</doc>\n')
    assert "Harbour news" not in ran.out
    assert ran.out.count("<doc ") == 4


@pytest.mark.process
def test_pages_that_cleanevals_wrapper_names_are_grouped_by_their_addresses(victor, folder):
    for number in range(1, 5):
        wrapped = f'<text id="http://www.harbour.example/{number}" title="x">\n{html(number)}</text>'
        folder.joinpath(f"{number}.html").write_text(wrapped)
    whole = ("--option", "starts-at-target=false")
    listed = [f"{number}.html" for number in range(1, 5)]

    ran = victor("clean", "--labeler", "site", *listed, "-j", 1, "-f", "jsonl", *whole)

    found = records(ran)
    assert [record["url"] for record in found] == [f"http://www.harbour.example/{number}" for number in range(1, 5)]
    assert {record["reason"] for record in found} == {""}
    assert [record["text"] for record in found] == [f"{TITLES[n]}\n{text(n)}\n" for n in range(1, 5)]


@pytest.mark.process
def test_pages_that_another_method_cleaned_are_counted(victor, crawl, folder):
    crawl.joinpath("other.example").mkdir()
    crawl.joinpath("other.example/alone.html").write_text(html(5))

    ran = victor("clean", "--labeler", "site", crawl, "-j", 1, "-f", "jsonl", "-o", "all.jsonl", "--summary", "s.json")

    assert json.loads(folder.joinpath("s.json").read_text())["fallbacks"] == {"density": 1}
    assert "5 pages: 5 ok; 1 by the fallback 'density'" in ran.err
    assert "alone.html: ok: no other page of its site to compare it with: cleaned by density" in ran.err


@pytest.mark.process
def test_a_run_counts_the_pages_that_another_method_cleaned(victor, crawl, folder):
    words = ("run", "--labeler", "blog", crawl, "-o", "run", "-j", 1, "--part-pages", 3, "--summary", "s.json")

    ran = victor(*words)

    assert json.loads(folder.joinpath("s.json").read_text())["fallbacks"] == {"density": 4}
    assert "4 pages: 4 ok; 4 by the fallback 'density'" in ran.err
    assert {page["fallback"] for page in told("run")} == {"density"}
    assert (victor("verify", "run").status, victor(*words).status) == (0, 0)


@pytest.mark.process
@pytest.mark.parametrize("reference", ["median", "crawl/harbour.example/2.html"])
def test_the_reference_can_be_chosen(victor, crawl, reference):
    ran = victor("clean", "--labeler", "site", crawl, "-j", 1, "--option", f"reference={reference}")

    assert text(1) in ran.out
    assert "Harbour news" not in ran.out.partition(text(2))[0]


@pytest.mark.process
def test_a_run_and_python_compare_with_a_given_reference(victor, crawl):
    reference = str(crawl / "harbour.example/2.html")
    ran = victor("run", "--labeler", "site", "--option", f"reference={reference}", crawl, "-o", "run", "-j", 1)
    cleaned = victorpy.labeler("site", reference=reference).clean(html(1))

    assert ran.status == 0
    assert [page["reason"].partition(":")[0] for page in told("run")] == [
        "",
        "no other page of its site to compare it with",
        "",
        "",
    ]
    assert (cleaned.reason, text(1) in cleaned.text) == ("", True)


@pytest.mark.process
def test_a_reference_of_another_site_and_a_page_alone_are_told(victor, crawl):
    crawl.joinpath("else.html").write_text("<p>What somebody wrote elsewhere.")

    other = victor(
        "clean", "--labeler", "site", "crawl/harbour.example/1.html", "--option", "reference=crawl/else.html"
    )
    alone = victor("clean", "--labeler", "site", "crawl/harbour.example/1.html")
    missing = victor("clean", "--labeler", "site", crawl, "--option", "reference=none.html")

    assert "unlike the reference page (0% of its texts in common): cleaned by density" in other.err
    assert "no other page of its site to compare it with: cleaned by density" in alone.err
    assert (missing.status, "none.html" in missing.err) == (2, True)
