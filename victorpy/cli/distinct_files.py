"""No command writes over a file that it reads, and no two options of a command write the same file."""

import argparse
import os
from collections.abc import Iterator

from victorpy.errors import UsageError
from victorpy.foundation.files import is_device
from victorpy.sources.raw_pages import paths_named

# The options of all commands that name files.
_READ = ("inputs", "files", "page", "pages", "texts", "quarantined", "gold", "on", "from_file", "urls", "rules", "site")
_WRITTEN = ("output", "summary", "quarantine", "keep_warc", "best", "plot", "confusion", "thresholds")

# `victor retry` may write what is still quarantined in place of what was.
_RENEWED = {("quarantined", "--quarantine")}


def check_distinct(options: argparse.Namespace) -> None:
    written = dict[str, str]()
    for name in _WRITTEN:
        for path in _names(options, name):
            option = f"--{name.replace('_', '-')}"
            if os.path.isdir(path) or path.endswith("/") or is_device(path):
                continue
            if other := written.get(os.path.realpath(path)):
                raise UsageError(f"{other} and {option} would write the same file: name two", path)
            written[os.path.realpath(path)] = option
    # What is not there yet is no input: nobody has to look at all of them.
    there = {path: option for path, option in written.items() if os.path.exists(path)}
    for name, path in _read(options) if there else ():
        named = there.get(os.path.realpath(path))
        if named and (name, named) not in _RENEWED:
            raise UsageError(f"this input would be overwritten: name another {named}", path)


def _read(options: argparse.Namespace) -> Iterator[tuple[str, str]]:
    return ((name, path) for name in _READ for given in _names(options, name) for path in paths_named(given))


def _names(options: argparse.Namespace, name: str) -> list[str]:
    value = getattr(options, name, None)
    found = value if isinstance(value, list) else [value]
    return [path for path in found if isinstance(path, str) and path != "-"]
