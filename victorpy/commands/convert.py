"""victor convert"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from victorpy.annotations import labeled_page, read
from victorpy.blocks import Label
from victorpy.cleaned import Cleaned
from victorpy.commands.options import annotation_files
from victorpy.commands.outputs import Text, check_one_page_a_file, is_folder, print_texts
from victorpy.exits import FINE
from victorpy.formats import FORMATS
from victorpy.markup import Markup


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
    paths = annotation_files(names)
    into_folder = is_folder(output, names)
    check_one_page_a_file(format, len(paths), into_folder=into_folder)
    texts = (Text(path.stem, FORMATS[format](cleaned)) for path, cleaned in annotated(paths))
    print_texts(texts, output, format, into_folder=into_folder)
    return FINE


def annotated(paths: Sequence[Path]) -> Iterator[tuple[Path, Cleaned]]:
    """Annotated pages as if cleaned: the labels are the annotator's."""
    for path in paths:
        annotation = read(path)
        page, labels, _ = labeled_page(annotation, Markup(mode=annotation.mode))
        filled = [label or Label.OTHER for label in labels]
        yield path, Cleaned(page, filled, html=annotation.html)
