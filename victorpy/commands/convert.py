"""victor convert"""

import argparse
from collections.abc import Sequence

from victorpy.annotations import labeled_page, read
from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.commands.outputs import Text, output_for
from victorpy.exits import FAILED, FINE
from victorpy.formats import FORMATS
from victorpy.markup import Markup
from victorpy.sources import ANNOTATION_SUFFIXES, Location, find_pages


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument("-f", "--format", default="cleaneval", choices=sorted(FORMATS), help="how to print (cleaneval)")
    parser.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="a file, a folder, or - for standard output"
    )


def run(options: argparse.Namespace) -> int:
    return convert(options.files, options.format, options.output)


def convert(names: Sequence[str], format: str = "cleaneval", output: str = "-") -> int:
    """Prints annotated pages; a block without a label counts as noise."""
    files = find_pages(names, ANNOTATION_SUFFIXES)
    texts = (Text(file.id, FORMATS[format](annotated(file))) for file in files)
    return FAILED if output_for(output, format, names, files).print(texts) else FINE


def annotated(file: Location) -> Cleaned:
    """An annotated page as if cleaned: the labels are the annotator's."""
    annotation = read(file.path)
    page, labels, _ = labeled_page(annotation, Markup(mode=annotation.mode))
    return Cleaned(page, [label or Label.OTHER for label in labels], html=annotation.html)
