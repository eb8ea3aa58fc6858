"""What `import victorpy` offers."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import victorpy

PAGE = "<title>Part 1</title><h1>Ferry times</h1><p>The ferry leaves at seven, long before the island is awake.</p>"


def test_the_public_names_are_these():
    assert victorpy.__all__ == [
        "FORMATS",
        "Annotation",
        "Block",
        "Cleaned",
        "Cleaner",
        "Config",
        "Evaluation",
        "Label",
        "LabeledBlock",
        "Limits",
        "Metadata",
        "Model",
        "Page",
        "Passage",
        "PerplexityModel",
        "PerplexityProcessor",
        "Run",
        "UsageError",
        "VictorError",
        "__version__",
        "adapt",
        "clean",
        "evaluate",
        "labeler",
        "load",
        "load_config",
        "read_annotation",
        "report",
        "train",
        "write_annotation",
    ]


def test_tab_shows_the_public_names():
    assert set(victorpy.__all__) <= set(dir(victorpy))


@pytest.mark.parametrize("name", sorted({*victorpy.__all__} - {"FORMATS", "__version__"}))
def test_a_public_name_has_a_docstring(name):
    assert inspect.getdoc(getattr(victorpy, name))


def test_the_api_page_describes_every_public_name():
    text = Path(__file__).parent.parent.joinpath("docs", "api.md").read_text()

    assert not [name for name in victorpy.__all__ if f"`{name}" not in text and f"victorpy.{name}" not in text]


def test_an_unknown_name_says_what_is_near_it():
    with pytest.raises(AttributeError, match="no attribute 'laod'; did you mean 'load'"):
        _ = victorpy.laod


@pytest.mark.process
def test_importing_the_package_imports_none_of_its_modules():
    code = "import sys, victorpy; print(sorted(name for name in sys.modules if name.startswith('victorpy.')))"

    # Not from the current folder: a checkout without a compiled core may lie there.
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}

    printed = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=True
    ).stdout

    assert printed == "['victorpy._core']\n"


def test_one_call_cleans_a_page(model):
    cleaned = victorpy.clean(PAGE, model, url="https://harbour.example/")

    assert cleaned.text == "Ferry times\nThe ferry leaves at seven, long before the island is awake.\n"
    assert cleaned.markdown.startswith("# Ferry times\n\nThe ferry")
    assert "<h1>Ferry times</h1>\n<p>The ferry" in cleaned.html
    assert (cleaned.metadata.url, cleaned.metadata.html_title) == ("https://harbour.example/", "Part 1")
    assert cleaned.metadata.title == "Part 1"
    assert cleaned.metadata.evidence == {"title": "<title>"}
    assert (cleaned.metadata.authors, cleaned.metadata.date_published) == ((), None)
    assert cleaned.to_dict()["text"] == cleaned.text


def test_one_call_cleans_a_page_in_time(model):
    cleaned = victorpy.clean("<p>The ferry leaves at seven." * 20_000, model, limits=victorpy.Limits(seconds=0.001))

    assert (cleaned.status, cleaned.reason) == ("timeout", "takes more than 0.001 s")


def test_a_model_is_trained_saved_and_loaded(annotations, tmp_path):
    model = victorpy.train(annotations, "cleaneval", source="our own pages")

    model.save(tmp_path / "mine")

    assert model.card.data.source == "our own pages"
    assert victorpy.load(tmp_path / "mine").clean(PAGE).text == victorpy.load(model).clean(PAGE).text


def test_annotations_are_read_corrected_written_and_learned_from(annotations, tmp_path):
    given = sorted(Path(annotations).glob("*.anno"))
    pages = [victorpy.read_annotation(path) for path in given]

    victorpy.write_annotation(pages[0], tmp_path / "again.anno")

    assert (tmp_path / "again.anno").read_bytes() == given[0].read_bytes()
    assert victorpy.train(pages).card.data == victorpy.train(given).card.data


def test_a_cleaned_page_is_written_as_an_annotation(model, tmp_path):
    cleaned = victorpy.clean(PAGE, model)

    victorpy.write_annotation(cleaned, tmp_path / "page.anno")

    assert victorpy.read_annotation(tmp_path / "page.anno").labels == tuple(cleaned.labels)


def test_a_model_is_evaluated_on_annotations(model, annotations):
    assert victorpy.evaluate(model, annotations).scores["word_f1"].mean() > 0.5


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda load: load().clean(Path("page.html")), TypeError, r"str or bytes, got PosixPath: read the file first"),
        (lambda load: load().clean(None), TypeError, "str or bytes, got NoneType"),
        (lambda load: load(bias="recall"), victorpy.UsageError, "bias: expected a number, got 'recall'"),
        (lambda load: load(method="expcted"), victorpy.UsageError, "did you mean 'expected-f1'"),
        (lambda load: load(biass=1.0), TypeError, "no decoding option 'biass' .*did you mean 'bias'"),
        (lambda load: load().pipe("<p>one"), TypeError, "pipe.. expected an iterable of pages, got one page"),
        (lambda load: list(load().pipe([Path("page.html")])), TypeError, "str or bytes, got PosixPath"),
    ],
    ids=["a path", "nothing", "a word as bias", "an unknown method", "an unknown option", "one page", "a piped path"],
)
def test_a_wrong_argument_gets_a_clear_error(model, call, error, message):
    with pytest.raises(error, match=message):
        call(lambda **options: victorpy.load(model, **options))
