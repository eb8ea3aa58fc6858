"""The exit statuses of commands."""

FINE, FAILED, WRONG_USAGE, SOME_PAGES_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
