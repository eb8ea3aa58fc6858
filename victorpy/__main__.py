"""The command `victor`: Ctrl-C ends it with one line also while its modules are being imported."""

import sys

from victorpy.foundation.exit_codes import INTERRUPTED


def main() -> int:
    """Run the command on the words of the command line, and return its exit status."""
    try:
        from victorpy.cli.main import main as run  # noqa: PLC0415

        return run()
    except (KeyboardInterrupt, RuntimeError) as error:
        if not _is_ctrl_c(error):
            raise
        if sys.stderr:
            sys.stderr.write("victor: interrupted\n")
        return INTERRUPTED


def _is_ctrl_c(error: BaseException) -> bool:
    """Before Python 3.12, Ctrl-C while a class is made becomes the cause of a RuntimeError."""
    return isinstance(error, KeyboardInterrupt) or isinstance(error.__cause__, KeyboardInterrupt)


if __name__ == "__main__":
    sys.exit(main())
