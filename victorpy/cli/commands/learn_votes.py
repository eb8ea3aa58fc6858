"""victor learn votes"""

import argparse

from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.yaml_options import dump, options_of
from victorpy.labelers.merge import Merge
from victorpy.output.destination import write_text_to
from victorpy.pipeline.vote_learning import merged


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
