"""The network addresses of hosts, and which of them are public."""

import ipaddress
import socket
import threading
from collections.abc import Iterator
from typing import NamedTuple

from victorpy.fetching.fetch_errors import FetchError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

# Addresses of IPv4 inside of IPv6 (RFC 6052), which a gateway may unwrap.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_NAT64_LOCAL = ipaddress.IPv6Network("64:ff9b:1::/48")
# Addresses of IPv4 in the last four bytes, a form that is no longer used (RFC 4291).
_COMPATIBLE = ipaddress.IPv6Network("::/96")
# Special networks that some versions of Python take for public ones.
_SPECIAL: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = [
    *map(ipaddress.IPv4Network, ("192.0.0.0/24", "192.88.99.0/24")),
    *map(ipaddress.IPv6Network, ("fec0::/10", "100::/64", "2001::/23", "2001:db8::/32", "3fff::/20", "5f00::/16")),
]


class HostAddress(NamedTuple):
    """Where to connect to: the family and the address of a socket, with a number and no name."""

    family: int
    place: tuple[str, int] | tuple[str, int, int, int]


def is_public(text: str) -> bool:
    """Can anybody on the internet have this network address? Loopback, private and similar ones are not public."""
    address = ipaddress.ip_address(text.partition("%")[0])
    return all(_is_global(found) for found in (address, *_within(address)))


def _is_global(address: IpAddress) -> bool:
    is_special = address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    is_local = address.is_private or address.is_link_local or any(address in network for network in _SPECIAL)
    return address.is_global and not is_special and not is_local


def _within(address: IpAddress) -> Iterator[IpAddress]:
    """The addresses of IPv4 that one of IPv6 may lead to."""
    if isinstance(address, ipaddress.IPv4Address):
        return
    if address in _NAT64_LOCAL:
        yield ipaddress.IPv4Address(0)  # private by its definition
    if address in _NAT64 or address in _COMPATIBLE:
        yield ipaddress.IPv4Address(address.packed[-4:])
    yield from filter(None, (address.ipv4_mapped, address.sixtofour, *(address.teredo or ())))


def addresses_of(host: str, port: int, seconds: float, *, forbid_private: bool = False) -> list[HostAddress]:
    """The network addresses of a host, which are numbers: connecting to them asks no name server again."""
    found = [HostAddress(family, place) for family, place in dict.fromkeys(_looked_up(host, port, seconds))]
    if forbid_private:
        _check_public(host, found)
    return found


def _check_public(host: str, found: list[HostAddress]) -> None:
    """One private address is enough to refuse the host."""
    for address in found:
        number = str(address.place[0])
        if not is_public(number):
            there = "" if number == host else f" ({number})"
            raise FetchError("private", f"{host}{there} is not a public address, and only public ones are allowed")


def _looked_up(host: str, port: int, seconds: float) -> list[tuple[int, tuple[str, int] | tuple[str, int, int, int]]]:
    """In a thread of its own, because nothing else bounds the time of a look-up."""
    results: list[list[tuple[int, tuple[str, int] | tuple[str, int, int, int]]] | OSError | UnicodeError] = []

    def look_up() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            results.append([(family, place) for family, _, _, _, place in found])  # type: ignore[misc]
        except (OSError, UnicodeError) as error:
            results.append(error)

    thread = threading.Thread(target=look_up, daemon=True)
    thread.start()
    thread.join(seconds)
    if not results:
        raise FetchError("timeout", f"no answer about the address of {host} within {seconds:.0f} s")
    if isinstance(results[0], list):
        return results[0]
    raise _unknown(host, results[0])


def _unknown(host: str, error: OSError | UnicodeError) -> FetchError:
    is_brief = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
    reason = (isinstance(error, OSError) and error.strerror) or str(error)
    return FetchError("dns", f"no address found for the host {host} ({reason})", 0.0 if is_brief else None)
