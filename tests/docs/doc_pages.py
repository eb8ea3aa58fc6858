"""README and the pages of docs/: their code, their commands, and the reasons why some of these are not run."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[2]
# The reference is made from the code, and its examples are those of `--help`.
PAGES = [
    ROOT / "README.md",
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.parent.name != "reference"),
]
_LOOP = re.compile(r"^for .* in .*; do$", re.M)
_COMMAND = re.compile(r"^(\$ )?victor \S")


class Block(NamedTuple):
    """A block of code: its page, the line where it begins, its language if it names one, and its lines."""

    page: Path
    line: int
    language: str
    lines: list[str]

    @property
    def code(self) -> str:
        return "\n".join(self.lines)

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """The blocks of code of a page, fenced or indented, in order."""
    for token in MarkdownIt().parse(page.read_text("utf-8")):
        if token.type in {"fence", "code_block"}:
            begin = token.map[0] + (2 if token.type == "fence" else 1)
            yield Block(page, begin, token.info.strip(), token.content.splitlines())


def programs(page: Path) -> list[Block]:
    return [block for block in blocks(page) if block.language == "python"]


def commands(block: Block) -> list[Block]:
    """The commands in a block that is not code: lines that begin with `victor`, or with `$ victor` above an output."""
    if block.language not in {"", "sh", "console"}:
        return []
    if _LOOP.search(block.code):
        return [block._replace(language="sh")]
    numbered = [(number, line.strip()) for number, line in enumerate(block.lines, block.line)]
    found = [Block(block.page, number, "sh", [line]) for number, line in numbered if _COMMAND.match(line)]
    # A command below an output is a quotation.
    return found if found and found[0].line == block.line else []


def steps(page: Path) -> list[Block]:
    """All that can be run on a page, in order."""
    return [step for block in blocks(page) for step in ([block] if block.language == "python" else commands(block))]


def words(command: str) -> list[str]:
    """The words of a command, without `$` and without the comment behind it."""
    return shlex.split(command.removeprefix("$ "), comments=True)


def needs_shell(command: str) -> bool:
    return "\n" in command or not _COMMAND.match(command) or bool({"|", ">", "&&", ";", "<"} & set(words(command)))
