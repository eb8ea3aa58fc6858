"""What holds for every command: help, exit statuses, signals, streams."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from victorpy import __version__, _core
from victorpy.cli import main
from victorpy.cli.command_table import COMMANDS, GROUPS, RENAMED

PACKAGE = Path(_core.__file__).parents[1]

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are looked for in /proc")


def test_the_version_is_told(victor):
    assert victor("--version") == (0, f"victor {__version__}\n", "")


def test_help_groups_the_commands_and_lists_the_exit_statuses(victor):
    ran = victor("--help")

    assert ran.status == 0
    assert all(f"\n{title}:\n" in ran.out for title in GROUPS)
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    assert not any(f"\n  {name} " in ran.out for name in RENAMED)
    assert "\nStart here:\n  victor clean page.html" in ran.out.partition("\nClean:")[0]
    said = " ".join(ran.out.split())
    assert "0 fine, 1 failed, 2 wrong usage or missing input, 3 done but some pages failed (with --strict), 130" in said


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(victor, name):
    ran = victor(*name.split(), "--help")

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: victor {name} ")
    assert "--quiet" in ran.out
    assert "None" not in ran.out


def test_the_help_of_clean_shows_what_is_used_most_before_all_else(victor):
    shown = victor("clean", "--help").out

    assert re.findall(r"^([a-z ]+):$", shown, re.M)[:3] == ["positional arguments", "most used", "input"]
    assert re.findall(r"^  -\w, (--\w+)", shown, re.M)[:3] == ["--format", "--output", "--url"]
    assert shown.count("--format FORMAT") == 1


@pytest.mark.parametrize("family", ["learn", "lm"])
def test_a_family_of_commands_has_help(victor, family):
    ran = victor(family, "--help")

    assert (ran.status, ran.err) == (0, "")
    names = [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{family} ")]
    assert all(f"\n  {name} " in ran.out for name in names)


UNKNOWN = {
    "": "name a command; see victor --help",
    "clena x.html": "no command 'clena'; did you mean 'clean'?",
    "xyz": "no command 'xyz'; see victor --help",
    "--fast": "no option '--fast'; see victor --help",
    "lm": "name a command: train, score",
    "lm trian": "no command 'lm trian'; did you mean 'train'?",
    "rules": "no command 'rules'; 'rules learn' is now 'learn rules'",
    "clean x.html --foramt text": "no option '--foramt'; did you mean '--format'?",
    "train x.anno --modle=mine": "no option '--modle'; did you mean '--model'?",
    "clean x.html -f markdwon": "got 'markdwon'; did you mean 'markdown'?",
    "clean x.html -z": "no option '-z'; see victor clean --help",
    "doctor x": "unexpected argument 'x'",
}


@pytest.mark.parametrize("words", UNKNOWN)
def test_unknown_words_are_wrong_usage_and_get_a_suggestion(victor, words):
    ran = victor(*words.split())

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("usage: victor")
    assert ran.err.endswith(f"{UNKNOWN[words]}\n")


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), RENAMED.items())
def test_an_old_name_still_works_and_names_the_new_one(victor, folder, annotations, old, new):
    words = {
        "compare": ("a", "b", "--gold", "gold", "--figure", "total", "word_f1"),
        "inspect": ("cleaneval",),
        "merge": ("bte", "everything", "--on", annotations),
        "rules learn": ("one.txt",),
        "site learn": ("one.html", "two.html", "--host", "harbour.example", "-o", "site.npz"),
    }[old]
    folder.joinpath("one.txt").write_text("the ferry and the baker of the bridge and the tower\n" * 20)
    folder.joinpath("one.html").write_text("<p>The ferry leaves at seven.")
    folder.joinpath("two.html").write_text("<p>She comes back at nine.")
    for name in ("a", "b", "gold"):
        folder.joinpath(name).mkdir()
        folder.joinpath(name, "x.txt").write_text("<p> one")

    ran, quiet = victor(*old.split(), *words), victor(*old.split(), "-q", *words)

    assert (ran.status, quiet.status) == (0, 0)
    assert "is now" not in quiet.err
    assert (
        ran.err.splitlines()[0] == f"victor: 'victor {old}' is now 'victor {new}'; the next version drops the old name"
    )
    assert ran.err.count("is now") == 1
    assert ran.out == quiet.out


@pytest.mark.process
def test_what_files_hold_gives_a_terminal_no_orders(victor, folder):
    folder.joinpath("t.jsonl").write_text('{"\\u001b]0;owned\\u0007\\u001b[2J\\u009b": 1}\n')

    ran, missing = victor("clean", "t.jsonl"), victor("clean", "\x1b[2J.html")

    assert "there are \\x1b]0;owned\\x07\\x1b[2J\\x9b" in ran.err
    assert missing.err == "victor: \\x1b[2J.html: no such file or folder\n"


def test_a_mistake_of_ours_is_not_hidden(monkeypatch, page):
    monkeypatch.setattr("victorpy.pipeline.cleaner.native", lambda name: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        main.main(["clean", page])


def test_a_kernel_that_the_processor_lacks_is_wrong_usage(victor, monkeypatch, page):
    monkeypatch.setenv("VICTOR_KERNEL", "sse9")

    ran = victor("clean", page)

    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"victor: VICTOR_KERNEL: this CPU has no kernel 'sse9', only {', '.join(_core.KERNELS)}\n"


def test_the_command_is_a_module_too(victor_process):
    assert victor_process("--version") == (0, f"victor {__version__}\n", "")


# Streams


@pytest.mark.parametrize("words", [("features", "page.html"), ("doctor",)], ids=" ".join)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told_by_every_command(victor_process, page, words):
    with open("/dev/full", "wb") as full:
        ran = victor_process(*words, stdout=full)

    assert (ran.status, ran.err) == (1, "victor: standard output: cannot be written: No space left on device\n")


@pytest.mark.parametrize("words", [("clean", "page.html"), ("doctor",)], ids=" ".join)
def test_a_closed_standard_output_is_no_mistake_of_ours(victor_process, model, page, words):
    models = ("-m", str(model)) if words[0] == "clean" else ()
    command = [sys.executable, "-m", "victorpy", *words, *models]

    ran = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *command],
        env=victor_process.environment,
        capture_output=True,
        check=False,
        timeout=60,
    )

    assert b"Traceback" not in ran.stderr


def test_the_first_line_of_many_can_be_taken(victor_process, model, site):
    process = victor_process.start("clean", "-m", model, site, "-f", "text", "-j", 2)
    assert process.stdout is not None
    assert process.stdout.readline() == b"==> site/old/part-0.html <==\n"
    process.stdout.close()

    assert process.wait(120) == 0
    assert b"Traceback" not in process.stderr.read()


# Signals


def children_of(parent):
    """The processes that a process has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def eventually(claim, seconds=60.0):
    """Whether a claim comes true in time."""
    end = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


