"""WC Cleaner: V. Baisa, Web content cleaning (2009), by section."""

import logging
import random

import pytest
from archives import answer, packed, warc

from victorpy.labelers.density import main_part
from victorpy.labelers.registry import labeler
from victorpy.labelers.structure_likeness import is_similar_by_child_count
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.output.formats.precleaned import without_invisible_parts
from victorpy.page.markup import BLOCKS
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import untrained
from victorpy.pipeline.grouping import Grouping, folder_of_site, group

# Figure 1.1: the Wikipedia page, as MediaWiki wrote it, with other sentences.
WIKIPEDIA = """<html><head><title>British National Corpus - Wikipedia</title></head><body><div id=globalWrapper>
<div id=column-content><div id=content><h1 class=firstHeading>British National Corpus</h1><div id=bodyContent>
<p>The British National Corpus (BNC) is a 100-million-word collection of texts, written and spoken, of many kinds.</p>
<p>Of the two parts to the 10-million word spoken corpus, one is of meetings and the other of talk at home.</p>
<p>The corpus is marked up following the recommendations of an initiative of libraries, and each word has its class.</p>
<h2>See also</h2><ul><li>Corpus of Contemporary American English (COCA) 385 million words</li>
<li>American National Corpus</li><li>Oxford English Corpus</li></ul>
<h2>External links</h2><ul><li>British National Corpus website</li><li>Free BNC interface</li></ul></div></div></div>
<div id=column-one><div id=p-cactions><ul><li><a>article</a><li><a>discussion</a><li><a>edit this page</a>
<li><a>history</a></ul></div><div id=p-navigation><ul><li><a>Main page</a><li><a>Contents</a><li><a>Random article</a>
</ul></div></div><div id=footer><ul><li>This page was last modified today</ul></div></div></body></html>"""


def cleaned(name, html, **options):
    return untrained(labeler(name, **options)).clean(html)


def test_1_the_wikipedia_page_with_its_headings_and_lists():
    lines = cleaneval(cleaned("density", WIKIPEDIA, title=True)).splitlines()

    beginnings = [
        *("<h> British National Corpus", "<p> The British National Corpus (BNC) is a 100-million-word"),
        *("<p> Of the two parts to the 10-million word spoken corpus", "<p> The corpus is marked up following the rec"),
        *("<h> See also", "<l> Corpus of Contemporary American English (COCA) 385", "<l> American National Corpus"),
        *("<l> Oxford English Corpus", "<h> External links", "<l> British National Corpus website"),
        "<l> Free BNC interface",
    ]
    lines = [line for line in lines if line and not line.startswith("URL")]
    assert len(lines) == len(beginnings)
    assert all(line.startswith(begin) for line, begin in zip(lines, beginnings, strict=True))


def test_2_1_precleaning_is_not_greedy():
    html = "<SCRIPT>one</script><p>The text.<style>p {}</style><!-- a --> Its end.<script>two</script>"

    assert without_invisible_parts(html) == "<p>The text. Its end."


@pytest.mark.parametrize("html", ["<!-- no end", "<script>no end<p>text", "<p>text", ""])
def test_2_1_a_part_without_an_end_is_kept(html):
    assert without_invisible_parts(html) == html


