"""Web pages in, their text and its structure out: label text blocks with a trained model.

    import victorpy

    cleaned = victorpy.clean(html, url="https://example.org/")
    print(cleaned.text, cleaned.markdown, cleaned.metadata)

    cleaner = victorpy.load("web")
    for cleaned in cleaner.pipe(pages, jobs=2):
        print(cleaned.status, cleaned.text)

Everything that is public is in this module; docs/api.md describes it.
"""

from typing import TYPE_CHECKING, Any

try:
    from victorpy._core import __version__
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{__path__[0]} has no compiled core: run 'pip install -e .' beside it, or start Python in another folder",
        name=error.name,
    ) from None

if TYPE_CHECKING:
    from victorpy.annotation.anno_files import Annotation
    from victorpy.errors import UsageError, VictorError
    from victorpy.evaluation.evaluating import Evaluation
    from victorpy.features.language.sentence_filter import PerplexityModel, PerplexityProcessor
    from victorpy.foundation.processes import Limits
    from victorpy.models.config import Config
    from victorpy.models.model_folder import Model
    from victorpy.output.cleaned import Cleaned, LabeledBlock
    from victorpy.output.formats import FORMATS
    from victorpy.page.blocks import Block, Label, Page
    from victorpy.page.metadata import Metadata
    from victorpy.page.passages import Passage
    from victorpy.pipeline.cleaner import Cleaner, labeler
    from victorpy.pipeline.runs.run_folder import Run
    from victorpy.public import (
        adapt,
        clean,
        evaluate,
        load,
        load_config,
        read_annotation,
        report,
        train,
        write_annotation,
    )

__all__ = [
    "FORMATS",
    "Annotation",
    "Block",
    "Cleaned",
    "Cleaner",
    "Config",
    "Evaluation",
    "Label",
    "LabeledBlock",
    "Limits",
    "Metadata",
    "Model",
    "Page",
    "Passage",
    "PerplexityModel",
    "PerplexityProcessor",
    "Run",
    "UsageError",
    "VictorError",
    "__version__",
    "adapt",
    "clean",
    "evaluate",
    "labeler",
    "load",
    "load_config",
    "read_annotation",
    "report",
    "train",
    "write_annotation",
]

# Names are imported when they are asked for: every command imports this package, and few need all of it.
_HOMES = {
    "annotation.anno_files": ("Annotation",),
    "errors": ("UsageError", "VictorError"),
    "evaluation.evaluating": ("Evaluation",),
    "features.language.sentence_filter": ("PerplexityModel", "PerplexityProcessor"),
    "foundation.processes": ("Limits",),
    "models.config": ("Config",),
    "models.model_folder": ("Model",),
    "output.cleaned": ("Cleaned", "LabeledBlock"),
    "output.formats": ("FORMATS",),
    "page.blocks": ("Block", "Label", "Page"),
    "page.metadata": ("Metadata",),
    "page.passages": ("Passage",),
    "pipeline.cleaner": ("Cleaner", "labeler"),
    "pipeline.runs.run_folder": ("Run",),
    "public": (
        "adapt",
        "clean",
        "evaluate",
        "load",
        "load_config",
        "read_annotation",
        "report",
        "train",
        "write_annotation",
    ),
}

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module  # noqa: PLC0415

    if name not in _HOME_OF:
        from victorpy.errors import suggestion  # noqa: PLC0415

        # Python asks for names such as __path__ and _repr_html_ itself.
        hint = "" if name.startswith("_") else suggestion(name, __all__)
        raise AttributeError(f"module 'victorpy' has no attribute '{name}'{hint}")
    value = globals()[name] = getattr(import_module(f"victorpy.{_HOME_OF[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
