import numpy as np
import pytest

from victorpy.labelers.everything import Everything
from victorpy.labelers.markup_kinds import labels_of
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.page.markup import Markup
from victorpy.page.segment import segment
from victorpy.pipeline.cleaner import Cleaner

CASES = {
    "heading": ("<h2>The <b>ferry</b></h2>", "<h> The ferry\n"),
    "list item": ("<ul><li>bread<li><p>oil</ul>", "<l> bread\n<l> oil\n"),
    "heading in a list": ("<ul><li><h3>Monday</h3>closed</ul>", "<h> Monday\n<l> closed\n"),
    "list in a heading": ("<h3><ul><li>Monday</ul></h3>", "<l> Monday\n"),
    "all else": ("<div>one<blockquote>two</blockquote><table><td>three</table></div>", "<p> one\n<p> two\n<p> three\n"),
    "text within a line": ("<p>one <b>two</b> three<p>four <i>five</i>", "<p> one two three\n<p> four five\n"),
}


@pytest.mark.parametrize("mode", ["block", "victor"])
@pytest.mark.parametrize(("html", "text"), CASES.values(), ids=CASES)
def test_markup_says_the_kind_however_pages_are_cut(html, text, mode):
    assert cleaneval(Cleaner(Everything(), Markup(mode=mode)).clean(html)) == text


def test_what_follows_noise_begins_anew():
    page = segment("<p>one <b>two</b> three", markup=Markup(mode="victor"))

    assert labels_of(page, np.array([True, False, True])) == ["p", "other", "p"]
