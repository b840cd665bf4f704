"""``python -m hardtack`` and the ``hardtack`` command."""

from __future__ import annotations

import os
from typing import NoReturn

# Before numpy is imported: it and FAISS each start a thread pool, which costs half the time of a cold search and gains nothing.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Windows looks for git in the current directory first, which may be an indexed project's: nothing of that is run.
os.environ.setdefault("NoDefaultCurrentDirectoryInExePath", "1")


def main() -> NoReturn:
    """Run the command line; an interrupt while it is still being loaded ends quietly too."""
    try:
        from hardtack.cli.main import main as run
    except KeyboardInterrupt:
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
