"""Parsers of the command line: the overview of all commands, the options of one, and suggestions for mistyped words."""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import takewhile
from typing import Any, NoReturn

from victorpy import __version__
from victorpy.cli.command_table import COMMANDS, GROUPS, OLD_COMMANDS, RENAMED
from victorpy.errors import suggestion
from victorpy.foundation.terminal import escaped_line

EXAMPLES = """\
Start here:
  victor clean page.html -f markdown            print the text of a page
  victor clean pages/ -f markdown -o texts/     clean a folder of pages
  victor report page.html                       see in the browser what is kept and dropped, and why
  victor annotate -m web pages/ -o mine/        label pages of your own
  victor train -m mine mine/                    adapt the model to them, for clean -m mine"""
STATUSES = """\
exit status: 0 fine, 1 failed, 2 wrong usage or missing input, 3 done but some pages failed (with --strict),
130 interrupted"""


class Parser(argparse.ArgumentParser):
    """A parser that suggests the nearest choice for a mistyped one. Its usage is made when it is printed."""

    def format_usage(self) -> str:
        self.usage = self.usage or _short_usage(self)
        return super().format_usage()

    def format_help(self) -> str:
        self.usage = self.usage or _short_usage(self)
        return super().format_help()

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, unknown_choice(str(value), map(str, action.choices)))

    def _print_message(self, message: str, file: Any = None) -> None:
        """argparse ignores that the help cannot be written."""
        if file is sys.stdout:
            file.write(message)
        else:
            super()._print_message(message, file)

    def error(self, message: str) -> NoReturn:
        """On one line, whatever the words of the command hold."""
        super().error(escaped_line(message))


def parsed(parser: Parser, words: Sequence[str], name: str) -> argparse.Namespace:
    """The options of a command; the error message for a mistyped one suggests the nearest."""
    # First of all: argparse would report the required option that a mistyped one stands for as missing.
    for word in takewhile(lambda word: word != "--", words):
        if word.startswith("--") and " " not in word:
            _check_option(parser, word.partition("=")[0])
    options, unknown = parser.parse_known_args(words, argparse.Namespace(command=name))
    for word in unknown:
        _check_option(parser, word)
        parser.error(f"unexpected argument '{word}'")
    return options


def _check_option(parser: Parser, name: str) -> None:
    known = list(parser._option_string_actions)
    if name.startswith("-") and not any(option.startswith(name) for option in known):
        parser.error(f"no option '{name}'{suggestion(name, known) or f'; see {parser.prog} --help'}")


class HelpLines(argparse.RawDescriptionHelpFormatter):
    """The help of options, which names a value once: `-f, --format FORMAT`."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=_columns() - 2)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def _columns() -> int:
    """The width of the terminal as `shutil` finds it, which takes longer to import than all options to be read."""
    with suppress(KeyError, ValueError):
        if (given := int(os.environ["COLUMNS"])) > 0:
            return given
    with suppress(AttributeError, ValueError, OSError):
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


def unknown_choice(word: str, choices: Iterable[str]) -> str:
    """The error message for a word that is none of the choices."""
    known = list(choices)
    return f"expected one of {', '.join(known)}, got '{word}'{suggestion(word, known)}"


def command_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """The name of the command, new or old, and the words after it."""
    known = {*COMMANDS, *RENAMED}
    pair = " ".join(words[:2])
    if pair in known:
        return pair, [*words[2:]]
    if words and words[0] in known:
        return words[0], [*words[1:]]
    parsed(overview(), words[:1], "")
    return _refuse_command(words)


def _refuse_command(words: Sequence[str]) -> NoReturn:
    if not words:
        overview().error("name a command; see victor --help")
    family = subcommands(words[0])
    if not family:
        overview().error(f"no command '{words[0]}'{_renamed(words[0]) or _nearest(words[0])}")
    parser = family_overview(words[0])
    parsed(parser, words[1:2], "")
    if len(words) == 1:
        parser.error(f"name a command: {', '.join(family)}")
    parser.error(f"no command '{words[0]} {words[1]}'{suggestion(words[1], family) or f'; see {parser.prog} --help'}")


def _renamed(word: str) -> str:
    names = [f"'{old}' is now '{new}'" for old, new in RENAMED.items() if old.startswith(f"{word} ")]
    return f"; {names[0]}" if names else ""


def _nearest(word: str) -> str:
    return suggestion(word, sorted({name.partition(" ")[0] for name in COMMANDS})) or "; see victor --help"


def subcommands(family: str) -> dict[str, str]:
    """The second words of a command such as `lm`, with their summaries."""
    return {
        name.partition(" ")[2]: command.summary for name, command in COMMANDS.items() if name.startswith(f"{family} ")
    }


def overview() -> Parser:
    """The parser of `victor` without a command: help and version."""
    groups = [
        "\n".join([f"{title}:", *(f"  {name:<14} {command.summary}" for name, command in commands.items())])
        for title, commands in GROUPS.items()
    ]
    parser = _bare_parser("victor", "\n\n".join([EXAMPLES, *groups, STATUSES]))
    parser.description = "Extract the main text of web pages, without menus, adverts and footers."
    parser.add_argument("--version", action="version", version=f"victor {__version__}")
    return parser


def family_overview(family: str) -> Parser:
    """The parser of a first word such as `lm` without a known second word."""
    lines = [f"  {name:<14} {summary}" for name, summary in subcommands(family).items()]
    return _bare_parser(f"victor {family}", "\n".join(["commands:", *lines]))


def _bare_parser(prog: str, epilog: str) -> Parser:
    parser = Parser(
        prog=prog,
        usage=f"{prog} COMMAND [OPTION ...]",
        epilog=f"{epilog}\n\n'{prog} COMMAND --help' lists the options of a command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("word", nargs="?", help=argparse.SUPPRESS)
    return parser


def parser_of(name: str) -> Parser:
    """The parser of a command's options."""
    command = (COMMANDS | OLD_COMMANDS)[name]
    description = f"{command.summary[0].upper()}{command.summary[1:]}."
    parser = Parser(prog=f"victor {name}", description=description, add_help=False, formatter_class=HelpLines)
    module = import_module(f"victorpy.cli.commands.{command.module}")
    module.arguments(parser)
    _put_first(parser, getattr(module, "MOST_USED", ()))
    parser.epilog = getattr(module, "EXAMPLES", None)
    general = parser.add_argument_group("general")
    general.add_argument("-h", "--help", action="help", help="print this help and exit")
    general.add_argument("-q", "--quiet", action="store_true", help="print only errors to standard error")
    general.add_argument("-v", "--verbose", action="store_true", help="print more messages to standard error")
    return parser


def _put_first(parser: Parser, names: Sequence[str]) -> None:
    """Show the options that a newcomer needs in a group before all others."""
    if not names:
        return
    first = parser.add_argument_group("most used")
    for action in (parser._option_string_actions[name] for name in names):
        for group in parser._action_groups:
            if action in group._group_actions:
                group._group_actions.remove(action)
        first._group_actions.append(action)
    # After the positional arguments.
    parser._action_groups.remove(first)
    parser._action_groups.insert(1, first)


def _short_usage(parser: Parser) -> str:
    """A usage of inputs and required options. A list of all options would hide the error message."""
    formatter = argparse.HelpFormatter(f"{parser.prog} [OPTION ...]")
    formatter.add_usage(
        None, [action for action in parser._actions if action.required or not action.option_strings], ()
    )
    return formatter.format_help().removeprefix("usage: ").strip()
