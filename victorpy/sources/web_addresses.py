"""Addresses of web pages as inputs: which words are addresses, and the ids of their pages."""

import re

_ADDRESS = re.compile(r"https?://", re.I)


def is_address(word: str) -> bool:
    return bool(_ADDRESS.match(word))


def host_part(url: str) -> str:
    """The host of an address with its port, in lower case."""
    return re.split("[/?#]", url.partition("://")[2], maxsplit=1)[0].rpartition("@")[2].lower()


def id_of_address(url: str) -> str:
    """The address without its scheme, fragment and password, such as `harbour.example/boats/index`."""
    path, mark, query = url.partition("://")[2].partition("#")[0].partition("?")
    name = host_part(url) + (path[path.find("/") :] if "/" in path else "/")
    return name + "index" * name.endswith("/") + mark + query.replace("/", "%2F")
