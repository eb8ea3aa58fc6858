"""The table of formats: what prints a page, and how pages stand in files."""

from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from functools import partial

from victorpy.foundation.deferred import Deferred
from victorpy.output.cleaned import Cleaned
from victorpy.output.format_options import FormatOptions

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

    print: Deferred
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


def _at(place: str) -> Deferred:
    """A function by its module and name. Only the formats that are printed are imported."""
    return Deferred(f"output.formats.{place}")


TABLE: Mapping[str, FormatRow] = {
    "anno": FormatRow(_at("anno:anno"), ".anno"),
    "blog-xml": FormatRow(_at("blog_xml:blog_xml"), ".xml"),
    "cleaneval": FormatRow(_at("cleaneval:cleaneval"), ".txt", is_streamed=True, heading=_as_of_head),
    "doc": FormatRow(_at("doc:doc"), ".txt", is_streamed=True, has_metadata=True),
    "html": FormatRow(_at("html:html"), ".html"),
    "json": FormatRow(
        _at("json:json"),
        ".json",
        records_failures=True,
        has_metadata=True,
        options=_RECORD,
        lasting=_at("json:without_chances"),
    ),
    "jsonl": FormatRow(
        _at("jsonl:jsonl"),
        ".jsonl",
        is_streamed=True,
        is_delimited=True,
        records_failures=True,
        has_metadata=True,
        options=_RECORD,
        lasting=_at("json:without_chances"),
    ),
    "main-html": FormatRow(_at("main_html:main_html"), ".main.html"),
    "markdown": FormatRow(
        _at("markdown:markdown"), ".md", options=frozenset({"without", "front_matter"}), heading=_as_comment
    ),
    "parquet": FormatRow(
        _at("text:text"),
        ".parquet",
        is_streamed=True,
        is_file=True,
        is_table=True,
        has_metadata=True,
        options=_RECORD - {"all_blocks"},
    ),
    "precleaned": FormatRow(_at("precleaned:precleaned"), ".precleaned.html"),
    "tei": FormatRow(_at("tei:tei"), ".tei.xml", has_metadata=True),
    "text": FormatRow(_at("text:text"), ".txt", is_streamed=True, heading=_as_of_head),
    "vertical": FormatRow(_at("vertical:vertical"), ".vert", is_streamed=True, is_delimited=True, has_metadata=True),
    "vertical-tokens": FormatRow(
        _at("vertical:vertical_tokens"), ".vert", is_streamed=True, is_delimited=True, has_metadata=True
    ),
    "warc": FormatRow(_at("text:text"), ".warc", is_streamed=True, is_file=True, has_metadata=True),
    "xml": FormatRow(_at("outline_xml:outline_xml"), ".xml", has_metadata=True),
}


def printer(format: str, options: FormatOptions) -> Format:
    """The format with its options, imported now. A table prints its columns itself."""
    row = TABLE[format]
    print: Callable[..., str] = row.print.function
    return partial(print, options=options) if row.options and not row.is_file else print


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
