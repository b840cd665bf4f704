"""``python -m hardtack`` and the ``hardtack`` command."""

from __future__ import annotations

import os
import signal

TYPE_CHECKING = False  # which type checkers know better; the module typing is large, and an interrupt while it loads shows it

if TYPE_CHECKING:
    from typing import NoReturn

# Before numpy is imported: it and FAISS each start a thread pool, which costs half the time of a cold search and gains nothing.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Windows looks for git in the current directory first, which may be an indexed project's: nothing of that is run.
os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")


def main() -> NoReturn:
    """Run the command line. An interrupt ends it at once and quietly, until a verb has something to clean up."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # An exception would be lost where the import machinery or a destructor runs.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    from hardtack.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
