"""victor perplexity"""

import argparse

from victorpy.cli.commands.clean import add_limits, handling_of
from victorpy.cli.filter_options import perplexity_judge
from victorpy.cli.option_numbers import number
from victorpy.foundation.bounds import MORE_THAN_0
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.formats import FORMATS
from victorpy.pipeline.batch import Job
from victorpy.pipeline.clean_inputs import clean_inputs
from victorpy.sources import pages_and_texts


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "inputs",
        nargs="+",
        metavar="TEXT|PAGE",
        help="texts and pages, folders of them (.txt, .html), or a text from standard input (-)",
    )
    parser.add_argument(
        "--max-perplexity",
        "--max",
        type=number(float, MORE_THAN_0),
        metavar="N",
        help="drop text with a higher perplexity (the limit of the language model)",
    )
    parser.add_argument("--language-model", metavar="NAME", help="name or folder of a language model (udhr)")
    parser.add_argument(
        "--by",
        choices=("passage", "sentence"),
        default="sentence",
        metavar="UNIT",
        help="drop single sentences, or whole passages: sentence or passage (sentence)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "-f",
        "--format",
        choices=sorted(FORMATS),
        default="text",
        metavar="FORMAT",
        help=f"{', '.join(sorted(FORMATS))} (text)",
    )
    output.add_argument(
        "-o", "--output", default="-", metavar="PATH", help="write to this file or folder (-: standard output)"
    )
    output.add_argument("--summary", metavar="FILE", help="write the number of pages with each status, as JSON")
    output.add_argument("--quarantine", metavar="FILE", help="write the failed pages, for victor retry")
    add_limits(parser.add_argument_group("processes and limits"))


def run(options: argparse.Namespace) -> int:
    labeler = perplexity_judge(options, options.by)
    job = Job(DEFAULT_MODEL, options.format, labeler=labeler, max_bytes=options.max_bytes)
    inputs = pages_and_texts(options.inputs)
    return clean_inputs(inputs, job, options.output, handling_of(options, counts_bytes=True))