@pytest.fixture
def many_pages(folder, site):
    """A folder that takes a while to clean: many links to few pages."""
    pages = sorted((folder / site).rglob("*.html"))
    folder.joinpath("many").mkdir()
    for number in range(2_500):
        folder.joinpath(f"many/{number}.html").symlink_to(pages[number % len(pages)])
    return "many"


@pytest.fixture
def long_clean(victor_process, model, many_pages, folder):
    """Starts a long run into a folder and waits until the first texts are there."""

    def started(*words):
        process = victor_process.start("clean", "-m", model, many_pages, "-o", "out", *words)
        assert eventually(lambda: len(list(folder.glob("out/*.*"))) > 20)
        return process

    return started


def part_files(folder):
    return [path.name for path in folder.rglob(".*") if path.is_file()]


@pytest.mark.process
@pytest.mark.parametrize("raised", ["raise KeyboardInterrupt", "raise RuntimeError from KeyboardInterrupt()"])
def test_ctrl_c_while_modules_are_imported_ends_with_a_line(tmp_path, raised):
    (tmp_path / "argparse.py").write_text(raised)  # a module that the command imports early
    command = [sys.executable, "-P", "-m", "victorpy", "--version"]
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{PACKAGE}"}
    ran = subprocess.run(command, capture_output=True, env=environment, check=False)

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"victor: interrupted\n")


