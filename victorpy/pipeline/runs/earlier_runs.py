"""Runs begun by earlier versions, whose run.json holds the options of the command instead of settings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from victorpy.errors import VictorError
from victorpy.foundation.processes import Limits
from victorpy.labelers.filters import Filter
from victorpy.labelers.registry import FILTERS
from victorpy.models.config import labeler
from victorpy.pipeline.batch import SiteUse
from victorpy.pipeline.deduplication.records import Deduplication
from victorpy.pipeline.runs.settings import DecodingChanges, RunSettings
from victorpy.sources import PageColumns


def earlier_settings(run: Mapping[str, Any], place: Path) -> RunSettings:
    """The settings that the options of a command stand for."""
    options = run["options"]
    try:
        return RunSettings(
            inputs=tuple(options["inputs"]),
            lists=tuple(options["from_file"]),
            input_format=options["input_format"],
            columns=PageColumns(**run["columns"]),
            urls=options["urls"],
            model=options["model"] or "web",
            decoding=DecodingChanges(**run["decoding"]),
            labeler=labeler(options["labeler"], options["option"]) if options["labeler"] else None,
            filters=tuple(_filters(options)),
            site=SiteUse(options["site"], options["host"]) if options["site"] else None,
            max_bytes=run["max-bytes"],
            limits=Limits(**run["limits"]),
            format=run["format"],
            part_pages=run["part-pages"],
            packing=run["packing"],
            deduplication=Deduplication(**run["deduplication"]) if "deduplication" in run else None,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise VictorError(f"is damaged: its options are not those of a run: {error}", place) from error


def _filters(options: Mapping[str, Any]) -> Iterator[Filter]:
    if options["site"]:
        names = {"share": "site_share", "least_holders": "site_holders", "least_pages": "site_pages", "by": "site_by"}
        yield FILTERS["site"](**_given({name: options[option] for name, option in names.items()}))
    if options["max_perplexity"] is not None or options["language_model"]:
        names = {"max_perplexity": "max_perplexity", "language_model": "language_model"}
        yield FILTERS["perplexity"](**_given({name: options[option] for name, option in names.items()}))
    if options["languages"]:
        yield FILTERS["languages"](tuple(options["languages"]))
    if options["block_languages"]:
        codes = tuple(options["block_languages"])
        yield FILTERS["block-languages"](() if codes == ("page",) else codes)


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
