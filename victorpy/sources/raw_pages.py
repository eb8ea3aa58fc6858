"""Pages in files of their own: single files, folders, globs, standard input."""

import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from victorpy.errors import UsageError
from victorpy.foundation.compression import GZIP_MAGIC, unpacked_up_to_damage
from victorpy.foundation.distinct_ids import distinct_ids
from victorpy.sources.web_addresses import id_of_address, is_address

STDIN = "-"
NOT_FETCHED = "this is read from files only: fetch it first, with victor clean --keep-warc FILE"
Suffixes = tuple[str, ...]

SUFFIXES: Suffixes = (".html", ".htm", ".xhtml")
ANNOTATION_SUFFIXES: Suffixes = (".anno",)
TEXT_SUFFIXES: Suffixes = (".txt",)

# Refuse pages above 1 GiB.
MAX_BYTES = 1 << 30

_GZIP_SUFFIX = ".gz"


class Location(NamedTuple):
    """A page that has not been read yet; `-` is standard input. `is_text` marks plain text, which has no tags."""

    path: str
    id: str
    url: str | None = None
    is_text: bool = False

    @property
    def is_address(self) -> bool:
        """Is it on the web? Such a page must be fetched."""
        return is_address(self.path)


@dataclass(frozen=True, kw_only=True)
class RawPage:
    """The bytes of a page. `problem` says why they are missing or incomplete.

    `path` tells people where the page is, and `offset` how much of its file has been read. `record` and `date` are
    those of a record in a web archive. `is_xml` marks pages served as XHTML, and `is_text` plain text.
    """

    id: str
    path: str
    data: bytes | None = None
    problem: str = ""
    url: str | None = None
    is_too_large: bool = False
    charset: str | None = None
    record: str = ""
    date: str = ""
    offset: int = 0
    is_xml: bool = False
    is_text: bool = False


def find_pages(inputs: Sequence[str], suffixes: Suffixes = SUFFIXES) -> list[Location]:
    """The pages of files, folders and `-`, each once and with an id of its own."""
    return distinct(location for path in matching(inputs) for location in locations(path, suffixes))


def matching(inputs: Sequence[str], *, keeps_missing: bool = False, takes_addresses: bool = False) -> list[str]:
    """The inputs, with patterns replaced by the files that match.

    One error names all missing inputs. With `keeps_missing` it is an error only if all are missing.
    """
    if not takes_addresses and (found_address := next(filter(is_address, inputs), None)):
        raise UsageError(NOT_FETCHED, found_address)
    found = [(path, paths_named(path)) for path in inputs]
    missing = [path for path, paths in found if not paths]
    if keeps_missing and len(missing) < len(inputs):
        found = [(path, paths or [path]) for path, paths in found]
    elif missing:
        raise UsageError("no such file or folder", place=", ".join(missing))
    return [path for _, paths in found for path in paths]


def paths_named(path: str) -> list[str]:
    return [path] if path == STDIN or is_address(path) or os.path.exists(path) else _globbed(path)


def _globbed(pattern: str) -> list[str]:
    import glob  # noqa: PLC0415 - few inputs are patterns

    return sorted(glob.glob(pattern, recursive=True)) if glob.has_magic(pattern) else []


def distinct(found: Iterable[Location]) -> list[Location]:
    """Each file once, with an id of its own."""
    return _numbered(_once(found))


def locations(path: str, suffixes: Suffixes) -> list[Location]:
    if path == STDIN:
        return [Location(STDIN, "stdin")]
    if is_address(path):
        return [web_location(path)]
    if not os.path.isdir(path):
        return [Location(path, page_id(os.path.basename(path), suffixes))]
    found = sorted(_paths_in(path, suffixes), key=lambda name: name.split("/"))
    if not found:
        endings = ", ".join(suffixes)
        raise UsageError(f"no pages in this folder: their names end in {endings}, or in one of these and .gz", path)
    return [Location(os.path.join(path, *name.split("/")), page_id(name, suffixes)) for name in found]


def web_location(url: str) -> Location:
    return Location(url, id_of_address(url), url)


def _paths_in(folder: str, suffixes: Suffixes) -> Iterator[str]:
    """The paths of pages relative to the folder, with slashes."""
    for parent, _, names in os.walk(folder, onerror=_cannot_be_listed):
        for name in names:
            path = os.path.join(parent, name)
            if is_page_name(name, suffixes) and not _would_wait(path):
                yield os.path.relpath(path, folder).replace(os.sep, "/")


def _cannot_be_listed(error: OSError) -> None:
    raise UsageError(read_problem(error), error.filename) from error


def _would_wait(path: str) -> bool:
    """A pipe or a device may never end. A dead link is not skipped: it is a page that cannot be read."""
    return os.path.exists(path) and not os.path.isfile(path)


