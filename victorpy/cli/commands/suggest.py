"""victor suggest"""

import argparse
from itertools import islice
from textwrap import shorten
from typing import TYPE_CHECKING

from victorpy.cli.option_numbers import at_least_1
from victorpy.cli.printed_tables import add_table_format
from victorpy.cli.shared_options import add_jobs
from victorpy.evaluation import report, suggesting
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.progress import shown
from victorpy.models import model_folder
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.output.destination import write_text_to

if TYPE_CHECKING:
    import pandas

_LONGEST_TEXT = 60


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", metavar="FOLDER", help="HTML pages; those with an .anno file beside them count as annotated"
    )
    parser.add_argument(
        "-m", "--model", default=DEFAULT_MODEL, help=f"name or folder of the model to improve ({DEFAULT_MODEL})"
    )
    parser.add_argument(
        "--annotated", action="append", default=[], metavar="FOLDER", help="more .anno files; repeatable"
    )
    parser.add_argument("-n", "--count", type=at_least_1, metavar="N", default=20, help="pages to print (20)")
    add_table_format(parser)
    add_jobs(parser)


def run(options: argparse.Namespace) -> int:
    model = model_folder.load(options.model)
    pages = suggesting.open_pages(options.folder, options.annotated)
    files = suggesting.annotated_files(options.folder, options.annotated)
    known = list(suggesting.known_pages(files, model))
    found = shown(suggesting.candidates(pages, model, options.jobs), len(pages), "pages")
    table = suggesting.table(islice(suggesting.ranked(list(found), known), options.count))
    depends_on = report.facts(model.config, model=model.digest, pages=len(pages), annotated=len(known))
    if options.format not in {"json", "csv"}:
        table = _for_people(table)
    write_text_to(options.output, report.render(table, options.format, depends_on))
    return FAILED if pages and table.empty else FINE


def _for_people(table: "pandas.DataFrame") -> "pandas.DataFrame":
    texts = [shorten(text, _LONGEST_TEXT, placeholder=" …") for text in table["most uncertain block"]]
    return table.assign(**{"most uncertain block": texts})
