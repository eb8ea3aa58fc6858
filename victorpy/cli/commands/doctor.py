"""victor doctor"""

import argparse
import platform
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from victorpy import __version__
from victorpy.errors import UsageError, VictorError
from victorpy.features.language import folders as language_models
from victorpy.foundation.exit_codes import FAILED, FINE
from victorpy.foundation.optional import install_hint
from victorpy.foundation.resources import Kind, available
from victorpy.foundation.yaml_options import options_of
from victorpy.labelers.registry import LABELERS, labeler
from victorpy.models import config as configs
from victorpy.models import model_folder
from victorpy.models.config import templates_of
from victorpy.page.xml import LIBXML2_VERSION

REQUIRED = (
    "idna",
    "lxml",
    "numpy",
    "pandas",
    "prompt_toolkit",
    "protego",
    "PyYAML",
    "sklearn-crfsuite",
    "python-crfsuite",
    "cydifflib",
    "RapidFuzz",
    "idna",
    "protego",
    "scikit-learn",
    "scipy",
    "threadpoolctl",
    "tqdm",
    "urllib3",
    "wcwidth",
)
EXTRAS = {
    "dask": ("distributed",),
    "datatrove": ("datatrove", "orjson"),
    "dedup": ("rensa",),
    "domains": ("publicsuffixlist",),
    "langchain": ("langchain-core",),
    "languages": ("py3langid",),
    "llamaindex": ("llama-index-core",),
    "mcp": ("mcp",),
    "network": ("jax", "optax"),
    "parquet": ("pyarrow",),
    "plots": ("matplotlib",),
    "render": ("playwright",),
    "rules": ("py3langid", "stopwordsiso"),
    "scrapy": ("scrapy",),
    "serve": ("starlette", "uvicorn"),
    "warc": ("fastwarc", "isal"),
    "zst": ("zstandard",),
}


class Finding(NamedTuple):
    """The result of one check."""

    is_fine: bool
    kind: str
    name: str
    note: str


def arguments(_: argparse.ArgumentParser) -> None:
    """No options."""


def run(_: argparse.Namespace) -> int:
    findings = list(diagnosis())
    for finding in findings:
        print(f"{'ok  ' if finding.is_fine else 'FAIL'}  {finding.kind:<14} {finding.name:<20} {finding.note}")
    return FINE if all(finding.is_fine for finding in findings) else FAILED


def diagnosis() -> Iterator[Finding]:
    """Check all packages, labelers, configs and models."""
    yield Finding(True, "program", "victorpy", __version__)
    yield Finding(True, "program", "python", platform.python_version())
    yield Finding(True, "library", "libxml2", LIBXML2_VERSION)
    yield from map(_package, REQUIRED)
    yield from map(_extra, EXTRAS)
    yield from map(_labeler, LABELERS)
    yield from _loaded("configs", _note_on_config)
    yield from _loaded("models", _note_on_model)
    yield from _loaded("language-models", _note_on_language_model)


def _package(name: str) -> Finding:
    try:
        return Finding(True, "package", name, version(name))
    except PackageNotFoundError:
        return Finding(False, "package", name, "not installed")


def _extra(name: str) -> Finding:
    """Always fine: extras are optional."""
    try:
        found = [f"{package} {version(package)}" for package in EXTRAS[name]]
    except PackageNotFoundError as error:
        return Finding(True, "extra", name, f"not installed: no {error.name}; {install_hint(name)}")
    return Finding(True, "extra", name, ", ".join(found))


def _labeler(name: str) -> Finding:
    try:
        options = options_of(labeler(name))
    except UsageError as error:
        # Its extra is not installed.
        return Finding(True, "labeler", name, f"not usable here: {error}")
    return Finding(True, "labeler", name, ", ".join(f"{option} {value}" for option, value in options.items()))


def _loaded(kind: Kind, note: Callable[[str], str]) -> Iterator[Finding]:
    for name, path in available(kind).items():
        try:
            yield Finding(True, kind[:-1], name, f"{note(name)} ({path})")
        except VictorError as error:
            yield Finding(False, kind[:-1], name, str(error))


def _note_on_config(name: str) -> str:
    config = configs.load(name)
    templates = templates_of(config).only(config.used_features)
    return f"{len(config.used_features)} features, {len(templates.unigrams)} templates"


def _note_on_model(name: str) -> str:
    model = model_folder.load(name)
    return f"{model.card.data.pages} pages, {len(model.columns.names)} features, {model.digest[:12]}"


def _note_on_language_model(name: str) -> str:
    card = language_models.load(name).card
    return f"{card.shape.order} {card.shape.unit}, {sum(card.ngrams):,} n-grams, limit {card.limit:g}"