def is_page_name(name: str, suffixes: Suffixes) -> bool:
    return name.lower().removesuffix(_GZIP_SUFFIX).endswith(suffixes)


def page_id(name: str, suffixes: Suffixes) -> str:
    """The name without its endings. Ids are printed, so bytes that are not UTF-8 are replaced."""
    bare = name
    for suffix in (_GZIP_SUFFIX, *suffixes):
        if bare.lower().endswith(suffix):
            bare = bare[: -len(suffix)]
    is_named = bool(bare.rpartition("/")[2])
    return os.fsencode(bare if is_named else name).decode("utf-8", "replace")


def _once(locations: Iterable[Location]) -> list[Location]:
    """Each file once, even if both the file and its folder were given."""
    first: dict[str, Location] = {}
    for location in locations:
        first.setdefault(STDIN if location.path == STDIN else os.path.abspath(location.path), location)
    return list(first.values())


def _numbered(found: Sequence[Location]) -> list[Location]:
    """The second page of an id gets `-2` and so on; ids differ in more than case, as some file systems need."""
    ids = distinct_ids([location.id for location in found], ignores_case=True)
    return [location._replace(id=id) for location, id in zip(found, ids, strict=True)]


def read_page(location: Location, max_bytes: int = MAX_BYTES) -> RawPage:
    """Read a page, and unpack it if it is gzip."""
    page = RawPage(
        id=location.id,
        path=location.path,
        url=location.url,
        is_xml=_is_xhtml(location.path),
        is_text=location.is_text,
    )
    if location.is_address:
        return replace(page, problem=NOT_FETCHED)
    try:
        data = _bytes_of(location.path, max_bytes + 1)
    except OSError as error:
        return replace(page, problem=read_problem(error))
    except ValueError:  # the path, from a list or another program, is invalid
        return replace(page, problem="no such file: no file can have this name")
    return page_of_bytes(page, data, max_bytes)


def page_of_bytes(page: RawPage, data: bytes, max_bytes: int) -> RawPage:
    """The page with these bytes, unpacked if they are gzip."""
    data, problem = unpacked(data, max_bytes)
    if len(data) > max_bytes:
        return replace(page, problem=too_large(max_bytes), is_too_large=True)
    return replace(page, data=None if problem and not data else data, problem=problem)


def _is_xhtml(path: str) -> bool:
    """Is it XHTML? Web servers decide by the name, too."""
    return path.lower().removesuffix(_GZIP_SUFFIX).endswith((".xhtml", ".xht"))


def too_large(max_bytes: int) -> str:
    return f"larger than {max_bytes:,} bytes"


def _bytes_of(path: str, limit: int) -> bytes:
    if path == STDIN:
        return sys.stdin.buffer.read(limit)
    with open(path, "rb") as file:
        # Python reserves memory for all that it is asked for. Pipes and devices have no size.
        size = os.fstat(file.fileno()).st_size
        return file.read(min(limit, size + 1) if size else limit)


def read_problem(error: Exception) -> str:
    """Why a file cannot be read."""
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "a folder, not a page"
    if isinstance(error, OSError) and error.errno:
        return f"cannot be read: {error.strerror or error}"
    return f"damaged ({error})"


def unpacked(data: bytes, max_bytes: int) -> tuple[bytes, str]:
    """Unpack gzip up to a damage, or a little more than `max_bytes`; return other data as they are."""
    return _unpacked(data, max_bytes) if data.startswith(GZIP_MAGIC) else (data, "")


def _unpacked(data: bytes, max_bytes: int) -> tuple[bytes, str]:
    """Unpack member after member, in small steps, because an error loses the output of its step."""
    unpacked, unpacker = bytearray(), zlib.decompressobj(zlib.MAX_WBITS | 16)
    place, step = 0, 1_024
    # Where the member begins, and its output.
    begun = kept = 0
    while place < len(data) and len(unpacked) <= max_bytes:
        try:
            unpacked += unpacker.decompress(data[place : place + step])
        except zlib.error:
            pieces = unpacked_up_to_damage(zlib.decompressobj(zlib.MAX_WBITS | 16), data[begun : place + step])
            unpacked[kept:] = b"".join(pieces)
            return bytes(unpacked), "damaged gzip: only a part could be unpacked"
        place = min(place + step, len(data)) - len(unpacker.unused_data)
        if unpacker.eof:
            if not data.startswith(GZIP_MAGIC, place):
                return bytes(unpacked), ""
            unpacker, begun, kept = zlib.decompressobj(zlib.MAX_WBITS | 16), place, len(unpacked)
    return bytes(unpacked), "" if len(unpacked) > max_bytes else "gzip is cut off: only a part could be unpacked"
