"""The table of formats: what prints a page, and how pages stand in files."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial

from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions
from victorpy.output.formats.anno import anno
from victorpy.output.formats.blog_xml import blog_xml
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.output.formats.doc import doc
from victorpy.output.formats.html import html
from victorpy.output.formats.json import json, without_chances
from victorpy.output.formats.jsonl import jsonl
from victorpy.output.formats.main_html import main_html
from victorpy.output.formats.markdown import markdown
from victorpy.output.formats.outline_xml import outline_xml
from victorpy.output.formats.precleaned import precleaned
from victorpy.output.formats.tei import tei
from victorpy.output.formats.text import text
from victorpy.output.formats.vertical import vertical, vertical_tokens

Format = Callable[[Cleaned], str]


@dataclass(frozen=True)
class FormatRow:
    """What there is to know of a format.

    `ending` is that of file names. `is_streamed`: one file may hold several pages. `is_delimited`: a page shows where
    it ends, so that no empty line is needed between two. `records_failures`: a page that could not be cleaned is
    printed, too. `is_file`: what is printed is only the text of a page, and a sink of this name writes the file, with
    what else is known of each page; in a `is_table`, also of those that could not be cleaned. `has_metadata`: it prints
    metadata that must be searched for in the page, which takes time. `options` are the fields of FormatOptions that
    the format has. `lasting` is the part of a page's text that is the same wherever it is cleaned. `heading` names a
    page on standard output, where there are several and the format itself does not say which is which.
    """

    print: Callable[..., str]
    ending: str
    _: KW_ONLY
    is_streamed: bool = False
    is_delimited: bool = False
    records_failures: bool = False
    is_file: bool = False
    is_table: bool = False
    has_metadata: bool = False
    options: frozenset[str] = frozenset()
    lasting: Callable[[str], str] = str
    heading: Callable[[str], str] | None = None


def _as_of_head(name: str) -> str:
    """As `head` and `tail` name their files."""
    return f"==> {name} <==\n"


def _as_comment(name: str) -> str:
    return f"<!-- {name.replace('-->', '--&gt;')} -->\n\n"


_RECORD = frozenset({"without", "all_blocks", "columns"})


TABLE: Mapping[str, FormatRow] = {
    "anno": FormatRow(anno, ".anno"),
    "blog-xml": FormatRow(blog_xml, ".xml"),
    "cleaneval": FormatRow(cleaneval, ".txt", is_streamed=True, heading=_as_of_head),
    "doc": FormatRow(doc, ".txt", is_streamed=True, has_metadata=True),
    "html": FormatRow(html, ".html"),
    "json": FormatRow(
        json, ".json", records_failures=True, has_metadata=True, options=_RECORD, lasting=without_chances
    ),
    "jsonl": FormatRow(
        jsonl,
        ".jsonl",
        is_streamed=True,
        is_delimited=True,
        records_failures=True,
        has_metadata=True,
        options=_RECORD,
        lasting=without_chances,
    ),
    "main-html": FormatRow(main_html, ".main.html"),
    "markdown": FormatRow(markdown, ".md", options=frozenset({"without", "front_matter"}), heading=_as_comment),
    "parquet": FormatRow(
        text,
        ".parquet",
        is_streamed=True,
        is_file=True,
        is_table=True,
        has_metadata=True,
        options=_RECORD - {"all_blocks"},
    ),
    "precleaned": FormatRow(precleaned, ".precleaned.html"),
    "tei": FormatRow(tei, ".tei.xml", has_metadata=True),
    "text": FormatRow(text, ".txt", is_streamed=True, heading=_as_of_head),
    "vertical": FormatRow(vertical, ".vert", is_streamed=True, is_delimited=True, has_metadata=True),
    "vertical-tokens": FormatRow(vertical_tokens, ".vert", is_streamed=True, is_delimited=True, has_metadata=True),
    "warc": FormatRow(text, ".warc", is_streamed=True, is_file=True, has_metadata=True),
    "xml": FormatRow(outline_xml, ".xml", has_metadata=True),
}


def printer(format: str, options: FormatOptions) -> Format:
    """The format with its options. A table prints its columns itself."""
    row = TABLE[format]
    return partial(row.print, options=options) if row.options and not row.is_file else row.print


def check_options(format: str, options: FormatOptions) -> None:
    options.check(format, TABLE[format].options)


FORMATS: dict[str, Format] = {name: row.print for name, row in TABLE.items()}
EXTENSIONS = {name: row.ending for name, row in TABLE.items()}

RECORDS = frozenset(name for name, row in TABLE.items() if row.records_failures)
TABLES = frozenset(name for name, row in TABLE.items() if row.is_table)
BUNDLED = frozenset(name for name, row in TABLE.items() if row.is_file)
STREAMED = frozenset(name for name, row in TABLE.items() if row.is_streamed)
WITH_METADATA = frozenset(name for name, row in TABLE.items() if row.has_metadata)
HEADINGS = {name: row.heading for name, row in TABLE.items() if row.heading}
DELIMITED = frozenset(name for name, row in TABLE.items() if row.is_delimited)
