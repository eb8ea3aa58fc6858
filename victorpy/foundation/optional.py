"""Optional packages, which some sources, sinks and engines need."""

from typing import Any

from victorpy.errors import UsageError


def fastwarc() -> Any:
    """The package with its modules `warc` and `stream_io`."""
    try:
        import fastwarc.stream_io  # noqa: PLC0415
        import fastwarc.warc  # noqa: PLC0415
    except ImportError as error:
        raise _missing("web archives", "fastwarc", "warc") from error
    return fastwarc


def publicsuffixlist() -> Any:
    try:
        import publicsuffixlist  # noqa: PLC0415
    except ImportError as error:
        raise _missing("registered domains", "publicsuffixlist", "domains") from error
    return publicsuffixlist


def pyarrow() -> Any:
    """The package with its module `parquet`."""
    try:
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError as error:
        raise _missing("Parquet", "pyarrow", "parquet") from error
    return pyarrow


def distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415
    except ImportError as error:
        raise _missing("The engine dask", "distributed", "dask") from error
    return distributed


def uvicorn() -> Any:
    try:
        import starlette  # noqa: F401, PLC0415
        import uvicorn  # noqa: PLC0415
    except ImportError as error:
        raise _missing("The server", "starlette or uvicorn", "serve") from error
    return uvicorn


def zstandard() -> Any:
    try:
        import zstandard  # noqa: PLC0415
    except ImportError as error:
        raise _missing("Zstandard", "zstandard", "zst") from error
    return zstandard


def playwright() -> Any:
    """The package's interface for asyncio."""
    try:
        import playwright.async_api  # noqa: PLC0415
    except ImportError as error:
        raise _missing("Rendering", "playwright", "render") from error
    return playwright.async_api


def check_mcp() -> None:
    """Raises an error if the official SDK of the Model Context Protocol is missing, or is of version 1."""
    try:
        import mcp.server.mcpserver  # noqa: F401, PLC0415
    except ImportError as error:
        raise _missing("The MCP server", "mcp (2 or newer)", "mcp") from error


def isal_zlib() -> Any:
    """A fast inflater with the interface of zlib, or None if it is not installed."""
    try:
        from isal import isal_zlib  # noqa: PLC0415
    except ImportError:
        return None
    return isal_zlib


def install_hint(extra: str) -> str:
    """The commands that install an extra: of a release, and of a checkout."""
    return f"pip install 'victor-cleaner[{extra}]' (in a checkout: pip install -e '.[{extra}]')"


def _missing(what: str, package: str, extra: str) -> UsageError:
    return UsageError(f"{what}: the package {package} is not installed: {install_hint(extra)}")
