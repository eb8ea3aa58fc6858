"""Distinct ids: the second page of an id gets `-2`, and so on."""

from collections.abc import Sequence


def distinct_ids(ids: Sequence[str], *, ignores_case: bool = False) -> list[str]:
    """The ids in their order; a numbered id never equals one that another page already has."""
    keys = [id.casefold() if ignores_case else id for id in ids]
    taken, used = set(keys), set[str]()
    found = []
    for id, key in zip(ids, keys, strict=True):
        suffix, number = "", 1
        while key in used and key + suffix in taken:
            number += 1
            suffix = f"-{number}"
        taken.add(key + suffix)
        used.add(key)
        found.append(id + suffix)
    return found
