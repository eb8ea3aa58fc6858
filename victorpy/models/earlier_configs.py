"""Configs of version 0.1: the sections `learner` and `scorer`, and the option `network.learner`.

Options that have only a new name are listed in `OLD_NAMES` of the dataclass that holds them.
"""

import logging
import re
from typing import Any

from victorpy.foundation.yaml_options import (
    Entries,
    Node,
    entries,
    is_section,
    mapping,
    node,
    refuse,
    text,
    warn_of_old_name,
    with_current_names,
    with_flag,
    with_text,
)

log = logging.getLogger("victorpy")

_TREE_OPTIONS = ("min-leaf", "ccp-alpha")
_SWITCH = {"network": True, "none": False}
_ADVICE = "train again with 'network: {enabled: true, features: [...]}', or use victorpy 0.1"


def upgraded(kind: Any, config: Node, key: str = "", *, warns: bool = True) -> Node:
    """A config with today's sections and names; `kind` is the dataclass of its options."""
    given, prefix = entries(config, key), f"{key}." if key else ""
    _drop_scorer(given, f"{prefix}scorer", warns=warns)
    _divide_learner(given, f"{prefix}learner", warns=warns)
    if "network" in given:
        name_node, network = given["network"]
        given["network"] = name_node, _with_switch(network, f"{prefix}network", warns=warns)
    return with_current_names(kind, mapping(given, config), key, warns=warns)


def current_option(kind: Any, name: str) -> str:
    """The current name of a single option, such as `crf.c2` for `learner.c2`."""
    match = re.fullmatch(r"([a-z-]+)\.([a-z0-9-]+)", name)
    if not match or name == "network.learner":
        return name
    config = upgraded(kind, node(f"{match[1]}: {{{match[2]}: x}}", "--set"))
    sections = ((section, value) for section, (_, value) in entries(config).items() if is_section(value))
    return next((f"{section}.{option}" for section, value in sections for option in entries(value)), name)


def _drop_scorer(given: Entries, key: str, *, warns: bool) -> None:
    """Drop the section of boosted trees, unless it asks for trees."""
    if "scorer" not in given:
        return
    name_node, section = given.pop("scorer")
    _, learner = entries(section, key).get("learner", (None, None))
    if learner and text(str, learner, f"{key}.learner") != "none":
        refuse(learner, f"{key}.learner", f"victorpy no longer has boosted trees: {_ADVICE}")
    if warns:
        _warn(name_node, f"{key} has no effect any more: remove it")


def _warn(name_node: Node, message: str) -> None:
    start = name_node.start_mark
    log.warning("%s:%d: %s", start.name, start.line + 1, message)


def _divide_learner(given: Entries, key: str, *, warns: bool) -> None:
    """Divide the section `learner` into the sections `crf` and `tree` and the choice between them."""
    if "learner" not in given or not is_section(given["learner"][1]):
        return
    name_node, section = given.pop("learner")
    parts = _parts_of_learner(entries(section, key), section)
    for name, part in parts.items():
        if name in given:
            refuse(name_node, key, f"the old name of '{name}', which is given too: remove one")
        given[name] = with_text(name_node, name), part
    if warns:
        new = [f"'learner: {part.value}'" if name == "learner" else f"'{name}'" for name, part in parts.items()]
        _warn(name_node, f"the section '{key}' is now {' and '.join(new)}; the next version drops the old form")


def _parts_of_learner(options: Entries, section: Node) -> dict[str, Node]:
    name_node, algorithm = options.pop("algorithm", (section, None))
    parts: dict[str, Node] = {}
    if algorithm:
        is_tree = text(str, algorithm, "learner.algorithm") == "tree"
        parts["learner"] = with_text(algorithm, "tree" if is_tree else "crf")
        if not is_tree:
            options["algorithm"] = name_node, algorithm
    tree = {name: options.pop(name) for name in _TREE_OPTIONS if name in options}
    if tree:
        parts["tree"] = mapping(tree, section)
    if options or not parts:
        parts["crf"] = mapping(options, section)
    return parts


def _with_switch(network: Node, key: str, *, warns: bool) -> Node:
    """The section with `enabled: true` for `learner: network`."""
    if not is_section(network):
        return network
    options = entries(network, key)
    if "learner" not in options:
        return network
    name_node, learner = options["learner"]
    word = text(str, learner, f"{key}.learner")
    if "enabled" in options:
        refuse(name_node, f"{key}.learner", "the old name of 'enabled', which is given too: remove one")
    if word not in _SWITCH:
        refuse(learner, f"{key}.learner", f"expected one of {', '.join(_SWITCH)}, got '{word}'")
    if warns:
        warn_of_old_name(name_node, f"{key}.learner", "enabled")
    new = with_text(name_node, "enabled"), with_flag(learner, _SWITCH[word])
    return mapping({name: new if name == "learner" else entry for name, entry in options.items()}, network)
