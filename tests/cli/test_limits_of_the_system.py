"""Where the system refuses something, a command ends with a message and a status."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.process


@pytest.fixture
def limited(victor_process, folder):
    """Runs a command in a shell that sets limits or closes streams."""

    def run(shell, *words):
        command = [sys.executable, "-m", "victorpy", *map(str, words)]
        ran = subprocess.run(
            ["sh", "-c", shell, "sh", *command],
            env=victor_process.environment,
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert b"Traceback" not in ran.stderr
        return ran

    return run


@pytest.mark.parametrize("files", [6, 8, 10])
def test_few_open_files(limited, model, page, files):
    ran = limited(f'ulimit -n {files}; "$@"', "clean", "-m", model, page)

    assert ran.returncode == 0 or (ran.returncode, ran.stderr) == (1, b"victor: Too many open files\n")


@pytest.mark.parametrize("words", ["clean", "clean --labeler density"])
def test_little_address_space(limited, page, words):
    ran = limited('ulimit -v 60000; "$@"', *words.split(), page)

    assert ran.returncode in {0, 1}
    assert ran.returncode == 0 or ran.stderr.startswith(b"victor: ")


@pytest.mark.parametrize(
    "words", ["clean page.html -o NAME.txt", "run page.html -o NAME", "explain NAME", "dedup NAME"]
)
def test_a_name_that_no_file_can_have(limited, page, words):
    ran = limited('"$@"', *words.replace("NAME", "x" * 300).split())

    assert ran.returncode in {1, 2}
    assert b"File name too long" in ran.stderr


@pytest.mark.parametrize("stream", ["-", "page.html"])
def test_a_closed_standard_input(limited, model, page, stream):
    ran = limited('"$@" <&-', "clean", "-m", model, stream)

    assert ran.returncode == (stream == "-")
    assert (b"cannot be read: Bad file descriptor" in ran.stderr) == (stream == "-")


def test_a_closed_standard_output_is_an_error_if_there_is_something_to_write(limited, model, page):
    ran = limited('"$@" >&-', "clean", "-m", model, page)

    assert (ran.returncode, ran.stderr) == (1, b"victor: standard output: cannot be written: Bad file descriptor\n")


@pytest.mark.parametrize(("output", "problem"), [(">&-", b"Bad file descriptor"), (">/dev/full", b"No space left")])
def test_help_that_cannot_be_written_says_so(limited, output, problem):
    ran = limited(f'"$@" {output}', "--version")

    assert ran.returncode == 1
    assert ran.stderr.startswith(b"victor: standard output: cannot be written: " + problem)


@pytest.mark.parametrize("error", ["2>&-", "2>/dev/full"])
def test_messages_that_cannot_be_written_change_no_result(limited, model, page, error):
    ran, fine = limited(f'"$@" {error}', "clean", "-m", model, page), limited('"$@"', "clean", "-m", model, page)

    assert (ran.returncode, ran.stdout) == (0, fine.stdout)


@pytest.mark.parametrize("setting", ["PYTHONIOENCODING=ascii", "LC_ALL=C", "LC_ALL=POSIX PYTHONUTF8=0"])
@pytest.mark.parametrize("words", [("metadata", "page.html"), ("lm", "score", "page.html", "--clean")], ids=" ".join)
def test_a_pipe_gets_utf8_whatever_the_locale_says(limited, folder, setting, words):
    folder.joinpath("page.html").write_text("<title>čau</title><p>Čau, the ferry leaves at seven.")

    ran = limited(f'{setting} "$@"', *words)

    assert ran.returncode == 0
    assert "au" in ran.stdout.decode("utf-8")
    assert words[0] == "lm" or "čau" in ran.stdout.decode("utf-8")


def test_a_device_without_end_is_refused(victor, monkeypatch):
    monkeypatch.setattr("victorpy.foundation.files.MAX_BYTES", 1 << 20)

    ran = victor("convert", "/dev/zero")

    assert ran.status == 1
    assert "/dev/zero: larger than 1,048,576 bytes" in ran.err


@pytest.mark.parametrize("words", ["run /dev/zero -o run", "group-by-host /dev/zero -o hosts"])
def test_a_device_is_refused_where_all_of_it_is_read(victor, folder, words):
    ran = victor(*words.split())

    assert ran.status == 2
    assert "/dev/zero: expected a file, got a device or a pipe" in ran.err


@pytest.mark.parametrize("name", ["zero.warc.gz", "zero.jsonl"])
def test_a_device_in_the_place_of_an_archive_is_refused(victor, folder, name):
    (folder / name).symlink_to("/dev/zero")

    ran = victor("clean", name, "-f", "jsonl")

    assert (ran.status, ran.out) == (1, "")
    assert f"{name}: expected a file, got a device or a pipe: send it to standard input (-)" in ran.err


@pytest.mark.parametrize("command", ["dedup", "retry"])
def test_a_line_without_end_is_refused(victor, monkeypatch, command):
    monkeypatch.setattr("victorpy.foundation.files.MAX_BYTES", 1 << 20)

    ran = victor(command, "/dev/zero")

    assert ran.status == 1
    assert "/dev/zero:1: a line of more than 1,048,576 bytes" in ran.err
