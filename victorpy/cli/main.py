"""The command line: finds the command, hands over, and turns trouble into a message and an exit status."""

import argparse
import errno
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module

from victorpy import __version__
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.exit_codes import FAILED, FINE, INTERRUPTED, WRONG_USAGE

# One module each in cli/commands, imported only when it is asked for, with `arguments(parser)` and `run(options)`.
COMMANDS = {
    "clean": "print the content of pages",
    "retry": "clean again the pages that failed",
    "run": "clean many pages into a folder, in a run that can be gone on with",
    "verify": "check what a run has written",
    "train": "learn a model from annotated pages",
    "annotate": "label pages in a terminal",
    "import": "turn pages and their clean texts into annotated pages",
    "convert": "print annotated pages in another format",
    "features": "show what a labeler sees of a page",
    "inspect": "show what a model has learned",
    "explain": "show why a block of a page is what a model takes it for",
    "merge": "learn how much each of several labelers counts, where they vote",
    "evaluate": "say how good labels and cleaned texts are",
    "suggest": "rank the pages of a folder that are to be annotated next",
    "agree": "say how far two annotators agree",
    "compare": "say which of several systems is better, and whether that may be chance",
    "ablate": "say what each feature is worth",
    "tune": "search for better settings",
    "xval": "cross-validate a config over annotated pages",
    "rules": "learn function words for the labeler of rules from text",
    "site": "learn what the pages of a site have in common",
    "lm": "learn a language model from clean text",
    "perplexity": "show how far text surprises a language model",
    "group-by-host": "move the records of web archives to where those of a host stand together",
    "dedup": "drop pages and passages that were there before",
    "doctor": "say what is installed, and which models and configs load",
}

# Modules that cannot be called as their command is.
_MODULES = {
    "features": "show_features",
    "import": "import_",
    "merge": "learn_votes",
    "perplexity": "lm_score",
    "rules": "learn_rules",
    "site": "learn_site",
}

# These say how far they are without being asked.
LONG = {"train", "lm"}

_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EBADF}

EXIT_STATUSES = """\
exit status: 0 fine, 1 failed, 2 wrong usage or missing input, 3 done but some pages failed (with --strict),
130 interrupted"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit status."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # closed by the caller  # noqa: SIM115
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        options = _parser(words).parse_args(words)
        is_verbose = options.verbose or options.command in LONG
        level = logging.ERROR if options.quiet else logging.INFO if is_verbose else logging.WARNING
        _handle_termination()
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Harmless("victor: %(message)s"))
        logging.basicConfig(level=level, handlers=[handler], force=True)
        status: int = import_module(f"victorpy.cli.commands.{_module(options.command)}").run(options)
        sys.stdout.flush()
    except VictorError as error:
        print(f"victor: {_harmless(str(error))}", file=sys.stderr)
        return WRONG_USAGE if isinstance(error, UsageError) else FAILED
    except KeyboardInterrupt:
        print("victor: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has had enough
        _abandon_output()
        return FINE
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename:
            raise
        _abandon_output()
        print(f"victor: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        return FAILED
    return status


# A name, an address or a column of somebody's file may hold what a terminal takes for orders.
_ORDERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def _harmless(message: str) -> str:
    return _ORDERS.sub(lambda order: f"\\x{ord(order[0]):02x}", message)


class _Harmless(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return _harmless(super().format(record))


def _handle_termination() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, _: object) -> None:
    """Ends like any other failure, so that children and half-written files go too."""
    raise SystemExit(128 + number)


def _abandon_output() -> None:
    """Python would complain once more when it closes standard output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _module(command: str) -> str:
    return _MODULES.get(command, command.replace("-", "_"))


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="victor",
        description="Cleans web pages: text and its structure, without menus, adverts and footers.",
        epilog=EXIT_STATUSES,
    )
    parser.add_argument("--version", action="version", version=f"victor {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    asked = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary[0].upper()}{summary[1:]}.")
        command.add_argument("-q", "--quiet", action="store_true", help="only errors on standard error")
        command.add_argument("-v", "--verbose", action="store_true", help="more on standard error")
        if name == asked:
            import_module(f"victorpy.cli.commands.{_module(name)}").arguments(command)
    return parser
