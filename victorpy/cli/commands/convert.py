"""victor convert"""

import argparse
import logging
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from victorpy.annotation.anno_files import Annotation, annotation_of, dumps, labeled_page, read
from victorpy.cli.output_options import output_for
from victorpy.errors import VictorError
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.output.cleaned import Cleaned
from victorpy.output.formats import FORMATS
from victorpy.output.outcome import Outcome
from victorpy.page.blocks import FIELDS, Label
from victorpy.page.markup import Markup
from victorpy.page.metadata import Metadata
from victorpy.page.posts import labeled_posts
from victorpy.sources import ANNOTATION_SUFFIXES, Inputs, Location, find_pages

log = logging.getLogger("victorpy")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument(
        "-f",
        "--format",
        default="cleaneval",
        choices=sorted(FORMATS),
        metavar="FORMAT",
        help=f"{', '.join(sorted(FORMATS))} (cleaneval)",
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="write to this file or folder (-: standard output)"
    )


def run(options: argparse.Namespace) -> int:
    return convert(options.files, options.format, options.output)


def convert(names: Sequence[str], format: str = "cleaneval", output: str = "-") -> int:
    """Print annotated pages; a block without a label counts as noise."""
    files = find_pages(names, ANNOTATION_SUFFIXES)
    broken: list[Location] = []
    unwritten = output_for(output, format, Inputs(files, has_folder=any(map(os.path.isdir, names)))).print(
        _texts(files, format, broken)
    )
    return FAILED if unwritten or broken else FINE


def _texts(files: Sequence[Location], format: str, broken: list[Location]) -> Iterator[Outcome]:
    for file in files:
        try:
            annotation = read(file.path)
        except VictorError as error:
            log.error("%s", error)
            broken.append(file)
        else:
            text = converted(annotation, format)
            metadata = Metadata(url=annotation.url, title=annotation.title)
            yield Outcome(id=file.id, path=file.path, status="ok", text=text, metadata=metadata)


def converted(annotation: Annotation, format: str) -> str:
    """An annotated page as if cleaned, with the annotator's labels."""
    page, labels, _ = labeled_page(annotation, Markup(mode=annotation.mode), tuple(Label))
    if format == "anno":
        return dumps(annotation_of(page, annotation.html, labels, annotation.annotator))
    detailed = [label or Label.OTHER for label in labels]
    cleaned = Cleaned(page, [label.base for label in detailed], detailed=detailed)
    has_fields = any(label in FIELDS for label in detailed)
    return FORMATS[format](replace(cleaned, posts=labeled_posts(page, detailed)) if has_fields else cleaned)