@needs_proc
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_stops_at_once_and_leaves_nothing_behind(long_clean, folder, jobs):
    process = long_clean("-j", jobs)
    children = children_of(process.pid)
    assert len(children) == jobs

    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    cleaned = len(list(folder.glob("out/*.txt")))
    _, said = process.communicate(timeout=120)

    assert len(list(folder.glob("out/*.txt"))) < cleaned + 50
    assert (process.returncode, said) == (130, b"victor: interrupted\n")
    assert not any(Path("/proc", str(child)).exists() for child in children)
    assert part_files(folder) == []


@needs_proc
def test_ctrl_c_leaves_no_half_of_a_file(victor_process, model, many_pages, folder):
    pages = [f"{many_pages}/{number}.html" for number in range(2_500)]
    folder.joinpath("out.txt").write_text("of yesterday")
    process = victor_process.start("clean", "-m", model, *pages, "-o", "out.txt", "-j", 2)
    assert eventually(lambda: part_files(folder) and len(children_of(process.pid)) == 2)

    process.send_signal(signal.SIGINT)

    assert process.wait(60) == 130
    assert part_files(folder) == []
    assert folder.joinpath("out.txt").read_text() == "of yesterday"


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_no_child_outlives_its_parent(long_clean, folder, number):
    for page in folder.glob("site/**/*.html"):
        page.write_text(page.read_text() * 40)  # more than fits into the pipe that nobody will read from
    process = long_clean("-j", 2, "-f", "jsonl")
    children = children_of(process.pid)
    assert len(children) == 2

    process.send_signal(number)
    process.wait(60)

    assert eventually(lambda: not any(Path("/proc", str(child)).exists() for child in children))


@needs_proc
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_being_told_to_end_leaves_no_half_of_a_file(victor_process, model, many_pages, folder, number):
    if signal.getsignal(number) == signal.SIG_IGN:
        pytest.skip("whoever started the tests wants this signal to be ignored, as nohup does")
    pages = [f"{many_pages}/{number}.html" for number in range(2_500)]
    process = victor_process.start("clean", "-m", model, *pages, "-o", "out.txt", "-j", 2)
    assert eventually(lambda: part_files(folder) and len(children_of(process.pid)) == 2)

    process.send_signal(number)

    assert process.wait(60) in {128 + number, -number}
    assert eventually(lambda: part_files(folder) == [])


@needs_proc
def test_a_child_that_is_killed_costs_no_page(long_clean, folder):
    process = long_clean("-j", 2)
    os.kill(children_of(process.pid)[0], signal.SIGKILL)
    _, said = process.communicate(timeout=120)

    assert process.returncode == 0
    assert len(list(folder.glob("out/*.txt"))) == 2_500
    assert b"2500 pages: 2500 ok" in said


# What a single page costs


def test_a_single_page_is_cleaned_within_half_a_second(victor_process, model, page):
    def seconds(work):
        """Of the processor, however busy the machine is."""
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        work()
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime

    def bare():
        """What nothing that needs these two can do without: on a slow machine it tells how slow that is."""
        subprocess.run([sys.executable, "-c", "import numpy, lxml.etree"], check=True)

    bound = max(0.5, 4 * min(seconds(bare) for _ in range(3)))
    assert any(seconds(lambda: victor_process("clean", "-m", model, page)) < bound for _ in range(5))


@needs_proc
def test_a_single_page_is_cleaned_within_120_megabytes(victor_process, model, page):
    program = (
        "import sys; from victorpy.cli.main import main; main(sys.argv[1:]); print(open('/proc/self/status').read())"
    )

    ran = subprocess.run(
        [sys.executable, "-c", program, "clean", "-m", model, page],
        env=victor_process.environment,
        capture_output=True,
        text=True,
        check=True,
    )

    highest = next(line for line in ran.stdout.splitlines() if line.startswith("VmHWM:"))
    assert int(highest.split()[1]) < 120 * 1024
