"""import → convert → import: labels are those that the text they print gives again."""

import pytest

from victorpy.annotation.alignment import project
from victorpy.annotation.anno_files import annotation_of
from victorpy.annotation.gold_texts import GOLD_FORMATS, url_line
from victorpy.output.annotated_outcomes import converted
from victorpy.page.blocks import Label
from victorpy.page.markup import BLOCKS, Markup
from victorpy.page.segment import segment

P, H, L, C, OTHER = Label.PARAGRAPH, Label.HEADER, Label.LIST, Label.CONTINUATION, Label.OTHER

SENTENCE = "Leave the dough in a warm place overnight."


def imported(html, gold, form, markup):
    return project(segment(html, "x", url_line(gold), markup), GOLD_FORMATS[form](gold)).labels


@pytest.mark.parametrize(
    ("html", "gold", "form", "expected"),
    [
        pytest.param(
            "<table><tr><td>Price<td>3 euros<td>a loaf", "<p>Price 3 euros a loaf", "cleaneval", [P, P, P], id="cells"
        ),
        pytest.param("<li>of rye<li>of wheat", "<l>of rye of wheat", "cleaneval", [L, L], id="items in one"),
        pytest.param(
            "<p>That was all!<p>...<p>Now eat.", "That was all! ... Now eat.", "text", [P, OTHER, P], id="dots"
        ),
        pytest.param("<p>Mix it!<b>...</b><p>Eat.", "Mix it! ... Eat.", "text", None, id="dots behind a sentence"),
        pytest.param(
            "<pre>if warm {\n  rise\n}\nelse {\n  wait\n}</pre>",
            "if warm { rise } else { wait }",
            "text",
            None,
            id="code",
        ),
        pytest.param(
            f"<h2>Rye \u2013sour dough<h2>Rye</h2><b>(\u2013sour dough)</b><p>{SENTENCE}",
            f"<h>Rye (\u2013sour dough) <p>{SENTENCE}",
            "cleaneval",
            None,
            id="equal words in other blocks",
        ),
    ],
)
@pytest.mark.parametrize("markup", [Markup(), BLOCKS], ids=["standard", "blocks"])
def test_what_labels_print_gives_the_same_labels_again(html, gold, form, expected, markup):
    labels = imported(html, gold, form, markup)
    printed, _ = converted(annotation_of(segment(html, "x", None, markup), html, labels, "me"), "cleaneval")

    assert expected in (None, labels)
    assert any(label.is_content for label in labels)
    assert imported(html, printed, "cleaneval", markup) == labels


def test_text_that_only_the_config_of_the_annotation_keeps_is_printed():
    html = f"<p>Bread</p><object>{SENTENCE}</object><p>Menu"
    page = segment(html, "x", None, BLOCKS)

    printed, _ = converted(annotation_of(page, html, [P, P, OTHER], "me"), "cleaneval")

    assert printed == f"<p> Bread\n<p> {SENTENCE}\n"
