"""Configs: all settings, in YAML files that have a name or a path and may include one another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from dataclasses import field as option
from functools import partial, reduce
from pathlib import Path
from typing import Literal

from victorpy.errors import OptionError, UsageError, VictorError, suggestion
from victorpy.features import FEATURES, NoSuchFeatureError, features, matches_any
from victorpy.features.buckets import Bucketing
from victorpy.foundation.digests import digest
from victorpy.foundation.files import read_text as text_of
from victorpy.foundation.resources import existing, find, is_path, named
from victorpy.foundation.yaml_options import (
    Node,
    chosen,
    chosen_kind,
    dump,
    entries,
    given_options,
    is_section_of,
    merged,
    node,
    popped,
    read,
    refuse,
    text,
)
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS, kind_of
from victorpy.models import original_configs
from victorpy.models.decoding import Decoding
from victorpy.models.earlier_configs import upgraded
from victorpy.models.learning_options import CRFOptions, NetworkOptions, TreeOptions
from victorpy.models.templates import Templates, parse
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup

# Labels that a model may learn in addition to the five.
Field = Literal["title", "date", "author", "comment"]

# The place that errors in command-line options name.
_OPTION = "--option"


@dataclass(frozen=True, kw_only=True)
class Config:
    """All settings of a model, resolved; a model stores them."""

    markup: Markup = option(default_factory=Markup)
    labels: tuple[Field, ...] = ()
    regexp: Mapping[str, tuple[str, ...]] = option(default_factory=dict)
    buckets: Mapping[str, Bucketing]
    features: tuple[str, ...]
    without: tuple[str, ...] = ()
    template: str
    learner: Literal["crf", "tree"] = "crf"
    crf: CRFOptions = option(default_factory=CRFOptions)
    tree: TreeOptions = option(default_factory=TreeOptions)
    network: NetworkOptions = option(default_factory=NetworkOptions)
    decoding: Decoding = option(default_factory=Decoding)

    def __post_init__(self) -> None:
        for check in _CHECKS:
            check(self)

    @property
    def label_set(self) -> tuple[Label, ...]:
        """The five labels, then the fields."""
        return (*LABELS, *map(Label, self.labels))

    @property
    def used_features(self) -> tuple[str, ...]:
        """The features, except those in `without`."""
        return self._switched_on(self.features)

    @property
    def network_features(self) -> tuple[str, ...]:
        """The features of the network with all patterns expanded, except those in `without`."""
        return self._switched_on(_expanded(self.network.features))

    def _switched_on(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if not matches_any(name, self.without))


def _expanded(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The features that match patterns like `block.*`, in the order of the table of features."""
    return tuple(name for pattern in patterns for name in (_matching(pattern) if "*" in pattern else [pattern]))


def _matching(pattern: str) -> list[str]:
    return [name for name in FEATURES if matches_any(name, [pattern])]


# Checks


def _check_labels(config: Config) -> None:
    _refuse_duplicates(config.labels, "labels")


def _check_expressions(config: Config) -> None:
    for name, expressions in config.regexp.items():
        if f"regexp.{name}" not in config.buckets:
            known = [feature.removeprefix("regexp.") for feature in config.buckets if feature.startswith("regexp.")]
            raise OptionError(f"no buckets for 'regexp.{name}'{suggestion(name, known)}", "regexp", name)
        for item, expression in enumerate(expressions):
            try:
                re.compile(expression)
            except (re.error, OverflowError, RecursionError) as error:
                raise OptionError(f"not a regular expression: {error}", "regexp", name, item=item) from None


def _check_features(config: Config) -> None:
    for item, name in enumerate(config.features):
        if name not in config.buckets:
            raise OptionError(f"no buckets for '{name}'{suggestion(name, config.buckets)}", "features", item=item)
    _refuse_unknown_features(config.features, config, "features")


def _check_network(config: Config) -> None:
    for item, pattern in enumerate(config.network.features):
        if "*" in pattern and not _matching(pattern):
            raise OptionError(f"'{pattern}' matches no feature", "network", "features", item=item)
    names = _expanded(config.network.features)
    _refuse_unknown_features(names, config, "network", "features")
    _refuse_unmatched(config.network.piecewise, names, "network", "piecewise")


def _check_without(config: Config) -> None:
    _refuse_unmatched(config.without, (*config.features, *_expanded(config.network.features)), "without")
    if not config.used_features:
        raise OptionError("expected at least one feature", "without" if config.features else "features")
    if config.network.enabled and not config.network_features:
        raise OptionError("switches off all features of the network", "without")


_CHECKS = (_check_labels, _check_expressions, _check_features, _check_network, _check_without)


def _refuse_duplicates(names: Sequence[str], *option: str) -> None:
    for item, name in enumerate(names):
        if name in names[:item]:
            raise OptionError(f"'{name}' is listed twice", *option, item=item)


def _refuse_unknown_features(names: tuple[str, ...], config: Config, *option: str) -> None:
    _refuse_duplicates(names, *option)
    try:
        features(names, config.regexp, config.markup)
    except NoSuchFeatureError as error:
        raise OptionError(str(error), *option, item=names.index(error.name)) from None


