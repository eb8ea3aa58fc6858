"""What the exit status of a command says."""

FINE, FAILED, WRONG_USAGE, SOME_PAGES_FAILED, INTERRUPTED = 0, 1, 2, 3, 130
