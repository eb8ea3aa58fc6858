"""Addresses of pages, taken apart and written in one form."""

from typing import NamedTuple
from urllib.parse import urljoin

from victorpy.fetching.fetch_errors import FetchError

_PORTS = {"http": 80, "https": 443}
_LONGEST = 8_000


class WebTarget(NamedTuple):
    """An address of a page. `resource` is what is asked of the host; `user` is a name with a password, or empty."""

    scheme: str
    host: str
    port: int
    resource: str
    user: str = ""

    @property
    def origin(self) -> str:
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{name}" + ("" if self.port == _PORTS[self.scheme] else f":{self.port}")

    @property
    def host_part(self) -> str:
        """The host, with its port if that is not the usual one."""
        return self.origin.partition("://")[2]

    @property
    def url(self) -> str:
        """Without the password, so that it can be printed and kept."""
        return self.origin + self.resource

    def joined(self, reference: str) -> "WebTarget":
        """Where a redirect leads to. The password stays with its host."""
        try:
            address = urljoin(self.url, _ascii(reference))
        except ValueError as error:
            raise _not_an_address("it cannot be taken apart") from error
        found = target_of(address)
        return found._replace(user=self.user) if found.origin == self.origin and not found.user else found


def target_of(url: str) -> WebTarget:
    """Reads an address; raises a FetchError for anything else."""
    from urllib3.exceptions import LocationParseError  # noqa: PLC0415
    from urllib3.util import parse_url  # noqa: PLC0415

    try:
        found = parse_url(_checked(url))
    except (LocationParseError, UnicodeError, ValueError) as error:
        raise _not_an_address("it cannot be taken apart") from error
    scheme, host = (found.scheme or "").lower(), (found.host or "").strip("[]").rstrip(".")
    if scheme not in _PORTS:
        raise _not_an_address("it does not begin with http:// or https://")
    if not host:
        raise _not_an_address("it names no host")
    return WebTarget(scheme, host, found.port or _PORTS[scheme], found.request_uri, found.auth or "")


def _checked(url: str) -> str:
    if any(character.isspace() or not character.isprintable() for character in url):
        raise _not_an_address("it holds blanks or control characters")
    if len(url) > _LONGEST:
        raise _not_an_address(f"it is longer than {_LONGEST:,} characters")
    return url


def _not_an_address(reason: str) -> FetchError:
    return FetchError("address", f"not the address of a web page: {reason}")


def _ascii(reference: str) -> str:
    """Servers send bytes beyond ASCII, which http.client reads as Latin-1, and mean UTF-8."""
    try:
        return reference.strip().encode("latin-1").decode("utf-8")
    except UnicodeError:
        return reference.strip()
