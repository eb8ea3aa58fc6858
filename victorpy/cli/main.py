"""The entry point of `victor`: run a command and turn errors into a message and an exit status."""

import errno
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Sequence
from importlib import import_module

from victorpy.cli.command_parser import command_of, parsed, parser_of
from victorpy.cli.command_table import COMMANDS, LONG, OLD_COMMANDS, RENAMED
from victorpy.cli.distinct_files import check_distinct
from victorpy.cli.standard_streams import standard_streams
from victorpy.errors import UsageError, VictorError
from victorpy.foundation.exit_codes import FAILED, FINE, INTERRUPTED, WRONG_USAGE
from victorpy.foundation.terminal import escaped_line

log = logging.getLogger("victorpy")

# What the system refuses: longer names, more open files, memory or processes.
_REFUSED = {errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN}
_NO_MEMORY = re.compile("failed to map segment|[Cc]annot allocate memory")  # what the loader says
_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EBADF}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with standard_streams():
        try:
            status = _flushed(words)
        except VictorError as error:
            _say(str(error))
            return WRONG_USAGE if isinstance(error, UsageError) else FAILED
        except KeyboardInterrupt:
            _say("interrupted")
            return INTERRUPTED
        except BrokenPipeError:  # the reader of our output has stopped, as `head` does
            _abandon_output()
            return FINE
        except (MemoryError, ImportError) as error:
            if not _lacks_memory(error):
                raise
            _say("there is too little memory for this")
            return FAILED
        except OSError as error:
            _say(_refusal(error))
            return FAILED
        return status


def _flushed(words: Sequence[str]) -> int:
    """Run a command, and notice that what it has printed, perhaps its help, cannot be written."""
    try:
        status = _run(words)
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return status


def _lacks_memory(error: MemoryError | ImportError) -> bool:
    return isinstance(error, MemoryError) or _NO_MEMORY.search(str(error)) is not None


def _refusal(error: OSError) -> str:
    """What the system has refused; raises the errors that are our mistakes."""
    if error.errno in _REFUSED:
        return f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
    if error.errno not in _UNWRITABLE or error.filename:
        raise error
    _abandon_output()
    return f"standard output: cannot be written: {error.strerror}"


def _say(message: str) -> None:
    print(f"victor: {escaped_line(message)}", file=sys.stderr)


def _run(words: Sequence[str]) -> int:
    typed, rest = command_of(words)
    name = typed if typed in OLD_COMMANDS else RENAMED.get(typed, typed)
    options = parsed(parser_of(name), rest, name)
    is_verbose = options.verbose or name in LONG
    _log_to_stderr(logging.ERROR if options.quiet else logging.INFO if is_verbose else logging.WARNING)
    _handle_termination()
    check_distinct(options)
    if typed in RENAMED:
        log.warning("'victor %s' is now 'victor %s'; the next version drops the old name", typed, RENAMED[typed])
    status: int = import_module(f"victorpy.cli.commands.{(COMMANDS | OLD_COMMANDS)[name].module}").run(options)
    return status


def _log_to_stderr(level: int) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_LineFormatter("victor: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)


class _LineFormatter(logging.Formatter):
    """A message is one line, whatever names and texts it quotes."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802
        return escaped_line(super().formatMessage(record))


def _handle_termination() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminated)
        hang_up = getattr(signal, "SIGHUP", None)  # a closed terminal; not on Windows, and ignored after nohup
        if hang_up and signal.getsignal(hang_up) is signal.SIG_DFL:
            signal.signal(hang_up, _terminated)


def _terminated(number: int, _: object) -> None:
    """Exit through the usual clean-up, which ends children and removes unfinished files."""
    raise SystemExit(128 + number)


def _abandon_output() -> None:
    """Discard the buffered output, which Python would otherwise fail to write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