@pytest.mark.process
def test_2_1_the_precleaned_page_is_an_output(victor, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<script>one</script><p>The ferry.<ul><li><a>Home</a></ul>")

    ran = victor("clean", path, "-f", "precleaned", "-j", 1)

    assert ran.out.strip() == "<p>The ferry.<ul><li><a>Home</a></ul>"


@pytest.mark.parametrize(
    ("site", "folder"),
    [("abc.co.uk", "ac"), ("x.abc.co.uk", "ac"), ("example.org", "ee"), ("a.org", "aa"), ("news.example.org", "ns")],
)
def test_2_1_sorting_takes_the_first_and_last_letter_of_the_third_level_domain(site, folder):
    assert folder_of_site(site) == folder


def test_2_1_sorting_writes_a_file_for_each_address(folder):
    urls = ["http://www.abc.co.uk/documents/index.html", "http://example.org/", "http://abc.co.uk/2"]
    records = [warc(number, answer(), WARC_Target_URI=url) for number, url in enumerate(urls)]
    folder.joinpath("crawl.warc.gz").write_bytes(packed(records, ".gz"))

    totals = group(["crawl.warc.gz"], folder / "out", Grouping(files="sites"))

    files = sorted(str(path.relative_to(folder / "out")) for path in (folder / "out").rglob("*.gz"))
    assert files == ["ac/abc.co.uk.warc.gz", "ee/example.org.warc.gz"]
    assert totals.written == 3


def algorithm_1(page, element):
    """getTargetNode, as it is printed."""
    children = [
        child
        for child, parent in enumerate(page.elements.parents.tolist())
        if child and parent == element and is_structural(page, child)
    ]
    if children:
        densest = max(children, key=lambda child: (density(page, child), -child))
        if characters(page, densest) > 0.5 * characters(page, element):
            return algorithm_1(page, densest)
    return element


def is_structural(page, element):
    return page.elements.tags[element] in page.markup.class_block


def inside(page, element):
    return range(element, page.elements.ends[element])


def characters(page, element):
    return sum(
        int(length) for length, own in zip(page.lengths, page.element, strict=True) if own in inside(page, element)
    )


def density(page, element):
    return characters(page, element) / max(sum(is_structural(page, inner) for inner in inside(page, element)), 1)


@pytest.mark.parametrize("seed", range(40))
def test_2_3_the_target_node_is_that_of_algorithm_1(seed):
    chance = random.Random(seed)

    def tree(depth):
        texts = "".join(f"<p>{'word ' * chance.randint(1, 30)}</p>" for _ in range(chance.randint(0, 3)))
        if not depth:
            return texts
        return texts + "".join(f"<div>{tree(depth - 1)}</div>" for _ in range(chance.randint(0, 3)))

    page = segment(f"<body>{tree(4)}<p>end</p></body>", markup=BLOCKS)

    assert main_part(page).element == algorithm_1(page, page.elements.tags.index("body"))


@pytest.fixture
def pair(tmp_path):
    """A page, and the path of another of its site, each with a line by its author."""

    def page(author, text):
        return f"<title>Sea</title><ul><li>Home</ul><div><h1>Log</h1><p>{text}</p><p>posted by {author}</p></div>"

    reference = tmp_path / "reference.html"
    reference.write_text(page("anonymous", "Nothing happened in the harbour on that day."))
    return page("Jack F.", "Nine boats came in before the storm."), str(reference)


def texts(pair, **options):
    html, reference = pair
    found = cleaned("site", html, reference=reference, least_alike=0.0, **options)
    return [passage.text for passage in found.passages]


def test_2_4_common_parts_are_cut_off_jack_f(pair):
    assert texts(pair, cuts_common=True, starts_at_target=False) == [
        "Nine boats came in before the storm.",
        "Jack F.",
    ]
    assert texts(pair, starts_at_target=False) == ["Nine boats came in before the storm."]


def test_appendix_t_adds_the_title_in_multiple_file_mode(pair):
    assert texts(pair, title=True)[0] == "Log"


def test_appendix_r_omits_sparse_files_in_multiple_file_mode(pair):
    html, reference = pair

    found = cleaned("site", html, reference=reference, drops_sparse=True, least_density=1000.0)

    assert not found.passages
    assert found.reason.startswith("sparse page: density")


def test_appendix_is_similar_by_child_count():
    one = segment("<body><div><p>one</p><p>two</p></div><div>three</div></body>", markup=BLOCKS)
    two = segment("<body><div><p>four</p><p>five</p><p>six</p></div><div>seven</div></body>", markup=BLOCKS)

    assert is_similar_by_child_count(one, two, 1)
    assert not is_similar_by_child_count(one, two, 2)


def test_appendix_p_cleans_a_page_built_otherwise_in_single_file_mode(pair):
    html, reference = pair
    html = html.replace("<p>posted", "<p>Another paragraph.</p><p>posted")

    found = cleaned("site", html, reference=reference, least_alike=0.0, prune_level=2)

    assert found.reason == "built otherwise than the reference page from level 2 on: cleaned by density"
    assert found.fallback == "density"
    assert not cleaned("site", html, reference=reference, least_alike=0.0, prune_level=1).fallback


def test_appendix_v_tells_the_target_and_the_reference(pair, caplog):
    caplog.set_level(logging.INFO, "victorpy")

    texts(pair)
    cleaned("density", WIKIPEDIA)

    assert "compared with" in caplog.text
    assert "target <div> on line" in caplog.text


def test_multiple_file_mode_of_a_page_alone_says_that_there_is_no_other(pair, tmp_path):
    assert cleaned("site", pair[0]).reason == "no other page of its site to compare it with: cleaned by density"
