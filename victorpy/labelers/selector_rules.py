"""The rules file: selectors by host, in YAML."""

import re
from pathlib import Path

from victorpy.errors import UsageError, VictorError
from victorpy.foundation.files import read_text
from victorpy.foundation.yaml_options import entries, node, read, refuse, with_lists
from victorpy.labelers.selection import ALL_HOSTS, HostRule

# A host, such as example.org, localhost, 192.168.0.1 or [::1].
_HOST = re.compile(r"\[[0-9a-f:.]+\]|[\w-]+(?:\.[\w-]+)*", re.IGNORECASE)


def rules_of(path: str | Path) -> dict[str, HostRule]:
    """The rules in a file. An error names the file and the line."""
    place = Path(path)
    if not place.exists():
        raise UsageError("no such file", place)
    try:
        return _parsed(read_text(place), place)
    except VictorError as error:
        # A wrong selector is wrong usage, whether it is in a file or on the command line.
        raise UsageError(str(error)) from None


def _parsed(text: str, place: Path) -> dict[str, HostRule]:
    found: dict[str, HostRule] = {}
    for name, (name_node, value) in entries(node(text, place)).items():
        host = name.lower().removeprefix("www.")
        if name != ALL_HOSTS and not _HOST.fullmatch(name):
            refuse(name_node, "", f"expected a host such as example.org, or '*' for all, got '{name}'")
        if host in found:
            refuse(name_node, "", f"the host '{host}' is given before")
        found[host] = read(HostRule, with_lists(value, name, ("keep", "drop")), place, name)
    return found
