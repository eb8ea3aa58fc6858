"""The MCP server, asked by the client of the official SDK."""

import asyncio
import os
import sys
from pathlib import Path

import pytest
from web_servers import PAGE, Answer, served

pytest.importorskip("mcp.server.mcpserver")

from mcp import Client, StdioServerParameters

import victorpy
from victorpy.fetching.fetch_settings import FetchSettings
from victorpy.fetching.fetcher import Fetcher
from victorpy.integrations.cleaned_documents import DocumentCleaner
from victorpy.integrations.mcp_server import PageTools, server

TEXT = "# Ferry times\n\nThe ferry leaves at seven, long before the island is awake.\n"


@pytest.fixture(scope="module")
def cleaner():
    return DocumentCleaner()


def asked(cleaner, folder, tool, fetching=None, **given):
    """What the server answers."""
    tools = PageTools(cleaner, Fetcher(fetching or FetchSettings(delay=0, retries=0)), [folder])

    async def ask():
        async with Client(server(tools)) as client:
            return await client.call_tool(tool, given)

    return asyncio.run(ask()).structured_content


def test_a_page_is_cleaned(cleaner, tmp_path):
    answer = asked(cleaner, tmp_path, "clean_page", html=PAGE.decode(), url="https://harbour.example/")

    assert (answer["status"], answer["text"], answer["source"]) == ("ok", TEXT, "https://harbour.example/")
    assert (answer["title"], answer["characters"]) == ("Ferry times", len(TEXT))


def test_a_long_text_is_given_in_parts(cleaner, tmp_path):
    answer = asked(cleaner, tmp_path, "clean_page", html=PAGE.decode(), start=2, length=5)

    assert (answer["text"], answer["characters"]) == ("Ferry", len(TEXT))


def test_a_url_is_fetched_and_cleaned(cleaner, tmp_path):
    with served({"/": Answer()}) as site:
        answer = asked(cleaner, tmp_path, "clean_url", url=site.url())

    assert (answer["text"], answer["source"]) == (TEXT, site.url())


def test_a_url_that_is_not_public_is_not_fetched(cleaner, tmp_path):
    with served({"/": Answer()}) as site:
        answer = asked(cleaner, tmp_path, "clean_url", FetchSettings(forbid_private=True), url=site.url())

    assert (answer["status"], answer["text"], site.asked) == ("unreadable", "", [])
    assert "127.0.0.1 is not a public address" in answer["reason"]


def test_a_file_is_cleaned(cleaner, tmp_path):
    tmp_path.joinpath("page.html").write_bytes(PAGE)

    for path in ("page.html", str(tmp_path / "page.html")):
        assert asked(cleaner, tmp_path, "clean_file", path=path)["text"] == TEXT


@pytest.mark.parametrize("path", ["../secret.html", "link.html", "/etc/passwd", "none.html", "."])
def test_a_file_outside_of_the_folders_is_not_read(cleaner, tmp_path, path):
    tmp_path.joinpath("secret.html").write_bytes(PAGE)
    folder = tmp_path / "pages"
    folder.mkdir()
    folder.joinpath("link.html").symlink_to(tmp_path / "secret.html")

    answer = asked(cleaner, folder, "clean_file", path=path)

    assert (answer["status"], answer["text"]) == ("unreadable", "")
    assert (
        "no such file in the folders of this server" in answer["reason"] or "a folder, not a page" in answer["reason"]
    )


@pytest.mark.process
@pytest.mark.slow
def test_the_command_speaks_over_standard_input_and_output(tmp_path):
    tmp_path.joinpath("page.html").write_bytes(PAGE)
    environment = os.environ | {"PYTHONPATH": str(Path(victorpy.__file__).parents[1])}
    # Without the folder that the tests run in, which may hold sources without a compiled core.
    words = ["-P", "-m", "victorpy", "mcp", "--folder", str(tmp_path)]

    async def ask():
        parameters = StdioServerParameters(command=sys.executable, args=words, env=environment)
        async with Client(parameters) as client:
            listed = await client.list_tools()
            return [tool.name for tool in listed.tools], await client.call_tool("clean_file", {"path": "page.html"})

    names, answer = asyncio.run(asyncio.wait_for(ask(), 60))

    assert names == ["clean_page", "clean_url", "clean_file"]
    assert answer.structured_content["text"] == TEXT


def test_a_folder_that_is_missing_is_named(victor, folder):
    assert victor("mcp", "--folder", "none") == (2, "", "victor: none: no such folder\n")


def test_without_the_sdk_the_message_says_what_to_install(victor, folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)

    ran = victor("mcp")

    assert ran.status == 2
    assert "pip install 'victor-cleaner[mcp]'" in ran.err
