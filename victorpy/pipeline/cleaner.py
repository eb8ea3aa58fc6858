"""Cleans one page: decode, segment, label."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from victorpy import _core
from victorpy.errors import UsageError, suggestion
from victorpy.foundation.processes import Crash, Limits, mapped
from victorpy.foundation.resources import available, is_path
from victorpy.labelers import Labeler, Untrained, registry
from victorpy.labelers.comment_handling import checked_comments, with_comments
from victorpy.labelers.registry import LABELERS, described
from victorpy.models.core_networks import native
from victorpy.models.decoding import Decoding
from victorpy.output.cleaned import Cleaned, Described, Status
from victorpy.page.blocks import Label, Page, page_of
from victorpy.page.encoding import BINARY, is_binary, label_of
from victorpy.page.markup import Markup
from victorpy.page.metadata import Metadata
from victorpy.page.segment import segment

# Models that the core knows need none of these, so they are imported where they are used.
if TYPE_CHECKING:
    from victorpy.labelers.filters import Filter
    from victorpy.labelers.selection import Selection
    from victorpy.labelers.site_counts import CountedSites
    from victorpy.models.model_folder import Model

Html = bytes | str


@dataclass(frozen=True, eq=False)
class Cleaner:
    """Cleans pages with a labeler. No page influences the next.

    `sites` are site counts for labelers and filters, and `host` is the host of pages without an address.
    `selection` holds the selectors that override the labels. `comments` says whether comments of readers are kept,
    dropped, or all that is kept; without it, the labeler decides.
    """

    labeler: Labeler
    markup: Markup
    model: str = ""
    sites: "CountedSites | None" = None
    host: str | None = None
    selection: "Selection | None" = None
    comments: str | None = None

    def clean(  # noqa: PLR0913
        self,
        html: bytes | str,
        url: str | None = None,
        id: str = "",
        charset: str | None = None,
        *,
        is_xml: bool = False,
        limits: Limits | None = None,
    ) -> Cleaned:
        """Cleans a page, whatever is in it: if there is no text, `status` and `reason` say why.

        With `is_xml`, a well-formed page is read as XML. `limits` bound the seconds, by the clock of the core; only
        `pipe` can bound memory.
        """
        _check_html(html)
        if limits is None or limits == Limits():
            return self._cleaned_html(html, url, id, charset, is_xml=is_xml)
        if limits.megabytes is not None:
            raise UsageError("limits: clean() cannot bound memory: expected only seconds, or use pipe()")
        _core.set_deadline(limits.seconds)
        try:
            cleaned = self._cleaned_html(html, url, id, charset, is_xml=is_xml)
            _core.check_deadline()
            return cleaned
        except TimeoutError:
            # What stands for the page needs the core, too.
            _core.set_deadline(None)
            return without_text(id, Metadata(url=url), "timeout", f"takes more than {limits.seconds:g} s", self.model)
        finally:
            _core.set_deadline(None)

    def _cleaned_html(
        self, html: Html, url: str | None, id: str, charset: str | None, *, is_xml: bool = False
    ) -> Cleaned:
        if isinstance(html, str):
            core = _core.of_utf8(html.encode("utf-8", "replace"), self.markup.core)
        elif is_binary(html):
            return without_text(id, Metadata(url=url), "undecodable", BINARY, self.model)
        else:
            core = _core.of_bytes(html, label_of(charset), self.markup.core)
        return self._cleaned(page_of(core, id, url, self.markup, is_xml=is_xml))

    def _cleaned(self, page: Page) -> Cleaned:
        page = self.sites.with_site_counts(page, self.host) if self.sites else page
        labeling = self.labeler.labeling(page)
        if self.comments and not labeling.refusal:
            labeling = with_comments(page, labeling, self.comments)
        if self.selection and not labeling.refusal:
            labeling = self.selection.applied(page, labeling)
            page = replace(page, metadata=self.selection.with_facts(page))
        if labeling.language:
            page = replace(page, metadata=replace(page.metadata, language=labeling.language))
        whole, fields = page.core, labeling.fields
        if labeling.omissions:
            from victorpy.labelers.shortened_blocks import shortened  # noqa: PLC0415

            page, labeling = shortened(page, labeling)
        cleaned = partial(Cleaned, page, encoding=page.core.encoding, replaced=page.core.replaced, model=self.model)
        if labeling.refusal:
            return cleaned([Label.OTHER] * len(page), status="dropped", reason=labeling.refusal)
        is_empty = all(label is Label.OTHER for label in labeling.labels)
        return cleaned(
            labeling.labels,
            probabilities=labeling.probabilities,
            status="empty" if is_empty else "ok",
            reason=labeling.reason or (_why_empty(page) if is_empty else ""),
            fallback=labeling.fallback,
            lead="" if is_empty else labeling.lead,
            is_whole=True,
            posts=labeling.posts,
            detailed=labeling.detailed,
            forced=labeling.forced,
            calibration=labeling.calibration,
            comments_apart=self.comments in {"keep", "only"},
            fields=labeling.fields,
            described=None if page.core is whole else Described(whole, fields),
        )

    def pipe(
        self, pages: Iterable[Html | tuple[Html, str | None]], jobs: int = 1, limits: Limits | None = None
    ) -> Iterator[Cleaned]:
        """Cleans a stream of pages, or of pairs of a page and its address, in order.

        With limits, or with several jobs, child processes do the work.
        """
        if isinstance(pages, str | bytes):
            raise TypeError("pipe() expected an iterable of pages, got one page: use clean(), or put it into a list")
        return self._piped(map(_item, pages), jobs, limits)

    def _piped(self, items: Iterable[tuple[Html, str | None]], jobs: int, limits: Limits | None) -> Iterator[Cleaned]:
        for (_, url), result in mapped(self._cleaned_item, items, jobs, limits):
            if isinstance(result, Crash):
                yield without_text("", Metadata(url=url), result.status, result.reason, self.model)
            else:
                yield result

    def filtered(self, *filters: "Filter") -> "Cleaner":
        """The cleaner with filters: whatever a filter drops becomes noise."""
        if not filters:
            return self
        from victorpy.labelers.filters import Filtered  # noqa: PLC0415

        return replace(self, labeler=Filtered(self.labeler, filters))

    def selecting(
        self, keep: str | Iterable[str] = (), drop: str | Iterable[str] = (), rules: str | Path | None = None
    ) -> "Cleaner":
        """The cleaner with selectors, in CSS or plain XPath, that override its labels.

        What `keep` selects becomes content and what `drop` selects noise; `rules` is a file of selectors by host.
        """
        from victorpy.labelers.selection import selection  # noqa: PLC0415

        return self.selected_by(selection(keep, drop, rules))

    def selected_by(self, selection: "Selection | None") -> "Cleaner":
        if not selection:
            return self
        return replace(self, selection=self.selection.joined(selection) if self.selection else selection)

    def with_comments(self, comments: str | None) -> "Cleaner":
        """The cleaner that keeps the comments of readers (`keep`), drops them (`drop`) or keeps only them (`only`)."""
        return replace(self, comments=checked_comments(comments))

    def on_sites(self, path: str | Path, host: str | None = None) -> "Cleaner":
        """The cleaner with the site counts of a file that `victor learn site` wrote."""
        from victorpy.labelers import site_counts as sites  # noqa: PLC0415

        known = sites.load(Path(path))
        known.check_cuts_alike(self.markup, path)
        return replace(self, sites=known, host=host)

    def _cleaned_item(self, item: tuple[Html, str | None]) -> Cleaned:
        return self.clean(*item)


def without_text(id: str, metadata: Metadata, status: Status, reason: str, model: str = "") -> Cleaned:
    """The result for a page that could not be cleaned."""
    page = replace(segment("", id), metadata=metadata)
    return Cleaned(page, [], status=status, reason=reason, encoding="", model=model)


def _item(given: Html | tuple[Html, str | None]) -> tuple[Html, str | None]:
    html, url = given if isinstance(given, tuple) else (given, None)
    _check_html(html)
    return html, url


def _check_html(html: object) -> None:
    if not isinstance(html, str | bytes):
        hint = ": read the file first, path.read_bytes()" if isinstance(html, PathLike) else ""
        raise TypeError(f"expected the HTML of a page as str or bytes, got {type(html).__name__}{hint}")


def _why_empty(page: Page) -> str:
    if page.core.is_blank:
        return "the page is empty"
    return "no block of the page is content" if len(page) else "no text in the page"


def load(model: str = "web", **options: Any) -> Cleaner:
    """The cleaner of a model, by name or folder. `options` change its decoding, such as bias=0.5.

    If no model has this name, the cleaner of the untrained labeler of this name, with its options.
    """
    if model in LABELERS and model not in available("models"):
        return labeler(model, **options)
    checked_decoding(options)
    known = native(model, **options)
    if known:
        return Cleaner(known, known.markup, known.digest)
    from victorpy.models import model_folder  # noqa: PLC0415

    return cleaner(model_folder.load(model).decoding_by(**options))


def checked_decoding(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a decoding, if their names and types are right."""
    if not options:
        return options
    from numbers import Real  # noqa: PLC0415 - numpy's numbers are none of Python's

    known = {field.name: field for field in fields(Decoding)}
    for name, value in options.items():
        if name not in known:
            raise TypeError(f"no decoding option '{name}' (known: {', '.join(known)}){suggestion(name, known)}")
        if name in _CHOICES:
            _check_choice(name, value)
        elif isinstance(value, bool) or not isinstance(value, Real):
            raise UsageError(f"{name}: expected a number, got {value!r}")
    return options


_CHOICES = ("method", "scope")


def _check_choice(option: str, value: object) -> None:
    known = get_args(Decoding.__annotations__[option])
    if value not in known:
        raise UsageError(f"{option}: no {option} {value!r} (known: {', '.join(known)}){suggestion(str(value), known)}")


def labeler(name: str, **options: Any) -> Cleaner:
    """The cleaner of a labeler that needs no training; a path is that of a config with a section `labeler`."""
    if is_path("configs", name):
        from victorpy.models import config  # noqa: PLC0415

        found: Any = config.labeler(name)
        return untrained(replace(found, **options))
    return untrained(registry.labeler(name, **options))


def untrained(labeler: Untrained) -> Cleaner:
    return Cleaner(labeler, labeler.markup, described(labeler))


def cleaner(model: "Model") -> Cleaner:
    return Cleaner(model, model.config.markup, model.digest)
