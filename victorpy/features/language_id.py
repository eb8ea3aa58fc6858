"""Which language a text is in."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

from victorpy.errors import UsageError

# As ISO 639 has it: no language at all, such as a table of figures.
NO_LANGUAGE = "zxx"

# What the detector tells apart and a user's code holds.
_HELD = {"ar": ("ar", "ary", "arz"), "nb": ("no",), "no": ("no", "nn"), "zh": ("zh", "wuu", "yue")}


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def language_of(text: str) -> str:
    """The code of the likeliest language; `zxx` where there is none."""
    return str(_identifier().classify(text)[0]) if any(map(str.isalpha, text)) else NO_LANGUAGE


def chances(text: str) -> Mapping[str, float]:
    """How probable each language is."""
    return dict(_identifier().rank(text))


@cache
def known(codes: tuple[str, ...]) -> tuple[str, ...]:
    """The languages, as the detector names them, that these codes hold."""
    if find_spec("py3langid") is None:
        raise UsageError("languages: the package py3langid is not installed: pip install 'victor-cleaner[languages]'")
    languages = _identifier().labels
    found = [language for code in codes for language in _HELD.get(code, (code,))]
    for code in found:
        if code not in languages:
            raise UsageError(f"no language '{code}' that could be told (known: {', '.join(sorted(languages))})")
    return tuple(dict.fromkeys(found))
