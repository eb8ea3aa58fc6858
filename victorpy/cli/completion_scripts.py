"""Scripts that complete commands, options and choices in bash, zsh and fish, made from the parsers of the commands."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from victorpy.cli.command_parser import parser_of, subcommands
from victorpy.cli.command_table import COMMANDS


class Completion(NamedTuple):
    """The names of an option, empty for an input, and its choices."""

    names: tuple[str, ...]
    choices: tuple[str, ...]
    takes_value: bool
    summary: str


def completions(command: str) -> list[Completion]:
    """The options and inputs of a command."""
    parser = parser_of(command)
    return [
        Completion(
            tuple(action.option_strings),
            tuple(map(str, action.choices or ())),
            action.nargs != 0,
            (action.help or "") % {"prog": parser.prog},
        )
        for action in parser._actions
    ]


# In bash and in zsh


def bash() -> str:
    return f"""\
_victor() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local command=${{COMP_WORDS[1]}} second=${{COMP_WORDS[2]}} place=$COMP_CWORD found=
{_cases()}
    COMPREPLY=($(compgen -W "$found" -- "$current"))
}}
complete -o default -F _victor victor
"""


def zsh() -> str:
    return f"""\
#compdef victor
_victor() {{
    local current=$words[CURRENT] previous=$words[CURRENT-1]
    local command=$words[2] second=$words[3] place=$((CURRENT - 1)) found=
{_cases()}
    if [[ -n $found ]]; then compadd -- ${{=found}}; else _files; fi
}}
if [[ $funcstack[1] == _victor ]]; then _victor "$@"; else compdef _victor victor; fi
"""


def _cases() -> str:
    """Shell code that sets `found` to the words that may stand at a place; both shells read it alike."""
    lines = [*_second_words(), *(line for name in COMMANDS for line in _of_command(name))]
    families = "|".join(_families())
    return f"""\
    case $command in ({families}) [ "$place" -gt 2 ] && command="$command $second" ;; esac
    case "$place $command $previous $current" in
    ("1 "*) found="{" ".join(_first_words())}" ;;
    (*) case "$command $previous $current" in
{chr(10).join(f"        {line}" for line in lines)}
        esac ;;
    esac"""


def _second_words() -> Iterator[str]:
    for family in _families():
        yield f'("{family} {family} "*) found="{" ".join(subcommands(family))}" ;;'


def _of_command(name: str) -> Iterator[str]:
    known = completions(name)
    for option in known:
        places = "|".join(f'"{name} {word} "*' for word in option.names)
        if option.names and option.choices:
            yield f'({places}) found="{" ".join(option.choices)}" ;;'
        elif option.names and option.takes_value:
            yield f"({places}) ;;"
    yield f'("{name} "*" -"*) found="{" ".join(word for option in known for word in option.names)}" ;;'
    yield f'("{name} "*) found="{" ".join(word for option in known if not option.names for word in option.choices)}" ;;'


def _first_words() -> list[str]:
    return list(dict.fromkeys(name.partition(" ")[0] for name in COMMANDS))


def _families() -> list[str]:
    return [word for word in _first_words() if word not in COMMANDS]


# In fish


def fish() -> str:
    head = """\
function __victor_is
    set -l words (commandline -opc)
    test "$words[2..(math 1 + (count $argv))]" = "$argv"
end
"""
    lines = [*_fish_commands(), *(line for name in COMMANDS for line in _fish_options(name))]
    return head + "".join(f"complete -c victor {line}\n" for line in lines)


def _fish_commands() -> Iterator[str]:
    for name, command in COMMANDS.items():
        if " " not in name:
            yield f"-n 'test (count (commandline -opc)) = 1' -f -a {name} -d {_quoted(command.summary)}"
    for family in _families():
        words = " ".join(subcommands(family))
        yield f"-n 'test (count (commandline -opc)) = 1' -f -a {family} -d {_quoted(words)}"
        yield f"-n 'test (count (commandline -opc)) = 2; and __victor_is {family}' -f -a '{words}'"


def _fish_options(name: str) -> Iterator[str]:
    for option in completions(name):
        words = [f"-l {word[2:]}" if word.startswith("--") else f"-s {word[1:]}" for word in option.names]
        choices = (
            [f"-x -a '{' '.join(option.choices)}'"] if option.choices else ["-r"] * (option.takes_value and bool(words))
        )
        if words or option.choices:
            yield " ".join([f"-n '__victor_is {name}'", *words, *choices, f"-d {_quoted(option.summary)}"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


SHELLS: dict[str, Callable[[], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
