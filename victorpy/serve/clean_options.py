"""What a request asks for: which labeler with which settings, and which texts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, get_args

from victorpy._core import MARKDOWN_PARTS
from victorpy.errors import OptionError, UsageError, suggestion
from victorpy.foundation.resources import available, find, is_path
from victorpy.labelers.comment_handling import COMMENTS
from victorpy.labelers.registry import LABELERS
from victorpy.labelers.selector_rules import check_selectors
from victorpy.models.decoding import LARGEST_BIAS
from victorpy.models.scopes import Scope
from victorpy.output.format_options import check_names
from victorpy.output.formats import BUNDLED, FORMATS, RECORDS

# Parts of a result that are no texts.
PARTS = ("metadata", "blocks", "passages", "outline", "page", "source")
TEXTS = tuple(sorted(set(FORMATS) - BUNDLED - RECORDS))
ASKED_FOR = (*TEXTS, *PARTS)
BIASES = {"precision": -1.0, "recall": 1.0}
METHODS = ("viterbi", "likeliest", "expected-f1", "threshold")
_CHOICES = {"scope": get_args(Scope), "decode": METHODS, "comments": COMMENTS}
_LISTS = {"formats": ASKED_FOR, "without": MARKDOWN_PARTS, "keep": (), "drop": ()}
_MOST_NAMES = 100


@dataclass(frozen=True, kw_only=True)
class CleanOptions:
    """The settings of a request; those of the command line have the same names. None is the model's own."""

    model: str = ""
    labeler: str = ""
    scope: str | None = None
    bias: float | None = None
    decode: str | None = None
    threshold: float | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    comments: str | None = None
    formats: tuple[str, ...] = ("text", "markdown", "metadata", "blocks")
    without: tuple[str, ...] = ()
    all_blocks: bool = False

    def __post_init__(self) -> None:
        if self.labeler and (self.model or self.decoding()):
            raise OptionError("a labeler has no model, scope, bias, decode or threshold", "labeler")
        check_selectors(self.keep, "keep")
        check_selectors(self.drop, "drop")

    def decoding(self) -> dict[str, Any]:
        """The fields of a model's decoding that the request changes."""
        method = self.decode if self.threshold is None else "threshold"
        changes = {"scope": self.scope, "bias": self.bias, "method": method, "threshold": self.threshold}
        return {name: value for name, value in changes.items() if value is not None}


NAMES = tuple(field.name for field in fields(CleanOptions))


def options_from(given: Mapping[str, Any], own_model: str) -> CleanOptions:
    """The options of a request. `own_model` is the model of the server, and may be a path: requests name no paths."""
    read = {name: _READERS[name](name, value) for name, value in given.items() if _is_known(name) and value is not None}
    model, labeler = read.get("model", ""), read.get("labeler", "")
    if model and model != own_model:
        check_model(model)
    if labeler and labeler not in LABELERS:
        raise OptionError(f"no labeler '{labeler}' (known: {', '.join(LABELERS)})", "labeler")
    return CleanOptions(**read)


def check_model(name: str) -> None:
    """A request names models; paths would let it look at other files."""
    if is_path("models", name):
        raise OptionError("expected the name of a model, got a path", "model")
    try:
        find("models", name)
    except UsageError:
        known = available("models")
        hint = suggestion(name, known)
        raise OptionError(f"no model '{name}' (known: {', '.join(known)}){hint}", "model") from None


def _is_known(name: str) -> bool:
    if name not in NAMES:
        raise OptionError(f"no such option (known: {', '.join(NAMES)}){suggestion(name, NAMES)}", name)
    return True


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise OptionError(f"expected a text, got {_shown(value)}", name)
    return value


def _choice(name: str, value: Any) -> str:
    known = _CHOICES[name]
    if value not in known:
        hint = suggestion(value, known) if isinstance(value, str) else ""
        raise OptionError(f"expected one of {', '.join(known)}, got {_shown(value)}{hint}", name)
    return str(value)


def _number(name: str, value: Any) -> float:
    least, most = (-LARGEST_BIAS, LARGEST_BIAS) if name == "bias" else (0.0, 1.0)
    if name == "bias" and isinstance(value, str):
        value = BIASES.get(value, value)
    found = _parsed(value)
    if found is None or not least <= found <= most:
        raise OptionError(f"expected a number from {least:g} to {most:g}, got {_shown(value)}", name)
    return found


def _parsed(value: Any) -> float | None:
    """A number, or the text of one: what stands in an address is always text."""
    try:
        found = None if isinstance(value, bool) or not isinstance(value, str | int | float) else float(value)
    except (ValueError, OverflowError):
        return None
    return found if found is not None and isfinite(found) else None


def _names(name: str, value: Any) -> tuple[str, ...]:
    """A list of texts, or a text with commas; a selector may hold commas itself."""
    known = _LISTS[name]
    if isinstance(value, str):
        value = value.split(",") if known else [value]
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise OptionError(f"expected a list of texts, got {_shown(value)}", name)
    if len(value) > _MOST_NAMES:
        raise OptionError(f"expected at most {_MOST_NAMES}, got {len(value)}", name)
    found = tuple(dict.fromkeys(value))
    if known:
        check_names(name, found, known)
    return found


def _flag(name: str, value: Any) -> bool:
    found = {"true": True, "false": False, "1": True, "0": False}.get(value) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise OptionError(f"expected true or false, got {_shown(value)}", name)
    return found


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


_READERS: Mapping[str, Any] = {
    "model": _text,
    "labeler": _text,
    "scope": _choice,
    "bias": _number,
    "decode": _choice,
    "threshold": _number,
    "keep": _names,
    "drop": _names,
    "comments": _choice,
    "formats": _names,
    "without": _names,
    "all_blocks": _flag,
}


def options_in_address(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options in the query of an address. Lists are repeated names, or a text with commas."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in {"keep", "drop"}:
            found.setdefault(name, []).append(value)
        else:
            found[name] = f"{found[name]},{value}" if name in _LISTS and name in found else value
    return found
