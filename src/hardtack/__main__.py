"""``python -m hardtack`` and the ``hardtack`` command."""

from __future__ import annotations

import gc
import os
import sys

from hardtack.hints import NoReturn

# Before numpy is imported: it and FAISS each start a thread pool, which costs half the time of a cold search and gains nothing.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> NoReturn:
    """Run the command line; an interrupt while it is still being loaded ends quietly too."""
    gc.disable()  # until a verb is loaded: modules are made to stay, looking for cycles among them takes a fiftieth of a search
    try:
        if sys.argv[1:2] == ["search"]:
            from hardtack.cli.exits import leave_with
            from hardtack.cli.searching import plain_search

            if (search := plain_search(sys.argv[2:])) is not None:
                leave_with(search, sys.argv[2:])
        from hardtack.cli.main import main as run  # and click, which takes a tenth of a search
    except KeyboardInterrupt:
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
