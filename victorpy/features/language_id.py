"""Identifies the language of a text."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

from victorpy import _core
from victorpy.errors import UsageError
from victorpy.foundation.optional import install_hint

# The code of ISO 639 for text in no language, such as a table of figures.
NO_LANGUAGE = "zxx"

# The detector's languages that a user's code includes.
_INCLUDED = {"ar": ("ar", "ary", "arz"), "nb": ("no",), "no": ("no", "nn"), "zh": ("zh", "wuu", "yue")}


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_of(text: str) -> str:
    """The code of the likeliest language; `zxx` if the text has no letters."""
    return str(_identifier().classify(text)[0]) if any(map(str.isalpha, text)) else NO_LANGUAGE


def chances(text: str) -> Mapping[str, float]:
    """The probability of each language."""
    _core.check_deadline()
    return dict(_identifier().rank(text))


def check_installed() -> None:
    """Raises a UsageError if the package that identifies languages is missing."""
    if find_spec("py3langid") is None:
        raise UsageError(f"languages need the package py3langid: {install_hint('languages')}")


@cache
def known(codes: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that these codes include, by the detector's names."""
    check_installed()
    languages = _identifier().labels
    found = [language for code in codes for language in _INCLUDED.get(code, (code,))]
    for code in found:
        if code not in languages:
            raise UsageError(f"unknown language '{code}' (known: {', '.join(sorted(languages))})")
    return tuple(dict.fromkeys(found))
