"""victor learn votes"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from victorpy.annotation.anno_files import labeled_page, read
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.progress import shown
from victorpy.foundation.yaml_options import dump, options_of
from victorpy.labelers.merge import Merge, learned
from victorpy.output.destination import write_text_to
from victorpy.pipeline.cleaner import untrained
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("labelers", nargs="+", metavar="LABELER", help="name of a labeler that votes")
    parser.add_argument("--on", nargs="+", required=True, metavar="FILE", help="an .anno file, or a folder of them")
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="write a config for --labeler (-: standard output)"
    )


def run(options: argparse.Namespace) -> int:
    merge = merged(Merge(tuple(options.labelers)), options.on)
    write_text_to(options.output, dump({"labeler": {"name": "merge", **options_of(merge)}}))
    return FINE


def merged(merge: Merge, names: Sequence[str]) -> Merge:
    """The same labeler with weights learned from annotated pages."""
    markup = untrained(merge).markup
    files = find_pages(names, ANNOTATION_SUFFIXES)
    pages = (labeled_page(read(Path(file.path)), markup)[:2] for file in shown(files, len(files), "pages"))
    return learned(merge, pages)
