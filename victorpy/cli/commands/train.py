"""victor train"""

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from victorpy.annotation.anno_files import AnnotatedPage
from victorpy.errors import UsageError
from victorpy.foundation.exit_codes import FINE
from victorpy.foundation.files import check_writable
from victorpy.foundation.progress import shown
from victorpy.foundation.resources import Kind
from victorpy.labelers import site_counts
from victorpy.models import config as configs
from victorpy.models.adapting import adapted, network_of
from victorpy.models.config import Config
from victorpy.models.core_networks import CARD
from victorpy.models.defaults import DEFAULT_MODEL
from victorpy.models.model_folder import Model, load, save
from victorpy.models.training import annotated_pages, train
from victorpy.sources import ANNOTATION_SUFFIXES, find_pages

log = logging.getLogger("victorpy")

# The config for each learner.
CONFIGS = {"crf": "cleaneval", "tree": "tree"}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="an .anno file, or a folder of them")
    start = parser.add_mutually_exclusive_group()
    start.add_argument("-c", "--config", help="name or file of a config (with -l crf: cleaneval; with -l tree: tree)")
    start.add_argument(
        "--from",
        dest="origin",
        metavar="NAME",
        help=f"adapt this model, a name or a folder, to the pages ({DEFAULT_MODEL}, without -c and -l)",
    )
    parser.add_argument("-l", "--learner", choices=CONFIGS, metavar="LEARNER", help="crf or tree (from the config)")
    parser.add_argument("-m", "--model", required=True, help="name of the new model, a folder in ./models, or a path")
    parser.add_argument("--replace", action="store_true", help="replace a model of this name without asking")
    parser.add_argument("--site", metavar="FILE", help="a file of victor learn site, for the features site.…")
    parser.add_argument("--source", default="", metavar="TEXT", help="source of the pages, for the model card")
    parser.add_argument("--licence", default="", metavar="TEXT", help="licence of the pages, for the model card")


def run(options: argparse.Namespace) -> int:
    folder = model_folder(options.model)
    if not options.replace:
        _check_free(folder)
    if not (options.origin or options.config or options.learner):
        options.origin = DEFAULT_MODEL
        log.info("adapting %s, the default model; -c CONFIG or -l LEARNER trains a new one", DEFAULT_MODEL)
    learned = _adapted if options.origin else _trained
    save(learned(options, folder), folder)
    print(folder)
    return FINE


def _check_free(folder: Path) -> None:
    """Ask on a terminal whether to replace a model; refuse elsewhere."""
    if not (folder / CARD).exists():
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError("a model has this name: --replace replaces it", folder)
    sys.stderr.write(f"{folder}: replace this model? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise UsageError("the model is kept as it is", folder)


def _trained(options: argparse.Namespace, folder: Path) -> Model:
    config = chosen(options.config, options.learner)
    check_writable(folder)
    return train_files(options.files, config, options.source, options.licence, options.site)


def _adapted(options: argparse.Namespace, folder: Path) -> Model:
    if options.learner:
        raise UsageError("--learner needs --config: an adapted model keeps its learner")
    model = load(options.origin)
    network_of(model)
    check_writable(folder)
    return adapt_files(options.files, model, options.source, options.licence, options.site)


def chosen(config: str | None, learner: str | None) -> Config:
    """The config of this name with this learner; without a name, the default config of the learner."""
    found = configs.load(config or CONFIGS[learner or "crf"])
    if learner is None or found.learner == learner:
        return found
    own = configs.load(CONFIGS[learner])
    return replace(found, learner=own.learner, **{learner: getattr(own, learner)})


def train_files(
    names: Sequence[str], config: Config, source: str = "", licence: str = "", site: str | None = None
) -> Model:
    """Train on .anno files and folders of them; `site` is a file of victor learn site."""
    return train(_pages(names, config, site), config, source, licence)


def adapt_files(
    names: Sequence[str], model: Model, source: str = "", licence: str = "", site: str | None = None
) -> Model:
    """Adapt a model to .anno files and folders of them."""
    return adapted(model, _pages(names, model.config, site), source, licence)


def _pages(names: Sequence[str], config: Config, site: str | None) -> Iterator[AnnotatedPage]:
    paths = [Path(file.path) for file in find_pages(names, ANNOTATION_SUFFIXES)]
    known = site_counts.load(Path(site)) if site else None
    if known:
        known.check_cuts_alike(config.markup, site or "")
    return shown(annotated_pages(paths, config, known), len(paths), "pages")


def model_folder(name: str) -> Path:
    """A bare name is a folder in ./models, where `--model NAME` finds it again."""
    return folder_of("models", name)


def folder_of(kind: Kind, name: str) -> Path:
    if not name:
        raise UsageError("name the model")
    folder = Path(name) if "/" in name or name.startswith(".") else Path(kind, name)
    if folder.exists() and not folder.is_dir():
        raise UsageError("a file, not a folder, has this name", folder)
    return folder
