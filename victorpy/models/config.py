"""Configs: all there is to set, in YAML files by name or path that may build on one another."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as option
from fnmatch import filter as filter_names
from functools import partial, reduce
from pathlib import Path
from typing import Literal

from victorpy.errors import MisfitError, UsageError, VictorError, suggestion
from victorpy.features import FEATURES, NoSuchFeatureError, features, matches_any
from victorpy.features.buckets import Bucketing
from victorpy.foundation.digests import digest
from victorpy.foundation.files import read_text as text_of
from victorpy.foundation.resources import existing, find, is_path, named
from victorpy.foundation.yaml_options import (
    Node,
    chosen,
    dump,
    entries,
    given_options,
    merged,
    node,
    popped,
    read,
    refuse,
    text,
)
from victorpy.labelers import Untrained
from victorpy.labelers.registry import LABELERS, kind_of
from victorpy.models.crf_learning import Learning
from victorpy.models.decoding import Decoding
from victorpy.models.earlier_configs import upgraded
from victorpy.models.network_learning import Networking
from victorpy.models.templates import Templates, parse
from victorpy.page.blocks import LABELS, Label
from victorpy.page.markup import Markup

# What a model may learn beside the five labels.
Field = Literal["title", "date", "author", "comment"]

# What errors in options of the command line name.
_OPTION = "--option"


@dataclass(frozen=True, kw_only=True)
class Config:
    """All there is to set, resolved: what a model carries along."""

    markup: Markup = option(default_factory=Markup)
    labels: tuple[Field, ...] = ()
    regexp: Mapping[str, tuple[str, ...]] = option(default_factory=dict)
    buckets: Mapping[str, Bucketing]
    features: tuple[str, ...]
    without: tuple[str, ...] = ()
    template: str
    learner: Learning = option(default_factory=Learning)
    network: Networking = option(default_factory=Networking)
    decoding: Decoding = option(default_factory=Decoding)

    def __post_init__(self) -> None:
        _check_once(self.labels, "labels")
        _check_expressions(self.regexp, self.buckets)
        _check_features(self)
        _check_patterns(self.network.features)
        seen = _meant(self.network.features)
        _check_names(seen, self, "network", "features")
        _check_named(self.network.curved, seen, "network", "curved")
        _check_named(self.without, (*self.features, *seen), "without")
        if not self.used_features:
            raise MisfitError("at least one feature is wanted", "without" if self.features else "features")
        if self.network.is_wanted and not self.seen_features:
            raise MisfitError("switches all features of the network off", "without")

    @property
    def label_set(self) -> tuple[Label, ...]:
        """The five labels, and the fields that are to be told from them."""
        return (*LABELS, *map(Label, self.labels))

    @property
    def used_features(self) -> tuple[str, ...]:
        """The features, but those switched off."""
        return self._switched_on(self.features)

    @property
    def seen_features(self) -> tuple[str, ...]:
        """Those of the network, their patterns replaced by what they stand for, but those switched off."""
        return self._switched_on(_meant(self.network.features))

    def _switched_on(self, names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name for name in names if not matches_any(name, self.without))


def _meant(patterns: tuple[str, ...]) -> tuple[str, ...]:
    """The names that patterns like `block.*` stand for, in the order of the table of features."""
    return tuple(
        name for pattern in patterns for name in (filter_names(FEATURES, pattern) if "*" in pattern else [pattern])
    )


def _check_patterns(patterns: tuple[str, ...]) -> None:
    for item, pattern in enumerate(patterns):
        if "*" in pattern and not filter_names(FEATURES, pattern):
            raise MisfitError(f"'{pattern}' is none of the features", "network", "features", item=item)


def _check_expressions(regexp: Mapping[str, tuple[str, ...]], buckets: Mapping[str, Bucketing]) -> None:
    for name, expressions in regexp.items():
        if f"regexp.{name}" not in buckets:
            known = [feature.removeprefix("regexp.") for feature in buckets if feature.startswith("regexp.")]
            raise MisfitError(f"no buckets for 'regexp.{name}'{suggestion(name, known)}", "regexp", name)
        for item, expression in enumerate(expressions):
            try:
                re.compile(expression)
            except (re.error, OverflowError, RecursionError) as error:
                raise MisfitError(f"not a regular expression: {error}", "regexp", name, item=item) from None


def _check_features(config: Config) -> None:
    for item, name in enumerate(config.features):
        if name not in config.buckets:
            raise MisfitError(f"no buckets for '{name}'{suggestion(name, config.buckets)}", "features", item=item)
    _check_names(config.features, config, "features")


def _check_once(names: Sequence[str], *option: str) -> None:
    for item, name in enumerate(names):
        if name in names[:item]:
            raise MisfitError(f"'{name}' is listed twice", *option, item=item)


def _check_names(names: tuple[str, ...], config: Config, *option: str) -> None:
    _check_once(names, *option)
    try:
        features(names, config.regexp, config.markup)
    except NoSuchFeatureError as error:
        raise MisfitError(str(error), *option, item=names.index(error.name)) from None


def _check_named(patterns: tuple[str, ...], features: tuple[str, ...], *option: str) -> None:
    for item, pattern in enumerate(patterns):
        if not any(matches_any(name, [pattern]) for name in features):
            raise MisfitError(f"'{pattern}' is none of the features{suggestion(pattern, features)}", *option, item=item)


def load(name_or_path: str | Path) -> Config:
    """The config of this name, with all that it includes."""
    path = find("configs", name_or_path) if isinstance(name_or_path, str) else existing("configs", name_or_path)
    source = _with_includes(node(text_of(path), path), path, (path.resolve(),))
    _place_template(source)
    return _read(source)


def read_text(text: str, place: str | Path) -> Config:
    """A config from its YAML; `place` is what errors name, and where the paths it includes begin."""
    return _read(_with_includes(node(text, place), Path(place), ()))


def _read(source: Node) -> Config:
    """What a labeler that nobody trains is to do says nothing of a model; but it has to be right."""
    rest, sections = popped(source, "labeler")
    if sections:
        chosen(LABELERS, entries(source)["labeler"][1], "labeler")
    return read(Config, rest)


def labeler(name_or_path: str, words: Sequence[str] = ()) -> Untrained:
    """The labeler of this name, or of the section `labeler` in this file; words such as share=0.4 change options."""
    section = _labeler_section(Path(name_or_path)) if is_path("configs", name_or_path) else _nameless(name_or_path)
    found = chosen(LABELERS, section, "labeler")
    if not words:
        return found
    given = given_options(words, type(found), _OPTION)
    try:
        return chosen(LABELERS, merged(None, section, given), "labeler")
    except VictorError as error:
        raise UsageError(str(error).removeprefix(f"{_OPTION}:{error.line}: labeler."), _OPTION) from None


def _nameless(name: str) -> Node:
    """A section with nothing but the name."""
    kind_of(name)  # tells what names there are
    return node(f"name: {name}", "--labeler")


def _labeler_section(path: Path) -> Node:
    existing("configs", path)
    found = entries(_with_includes(node(text_of(path), path), path, (path.resolve(),)))
    if "labeler" not in found:
        raise VictorError("no section 'labeler', which names a labeler and its options", path)
    return found["labeler"][1]


def _with_includes(source: Node, place: Path, chain: tuple[Path, ...]) -> Node:
    own, bases = popped(upgraded(source), "include")
    layers = [*(_included(base, place, chain) for base in bases), own]
    return reduce(partial(merged, Config), layers)


def _included(name: Node, place: Path, chain: tuple[Path, ...]) -> Node:
    try:
        path = _included_path(text(str, name, "include"), place, chain)
    except UsageError as error:
        refuse(name, "include", str(error))
    if path.resolve() in chain:
        steps = [*chain[chain.index(path.resolve()) :], path]
        refuse(name, "include", f"goes round in a circle: {' → '.join(step.name for step in steps)}")
    return _with_includes(node(text_of(path), path), path, (*chain, path.resolve()))


def _included_path(name: str, place: Path, chain: tuple[Path, ...]) -> Path:
    """Paths begin at the including file; a name passes over the files it comes from: one may build on its namesake."""
    if is_path("configs", name):
        return existing("configs", place.parent / name)
    others = (path for known, path in named("configs") if known == name and path.resolve() not in chain)
    return next(others, None) or find("configs", name)


def _place_template(config: Node) -> None:
    """Sees to it that the template is there; a path begins at the file that names it."""
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
    return parse(text_of(path), str(path), tuple(config.buckets))


def config_digest(config: Config) -> str:
    """Of all that a config says, its templates included."""
    return digest([dump(config), str(templates_of(config))])