def _refuse_unmatched(patterns: tuple[str, ...], features: tuple[str, ...], *option: str) -> None:
    for item, pattern in enumerate(patterns):
        if not any(matches_any(name, [pattern]) for name in features):
            raise OptionError(f"'{pattern}' matches no feature{suggestion(pattern, features)}", *option, item=item)


# Files


def load(name_or_path: str | Path) -> Config:
    """The config with this name or path, and all configs that it includes."""
    path = find("configs", name_or_path) if isinstance(name_or_path, str) else existing("configs", name_or_path)
    content = original_configs.converted(path) if path.suffix == original_configs.SUFFIX else text_of(path)
    source = _with_includes(node(content, path), path, (path.resolve(),))
    _place_template(source)
    return _read(source)


def read_text(text: str, place: str | Path) -> Config:
    """A config from YAML; errors name `place`, and the paths of included files are relative to it."""
    return _read(_with_includes(node(text, place), Path(place), ()))


def _read(source: Node) -> Config:
    """The section `labeler` does not affect a model, but is validated anyway."""
    rest, sections = popped(source, "labeler")
    if sections:
        chosen(LABELERS, entries(source)["labeler"][1], "labeler")
    return read(Config, rest)


def labeler(name_or_path: str, words: Sequence[str] = ()) -> Untrained:
    """The labeler with this name, or of the section `labeler` of a file; words such as share=0.4 change its options."""
    section = _labeler_section(Path(name_or_path)) if is_path("configs", name_or_path) else _name_only(name_or_path)
    if not words:
        return chosen(LABELERS, section, "labeler")
    # The options may replace what the section alone could not do, such as words of a package that is not installed.
    given = given_options(words, chosen_kind(LABELERS, section, "labeler"), _OPTION)
    try:
        return chosen(LABELERS, merged(None, section, given), "labeler")
    except VictorError as error:
        if error.place != _OPTION:
            raise
        message = str(error).removeprefix(f"{_OPTION}:{error.line}: labeler")
        raise UsageError(message.lstrip(".: "), _OPTION) from None


def _name_only(name: str) -> Node:
    """A labeler section that has only the name."""
    kind_of(name)  # refuses unknown names and lists the known ones
    return node(f"name: {name}", "--labeler")


def _labeler_section(path: Path) -> Node:
    existing("configs", path)
    found = entries(_with_includes(node(text_of(path), path), path, (path.resolve(),)))
    if "labeler" not in found:
        raise VictorError("expected a section 'labeler' with the name and options of a labeler", path)
    return found["labeler"][1]


def _with_includes(source: Node, place: Path, chain: tuple[Path, ...]) -> Node:
    own, bases = popped(upgraded(Config, source), "include")
    layers = [*(_included(base, place, chain) for base in bases), own]
    return reduce(partial(merged, Config), layers)


def _included(name: Node, place: Path, chain: tuple[Path, ...]) -> Node:
    try:
        path = _included_path(text(str, name, "include"), place, chain)
    except UsageError as error:
        refuse(name, "include", str(error))
    if path.resolve() in chain:
        steps = [*chain[chain.index(path.resolve()) :], path]
        refuse(name, "include", f"includes itself: {' → '.join(step.name for step in steps)}")
    return _with_includes(_config_in(path, name), path, (*chain, path.resolve()))


def _config_in(path: Path, name: Node) -> Node:
    """The content of an included file. Somebody else's config may include a file of secrets, so no error quotes it."""
    content = text_of(path)
    try:
        source = node(content, path)
    except VictorError as error:
        refuse(name, "include", f"{path} is not valid YAML{f': see its line {error.line}' if error.line else ''}")
    if not is_section_of(_SECTIONS, source):
        refuse(name, "include", f"{path} is not a config: it has no option of one")
    return source


_SECTIONS = {*(field.name for field in fields(Config)), "include", "labeler", "scorer"}


def _included_path(name: str, place: Path, chain: tuple[Path, ...]) -> Path:
    """A path is relative to the including file. A name skips files that led here: a config can extend its namesake."""
    if is_path("configs", name):
        return existing("configs", place.parent / name)
    others = (path for known, path in named("configs") if known == name and path.resolve() not in chain)
    return next(others, None) or find("configs", name)


def _place_template(config: Node) -> None:
    """Check that the template exists, and resolve its path relative to the file that names it."""
    if "template" not in entries(config):
        return
    _, template = entries(config)["template"]
    name = text(str, template, "template")
    if is_path("templates", name):
        template.value = str(Path(template.start_mark.name).parent / name)
    try:
        find("templates", template.value)
    except UsageError as error:
        refuse(template, "template", str(error))


def templates_of(config: Config) -> Templates:
    path = find("templates", config.template)
    return parse(text_of(path), str(path), tuple(config.buckets), config.features)


def config_digest(config: Config) -> str:
    """The digest of all settings, including the templates."""
    return digest([dump(config), str(templates_of(config))])
