"""The command `misere` as this package installs it, also called by `python -m misere`."""

import os
import signal
import sys

from ._misere import run_command

__all__ = ["main"]


def main() -> int:
    """Runs the command with the arguments of the process, and returns the exit code."""
    # The command hears Ctrl-C itself. Python's handler would add a traceback at the end.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # As Rust's own programs do: a file must not be opened in the place of a closed stream.
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    return run_command(["misere", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
