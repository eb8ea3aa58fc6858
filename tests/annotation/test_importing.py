import pytest

from victorpy.annotation.anno_files import read
from victorpy.annotation.importing import Import, import_all, pairs
from victorpy.errors import UsageError
from victorpy.pipeline.cleaner import load

HTML = "<ul><li>Home</ul><p>The ferry leaves at seven, long before the island is awake.</p>"
GOLD = "<p> The ferry leaves at seven, long before the island is awake.\n"


@pytest.fixture
def folders(folder):
    for name in ("html/a.html", "html/sub/b.html.gz", "gold/a.txt", "gold/sub/b.md"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HTML if name.startswith("html") else GOLD)
    return folder


def test_pages_and_clean_texts_of_one_name_are_a_pair(folders):
    assert [(pair.page.id, pair.gold.as_posix()) for pair in pairs("html", "gold")] == [
        ("a", "gold/a.txt"),
        ("sub/b", "gold/sub/b.md"),
    ]


def test_a_page_and_a_text_are_a_pair_whatever_their_names(folders):
    assert [pair.gold.as_posix() for pair in pairs("html/a.html", "gold/sub/b.md")] == ["gold/sub/b.md"]


def test_texts_without_a_page_are_left_alone(folders):
    folders.joinpath("gold/more.txt").write_text(GOLD)

    assert len(pairs("html", "gold")) == 2


def test_a_page_without_a_text_is_named(folders):
    folders.joinpath("html/new.html").write_text(HTML)

    with pytest.raises(UsageError, match=r"gold: no gold text for 1 of 3 pages, such as new"):
        pairs("html", "gold")


@pytest.mark.process
@pytest.mark.parametrize("jobs", [1, 2])
def test_every_pair_is_reported_in_order_and_written(folders, jobs):
    done = list(import_all(pairs("html", "gold"), Import("out", annotator="me"), jobs))

    assert [(imported.id, imported.is_written, imported.problem) for imported in done] == [
        ("a", True, ""),
        ("sub/b", True, ""),
    ]
    assert [imported.score.f1 for imported in done] == [1.0, 1.0]
    assert list(read("out/a.anno").labels) == ["other", "p"]
    assert read("out/sub/b.anno").annotator == "me"


def test_a_page_that_cannot_be_read_scores_nothing(folders):
    folders.joinpath("html/a.html").write_bytes(b"\x1f\x8bnonsense")

    first, second = import_all(pairs("html", "gold"), Import("out"))

    assert (first.is_written, first.score.f1) == (False, 0.0)
    assert "damaged gzip" in first.problem
    assert second.is_written


def test_the_least_score_is_in_percent(folders):
    folders.joinpath("gold/a.txt").write_text(GOLD + "<p> Eleven more words that are in no block of the whole page.\n")

    first, second = import_all(pairs("html", "gold"), Import("out", least_score=90))

    assert 0.5 < first.score.f1 < 0.9
    assert first.missing == ["Eleven more words that are in no block of the whole page"]
    assert (first.is_written, second.is_written) == (False, True)
    assert not folders.joinpath("out/a.anno").exists()


DOCUMENT = (
    "<nav><a href=/>Home</a></nav><h1>Ferry <em>times</em></h1>"
    "<p>See the <a href=/t>time table</a>, it is <b>new</b> &amp; <code>--fast</code>.</p>"
    "<table><caption>Times</caption><tr><th>Day<th>Out</tr><tr><td>Monday<td>7:00"
    "<tr><td>a|b<td><a href=/x>7:30</a></table>"
    "<pre><code>def f(x):\n    return x\n\ndef g(x):\n    return x\n# 1. no * list *\n</code></pre>"
    "<ul><li>one<ul><li>two <i>three</i></ul><li><p>four<p>five</ul><footer>Imprint</footer>"
)
MARKDOWN = """\
# Ferry *times*

See the [time table](https://harbour.example/t?a=1&b=2 "Times"), it is **new** & `--fast`.

Times

| Day | Out |
| --- | ---: |
| Monday | 7:00 |
| a\\|b | [7:30](/x) |

```python
def f(x):
    return x

def g(x):
    return x
# 1. no * list *
```

- one
  - two *three*
- four

  five
"""


def test_markdown_with_tables_and_code_labels_cells_and_lines(folders):
    folders.joinpath("page.html").write_text(DOCUMENT)
    folders.joinpath("page.md").write_text(MARKDOWN)

    (imported,) = import_all(pairs("page.html", "page.md"), Import("page.anno"))
    annotation = read("page.anno")
    labels = dict(zip(annotation.texts, annotation.labels, strict=True))

    assert (imported.score.f1, imported.missing) == (1.0, [])
    assert [labels[text] for text in ("Home", "Ferry", "See the", "time table", "--fast", "Imprint")] == [
        *("other", "h", "p", "c", "c", "other")
    ]
    assert [labels[text] for text in ("Times", "Day", "Out", "Monday", "7:00", "a|b", "7:30")] == ["p"] * 7
    assert [labels[text] for text in ("def f(x):", "def g(x):", "# 1. no * list *")] == ["p", "c", "c"]
    assert [label for text, label in zip(annotation.texts, annotation.labels, strict=True) if "return" in text] == [
        *("c", "c")
    ]
    assert [labels[text] for text in ("one", "two", "three", "four", "five")] == ["l", "l", "c", "l", "p"]


def test_our_own_markdown_gives_the_labels_that_printed_it(folders):
    cleaned = load("everything").clean(DOCUMENT)
    folders.joinpath("page.html").write_text(DOCUMENT)
    folders.joinpath("page.md").write_text(cleaned.markdown)

    (imported,) = import_all(pairs("page.html", "page.md"), Import("page.anno"))

    assert imported.score.f1 == 1.0
    assert "other" not in read("page.anno").labels
