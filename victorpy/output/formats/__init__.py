"""What a cleaned page can be written as."""

from collections.abc import Callable

from victorpy.output.cleaned import Cleaned
from victorpy.output.formats.anno import anno
from victorpy.output.formats.blog_xml import blog_xml
from victorpy.output.formats.cleaneval import cleaneval
from victorpy.output.formats.doc import doc
from victorpy.output.formats.html import html
from victorpy.output.formats.json import json
from victorpy.output.formats.jsonl import jsonl
from victorpy.output.formats.markdown import markdown
from victorpy.output.formats.text import text
from victorpy.output.formats.vertical import vertical, vertical_tokens

Format = Callable[[Cleaned], str]

FORMATS: dict[str, Format] = {
    "anno": anno,
    "blog-xml": blog_xml,
    "cleaneval": cleaneval,
    "doc": doc,
    "html": html,
    "json": json,
    "jsonl": jsonl,
    "markdown": markdown,
    "parquet": text,
    "text": text,
    "vertical": vertical,
    "vertical-tokens": vertical_tokens,
    "warc": text,
}

EXTENSIONS = {
    "anno": ".anno",
    "blog-xml": ".xml",
    "cleaneval": ".txt",
    "doc": ".txt",
    "html": ".html",
    "json": ".json",
    "jsonl": ".jsonl",
    "markdown": ".md",
    "parquet": ".parquet",
    "text": ".txt",
    "vertical": ".vert",
    "vertical-tokens": ".vert",
    "warc": ".warc",
}

# What programs read: there is a record even of a page that could not be cleaned.
RECORDS = frozenset({"json", "jsonl"})

# In these such a page is a row without a text.
TABLES = frozenset({"parquet"})

# Of these a file holds texts and what is known of their pages.
BUNDLED = frozenset({"parquet", "warc"})

# The results of several pages may follow one another in one stream; of the others each page is a file.
STREAMED = frozenset({"cleaneval", "doc", "jsonl", "text", "vertical", "vertical-tokens"}) | BUNDLED

# Of these one page shows by itself where it ends; of the others an empty line parts it from the next.
DELIMITED = frozenset({"jsonl", "vertical", "vertical-tokens"})
