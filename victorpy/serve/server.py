"""Runs the application on a socket of its own."""

import ctypes
import errno
import logging
import socket
import sys
from contextlib import suppress

import uvicorn

from victorpy.errors import UsageError
from victorpy.serve.application import application
from victorpy.serve.bounded_connections import bounded_protocol
from victorpy.serve.server_settings import ServerSettings

_OTHER_FILES = 200
# The number of the option for `mallopt`, and from how many bytes on a piece is large.
_MMAP_THRESHOLD, _LARGE = -3, 1 << 20

log = logging.getLogger("victorpy")


def serve(settings: ServerSettings) -> None:
    """Serve until Ctrl-C or SIGTERM."""
    give_memory_back()
    allow_connections(settings.max_connections)
    with listening(settings) as bound:
        log.warning("%s (Ctrl-C ends it)", address(settings, bound.getsockname()[1]))
        uvicorn.Server(configuration(settings)).run([bound])


def allow_connections(count: int) -> None:
    """Each connection is an open file: ask the system for so many, and some more."""
    try:
        import resource  # noqa: PLC0415  # not on Windows
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count + _OTHER_FILES if hard == resource.RLIM_INFINITY else min(count + _OTHER_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def give_memory_back() -> None:
    """Let the C library of Linux give back at once what was large, as it does until it has seen a few such pieces.

    Otherwise small pieces that stay keep ever more of what large answers took.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # not every C library has it
            ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)


def configuration(settings: ServerSettings) -> uvicorn.Config:
    return uvicorn.Config(
        application(settings),
        http=bounded_protocol(settings.max_connections, settings.idle_seconds),
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )


def listening(settings: ServerSettings) -> socket.socket:
    """The socket; a port in use is an error of the user."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
        bound.listen(1024)
    except OSError as error:
        bound.close()
        raise UsageError(_refusal(error, settings)) from error
    return bound


def _refusal(error: OSError, settings: ServerSettings) -> str:
    place = f"{settings.host}:{settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{place}: another program uses this port: choose another with --port, or any free one with --port 0"
    return f"{place}: cannot listen here: {error.strerror or error}"


def address(settings: ServerSettings, port: int) -> str:
    """What a user opens in a browser."""
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{port}/" + (f"?token={settings.token}" if settings.token else "")
