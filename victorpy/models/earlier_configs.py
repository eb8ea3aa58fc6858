"""Configs that were written for version 0.1 and that differ by more than the name of an option."""

import logging

from victorpy.foundation.yaml_options import Entries, Node, entries, mapping, refuse, text

log = logging.getLogger("victorpy")


def upgraded(config: Node, key: str = "", *, warns: bool = True) -> Node:
    """The config with today's sections."""
    given = entries(config, key)
    _drop_scorer(given, f"{key}.scorer" if key else "scorer", warns=warns)
    return mapping(given, config)


def _drop_scorer(given: Entries, key: str, *, warns: bool) -> None:
    """Drop the section of boosted trees, unless it asks for trees."""
    name_node, section = given.pop("scorer", (None, None))
    if name_node is None or section is None:
        return
    options = entries(section, key)
    _, learner = options.get("learner", (None, None))
    if learner and text(str, learner, f"{key}.learner") != "none":
        refuse(
            learner,
            f"{key}.learner",
            "victorpy no longer has boosted trees: train again with 'network: {enabled: true, features: [...]}', or use"
            " victorpy 0.1",
        )
    if warns:
        start = name_node.start_mark
        log.warning("%s:%d: %s has no effect any more: remove it", start.name, start.line + 1, key)
