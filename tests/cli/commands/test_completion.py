import shutil
import subprocess

import pytest

from victorpy.cli.command_table import COMMANDS
from victorpy.cli.completion_scripts import SHELLS, completions

PLACES = {
    "cl": ["clean"],
    "l": ["learn", "lm"],
    "lm ": ["train", "score"],
    "lm sc": ["score"],
    "lm score --b": ["--by"],
    "lm score --by ": ["sentence", "block", "page"],
    "lm train --un": ["--unit"],
    "clean page.html --form": ["--format"],
    "clean page.html -f mark": ["markdown"],
    "clean page.html -o ": [],
    "clean pa": [],
    "completion ": ["bash", "fish", "zsh"],
}


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize("typed", PLACES)
def test_bash_completes_commands_options_and_choices(victor, typed):
    words = typed.split(" ")
    ask = f'{victor("completion", "bash").out}\nCOMP_WORDS=(victor "$@") COMP_CWORD=$#\n_victor\n'

    ran = subprocess.run(
        ["bash", "-c", f'{ask}echo "${{COMPREPLY[@]}}"', "bash", *words], capture_output=True, text=True, check=True
    )

    assert (ran.stdout.split(), ran.stderr) == (PLACES[typed], "")


@pytest.mark.parametrize("shell", SHELLS)
def test_every_command_and_option_is_in_every_script(victor, shell):
    ran = victor("completion", shell)

    assert (ran.status, ran.err) == (0, "")
    assert all(name in ran.out for name in COMMANDS)
    long = {word[2:] for name in COMMANDS for option in completions(name) for word in option.names if word[:2] == "--"}
    assert all(name in ran.out for name in long)


@pytest.mark.process
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_can_read_its_script(victor, folder, shell):
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}")
    folder.joinpath("script").write_text(victor("completion", shell).out)

    subprocess.run([shell, "-n", "script"], check=True)


def test_an_unknown_shell_gets_a_suggestion(victor):
    ran = victor("completion", "bsh")

    assert ran.status == 2
    assert "expected one of bash, fish, zsh, got 'bsh'; did you mean 'bash'?" in ran.err
