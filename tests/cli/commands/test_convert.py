import json

import pytest

from victorpy.output.formats import BUNDLED, EXTENSIONS, FORMATS, HEADINGS, STREAMED


def test_an_annotation_is_printed_as_a_clean_text(victor, annotations):
    ran = victor("convert", annotations / "part-0.anno")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "URL: https://harbour.example/0",
        "<h> Letters from the harbour, part 0",
        "<p> The ferry leaves at seven, long before the island is awake. It was cold and nobody minded.",
        "<p> Nobody had told the baker that the bridge was closed for the summer."
        " We counted the boats in the harbour and lost our way among the numbers.",
        "<l> a lantern and some oil.",
        "<l> bread for two days.",
    ]


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - BUNDLED))
def test_a_folder_of_annotations_becomes_a_folder_of_texts(victor, folder, annotations, name):
    ran = victor("convert", annotations, "-f", name, "-o", "out")

    assert (ran.status, ran.out) == (0, "")
    assert sorted(path.name for path in folder.joinpath("out").iterdir()) == [
        f"part-{number}{EXTENSIONS[name]}" for number in range(6)
    ]


@pytest.mark.parametrize("name", sorted(FORMATS.keys() - BUNDLED))
def test_many_on_standard_output_only_where_the_format_can(victor, annotations, name):
    ran = victor("convert", annotations, "-f", name)

    can = name in {*STREAMED, *HEADINGS}
    assert ran.status == (0 if can else 2)
    assert bool(ran.out) == can


def test_annotations_of_one_name_keep_their_folders(victor, folder, annotations):
    for name in ("a", "b"):
        folder.joinpath("all", name).mkdir(parents=True)
        folder.joinpath("all", name, "x.anno").write_bytes(annotations.joinpath("part-0.anno").read_bytes())

    victor("convert", "all", "-o", "out")

    assert sorted(path.relative_to(folder).as_posix() for path in folder.glob("out/*/*")) == [
        "out/a/x.txt",
        "out/b/x.txt",
    ]


def test_blocks_without_a_label_are_noise(victor, folder, annotations):
    source = annotations.joinpath("part-0.anno").read_text()
    folder.joinpath("x.anno").write_text(source.replace("\nh\t", "\n-\t"))

    record = json.loads(victor("convert", "x.anno", "-f", "json", "--all-blocks").out)

    assert record["blocks"][2] == {
        "id": 2,
        "label": "other",
        "text": "Letters from the harbour, part 0",
        "probability": None,
    }


def test_annotations_are_not_overwritten(victor, folder, annotations):
    folder.joinpath("x.anno").write_bytes(annotations.joinpath("part-0.anno").read_bytes())

    ran = victor("convert", "x.anno", "-f", "anno", "-o", "x.anno")

    assert ran.status == 2
    assert "this input would be overwritten" in ran.err


def test_flags_and_notes_are_kept(victor, folder, annotations):
    source = annotations.joinpath("part-0.anno").read_text()
    lines = "h\tLetters from the harbour, part 0\n#flag: really?\n"
    folder.joinpath("x.anno").write_text(source.replace(lines.split("#", maxsplit=1)[0], lines))

    assert lines in victor("convert", "x.anno", "-f", "anno").out


def test_a_broken_annotation_is_named(victor, folder):
    folder.joinpath("x.anno").write_text("#victorpy-anno 1\n#segmenter: 1 victor\nx\ttext\n#html\n<p>text")

    ran = victor("convert", "x.anno")

    assert (ran.status, ran.out) == (1, "")
    assert (
        ran.err == "victor: x.anno:3: expected a label (p, h, l, c, other, title, date, author, comment, -), got 'x'\n"
    )


def test_html_that_was_edited_is_told_and_printed(victor, folder, annotations):
    source = annotations.joinpath("part-0.anno").read_text()
    folder.joinpath("x.anno").write_text(source.replace("<b>cold</b>", "<b>very cold</b>"))

    ran = victor("convert", "x.anno")

    assert ran.status == 0
    assert "x.anno: the HTML has changed since it was annotated" in ran.err
    assert "It was very cold and nobody minded." in ran.out


def test_posts_that_somebody_labeled_are_printed(victor, folder):
    lines = "other\tMenu\ntitle\tFog\ndate\tMay 3, 2024\np\tNo ship came.\ncomment\tSo true!\n"
    html = "<p>Menu<p>Fog<p>May 3, 2024<p>No ship came.<p>So true!"
    folder.joinpath("x.anno").write_text(f"#victorpy-anno 1\n#segmenter: 1 victor\n{lines}#html\n{html}")

    (post,) = json.loads(victor("convert", "x.anno", "-f", "json").out)["posts"]

    assert (post["title"], post["date"], post["body"]) == ("Fog", "May 3, 2024", "No ship came.\n")
    assert post["comments"] == "So true!\n"
    assert "<comments>\n  <p>So true!</p>\n </comments>" in victor("convert", "x.anno", "-f", "blog-xml").out
    assert victor("convert", "x.anno").out == "<h> Fog\n<p> No ship came.\n<p> So true!\n"
    assert lines in victor("convert", "x.anno", "-f", "anno").out
