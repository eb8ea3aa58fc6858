"""What a run was asked to do, as plain values that run.json keeps."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.processes import Limits
from victorpy.foundation.yaml_options import Node, chosen, node, options_of, popped, read
from victorpy.labelers import Untrained
from victorpy.labelers.filters import Filter
from victorpy.labelers.registry import FILTERS, LABELERS, name_in
from victorpy.labelers.selection import Selection, selection
from victorpy.output.format_options import DEFAULT_OPTIONS, FormatOptions
from victorpy.output.formats import check_options
from victorpy.pipeline.batch import MAX_BYTES, SAFE, Job, SiteUse
from victorpy.pipeline.deduplication.records import Deduplication
from victorpy.pipeline.runs.plan import LastStep, Plan
from victorpy.pipeline.runs.shards import Shard, shards_of
from victorpy.sources import COLUMNS, PageColumns, find_inputs
from victorpy.sources.addresses import addresses


@dataclass(frozen=True, kw_only=True)
class DecodingChanges:
    """What a run changes in its model's decoding; None keeps the model's own value."""

    method: str | None = None
    threshold: float | None = None
    bias: float | None = None
    scope: str | None = None

    def given(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """All settings of a run: the inputs by name, how they are cleaned, and how the files are written.

    `lists` are files of paths, and `urls` is a file of addresses. A labeler takes the place of the model. `keep` and
    `drop` are selectors, and `rules` is a file of them; `host` is the host of pages without an address, for `rules`.
    """

    inputs: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    input_format: str | None = None
    columns: PageColumns = COLUMNS
    urls: str | None = None
    model: str = "web"
    decoding: DecodingChanges = field(default_factory=DecodingChanges)
    labeler: Untrained | None = None
    filters: tuple[Filter, ...] = ()
    site: SiteUse | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    rules: str | None = None
    host: str | None = None
    comments: str | None = None
    max_bytes: int = MAX_BYTES
    limits: Limits = SAFE
    format: str = "jsonl"
    format_options: FormatOptions = DEFAULT_OPTIONS
    part_pages: int = 2_000
    packing: str = ".gz"
    deduplication: Deduplication | None = None

    def plan(self, folder: Path) -> Plan:
        """The settings with everything that they name read: addresses, labeler, filters."""
        check_options(self.format, self.format_options)
        if self.deduplication and "text" not in self.format_options.columns:
            raise UsageError("deduplication compares texts: add text to the columns")
        last = LastStep(self.deduplication, self.format) if self.deduplication else None
        job = Job(
            self.model,
            "jsonl" if last else self.format,
            decoding=self.decoding.given(),
            labeler=self.labeler,
            urls=addresses(Path(self.urls)) if self.urls else {},
            sites=self.site,
            filters=self.filters,
            options=self.format_options,
            selection=self.selection(),
            comments=self.comments,
            max_bytes=self.max_bytes,
        )
        return Plan(
            folder,
            job,
            limits=self.limits,
            columns=self.columns,
            part_pages=self.part_pages,
            packing=self.packing,
            last=last,
        )

    def selection(self) -> Selection | None:
        has_selectors = self.keep or self.drop or self.rules
        return selection(self.keep, self.drop, self.rules, self.host) if has_selectors else None

    def shards(self) -> list[Shard]:
        """The inputs, divided into shards."""
        if not self.inputs and not self.lists:
            raise UsageError("no input: name a page, a folder, or a list of paths")
        return shards_of(find_inputs(self.inputs, self.lists, self.input_format, self.columns, keeps_missing=True))

    def as_data(self) -> dict[str, Any]:
        """Plain values, which `settings_of` reads again."""
        data = {name: value for name, value in options_of(self).items() if name not in {"labeler", "filters"}}
        labeler = {"labeler": _named(self.labeler.settings, LABELERS)} if self.labeler else {}
        return data | labeler | {"filters": [_named(filter, FILTERS) for filter in self.filters]}


def _named(value: Untrained | Filter, table: Mapping[str, type[Any]]) -> dict[str, Any]:
    return {"name": name_in(table, value), **options_of(value)}


def settings_of(data: Any, place: str | Path) -> RunSettings:
    """The settings in the data of a run.json; an error names the option that is wrong."""
    try:
        return _read(node(json.dumps(data, ensure_ascii=False), place))
    except VictorError as error:
        # Not the line, which is not that of the file.
        message = str(error).removeprefix(f"{place}:{error.line}: ")
        raise VictorError(f"is damaged: settings: {message}", place) from None


def _read(data: Node) -> RunSettings:
    rest, filters = popped(data, "filters")
    rest, labelers = popped(rest, "labeler")
    return replace(
        read(RunSettings, rest),
        labeler=next((chosen(LABELERS, labeler, "labeler") for labeler in labelers), None),
        filters=tuple(chosen(FILTERS, filter, "filters") for filter in filters),
    )
